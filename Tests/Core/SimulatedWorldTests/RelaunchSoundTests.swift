import AppCoordination
import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaSpeech
@testable import KodamaWorld
import SansIO
import Testing
import VoiceActivity

@Suite("The sound of a process that follows another one")
struct RelaunchSoundTests {
    /// A phone at which a person talks, and what its speaker plays.
    private static func phone() throws -> (sound: RealSound, tape: Tape) {
        let material = SpeechMaterial.synthetic()
        let pieces = Monologue.pieces(
            of: material.voice(forPlace: 0),
            person: "mika",
            seed: 1,
            from: .zero,
            lasting: .seconds(20)
        )
        let tape = Tape()
        let sound = try RealSound(
            configuration: IntercomConfiguration(),
            peers: 1,
            microphone: MicrophoneFeed([
                TalkTrack(person: "mika", material: material, pieces: pieces)
            ]),
            tap: tape
        )
        return (sound, tape)
    }

    /// Judges and encodes frames of the microphone and plays them back.
    ///
    /// - Returns: All judgements and packets.
    private static func talk(_ numbers: Range<Int64>, by sound: RealSound) -> [Int] {
        let frame = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_920, alignment: 16)
        let packet = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_275, alignment: 16)
        defer {
            frame.deallocate()
            packet.deallocate()
        }
        var found: [Int] = []
        for number in numbers {
            let start = Instant(nanoseconds: number * 20_000_000)
            let end = Instant(nanoseconds: (number + 1) * 20_000_000)
            let decision = sound.capture(from: start, to: end, into: frame)
            let size = sound.encode(
                frame,
                captureIndex: number,
                from: start,
                to: end,
                into: packet
            )
            let bytes = UnsafeMutableRawBufferPointer(rebasing: packet[..<size])
            sound.play(bytes, of: 0, samples: SoundHardware.samplesPerFrame)
            found += [Int(decision.score), Int(decision.threshold)] + bytes.map { Int($0) }
            for _ in 0..<2 { sound.render(at: start) { _ in } }
        }
        return found
    }

    @Test("A relaunched intercom judges, encodes and plays as at its first launch, twice in a row")
    func relaunched() throws {
        let (used, usedTape) = try Self.phone()
        let app = IntercomSound(
            of: ComponentIndex(1),
            members: [ComponentIndex(2)],
            device: used,
            keepsBytes: true
        )
        _ = Self.talk(0..<200, by: used)
        let (former, _) = try Self.phone()
        _ = Self.talk(0..<200, by: former)
        for launch in 1...2 as ClosedRange<Int64> {
            let frames = launch * 200..<launch * 200 + 200
            // Sound waits for the speaker when the process ends.
            used.conceal(of: 0, samples: SoundHardware.samplesPerFrame)
            app.clear()
            #expect(used.pendingSamples(of: 0) == 0)
            let before = usedTape.samples.count
            let (fresh, freshTape) = try Self.phone()
            let expected = Self.talk(frames, by: fresh)
            #expect(Self.talk(frames, by: used) == expected)
            #expect(Array(usedTape.samples[before...]) == freshTape.samples)
            #expect(Self.talk(frames, by: former) != expected, "what was heard before matters")
        }
    }
}
