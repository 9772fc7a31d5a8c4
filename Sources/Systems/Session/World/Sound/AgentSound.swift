import KodamaEvidence
import KodamaNetwork
import KodamaSpeech
import KodamaWorld
import OpusAudio
import SansIO

/// What the agents of a world say, where voices are real.
package struct AgentSpeech {
    /// The voices.
    let material: SpeechMaterial
    /// The agents'.
    let voice: SpeechMaterial.Voice
    /// Who listens along with the agents.
    let tap: (any SpeakerTap)?

    /// Gives agents the voice that is dealt after those of the people.
    init(_ material: SpeechMaterial, people: Int, tap: (any SpeakerTap)?) {
        self.material = material
        voice = material.voice(forPlace: people)
        self.tap = tap
    }
}

/// The sound of one agent: recorded speech, spurt after spurt, as long as an answer lasts; and its ear.
final class AgentSound {
    let ear: VoiceEar
    let sender: VoiceSender
    private let speech: AgentSpeech
    /// The answer that is being said, and where in it the next frame begins.
    private var turn: Int?
    private var spurt: Int
    private var position = 0

    /// Between two spurts, 150 ms: below the 200 ms that end a talk spurt (ITU-T P.56).
    private static let pauseSamples = 7_200

    init(_ speech: AgentSpeech, agent: UInt32, of app: ComponentIndex, playout: Duration) {
        self.speech = speech
        // Agents begin at other places of what was recorded.
        spurt = Int(agent) * 7
        ear = VoiceEar(
            of: app,
            .fromPhone,
            playout: playout,
            latencyNanoseconds: 0,
            tap: speech.tap
        )
        do throws(OpusError) {
            sender = try VoiceSender()
        } catch {
            preconditionFailure("there is no memory for an encoder: \(error)")
        }
    }

    /// Encodes a frame: of the answer `turn`, or silence.
    ///
    /// - Returns: The size of its packet in bytes.
    func encode(_ frame: MediaFrame, ofAnswer turn: Int?) -> Int {
        if turn != self.turn {
            self.turn = turn
            if turn != nil { (spurt, position) = (spurt + 1, 0) }
        }
        return sender.encode(frame) { pcm in
            if turn == nil { pcm.update(repeating: 0) } else { read(into: pcm) }
        }
    }

    private func read(into pcm: UnsafeMutableBufferPointer<Int16>) {
        var filled = 0
        while filled < pcm.count {
            let piece = speech.voice.spurts[spurt % speech.voice.spurts.count]
            let left = piece.sampleCount + Self.pauseSamples - position
            guard left > 0 else {
                (spurt, position) = (spurt + 1, 0)
                continue
            }
            let count = min(left, pcm.count - filled)
            speech.material.withSamples(of: piece) { samples in
                for offset in 0..<count {
                    let place = position + offset
                    pcm[filled + offset] = place < samples.count ? samples[place] : 0
                }
            }
            filled += count
            position += count
        }
    }
}
