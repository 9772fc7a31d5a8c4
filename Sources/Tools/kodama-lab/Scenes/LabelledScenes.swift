import AudioProcessing
import KodamaHarness
import KodamaSpeech
import SansIO

/// Recordings of people in noise whose truth is known, to judge speech detectors by.
///
/// One clean scene, and one for each noise at 20, 10, 5 and 0 dB. In each a person talks as in one
/// half of a conversation after ITU-T P.59, the voices in turn.
struct LabelledScenes: Sendable {
    /// What a scene is made of.
    struct Condition: Sendable, Equatable {
        /// The scene's name, such as `wind_05`.
        var name: String
        /// The noise, if there is any.
        var noise: NoiseBed.Kind?
        /// By how many decibels the speech is louder than the noise.
        var decibels: Int?
    }

    /// All conditions, in the order in which scenes are made.
    static let conditions: [Condition] =
        [Condition(name: "clean")]
        + NoiseBed.Kind.allCases.flatMap { kind in
            [20, 10, 5, 0].map { decibels in
                let digits = decibels < 10 ? "0\(decibels)" : "\(decibels)"
                return Condition(
                    name: "\(kind.rawValue)_\(digits)",
                    noise: kind,
                    decibels: decibels
                )
            }
        }

    /// The voices.
    var material: SpeechMaterial
    /// How long each scene is; more than 3 s.
    var seconds: Int
    /// The draw of speech and noise.
    var seed: UInt64

    /// Plans scenes.
    init(material: SpeechMaterial, seconds: Int, seed: UInt64) {
        self.material = material
        self.seconds = seconds
        self.seed = seed
    }

    /// Makes one scene.
    ///
    /// - Parameter number: A place in `conditions`.
    /// - Returns: The sound at 48 kHz, and the talk spurts in samples of it.
    func scene(_ number: Int) -> (sound: WaveFile, speech: [Range<Int64>]) {
        let condition = Self.conditions[number]
        let voice = material.voice(forPlace: number)
        let person = "scene \(condition.name)"
        let end = Instant.zero.advanced(by: .seconds(seconds - 1))
        let turns = Conversation.turns(
            between: person,
            and: "nobody",
            seed: seed,
            from: Instant.zero.advanced(by: .seconds(1)),
            until: end
        ).first
        let count = seconds * 48_000
        let track = TalkTrack(
            person: person,
            material: material,
            pieces: Conversation.fill(turns, with: voice, person: person, seed: seed, until: end),
            surroundings: NoiseLoop(
                beds(of: condition),
                around: person,
                voice: voice,
                material: material,
                seed: seed,
                sampleCount: count
            )
        )
        var reader = track.makeReader()
        let samples = [Int16](unsafeUninitializedCapacity: count) { buffer, written in
            let whole = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
            withExtendedLifetime(track) { reader.read(frameAt: 0, into: whole) }
            written = count
        }
        return (WaveFile(sampleRateHertz: 48_000, samples: samples), track.speech)
    }

    private func beds(of condition: Condition) -> [NoiseBed] {
        guard let noise = condition.noise, let decibels = condition.decibels else { return [] }
        return [NoiseBed(noise, .signalToNoise(milliDecibels: decibels * 1_000))]
    }

    /// The same sound at 16 kHz, in time with the one at 48 kHz.
    static func narrowed(_ sound: WaveFile) -> WaveFile {
        var resampler = Resampler(.from48To16Kilohertz)
        let delay = resampler.groupDelaySamples
        let padded = sound.samples + [Int16](repeating: 0, count: delay * 3)
        let delayed = [Int16](unsafeUninitializedCapacity: padded.count / 3) { buffer, written in
            written = padded.count / 3
            let whole = UnsafeMutableBufferPointer(rebasing: buffer[..<written])
            padded.withUnsafeBufferPointer { resampler.process($0, into: whole) }
        }
        return WaveFile(sampleRateHertz: 16_000, samples: Array(delayed[delay...]))
    }

    /// The truth file of a scene, as `SceneTruth` reads it.
    func truth(_ number: Int, _ speech: [Range<Int64>]) -> String {
        let condition = Self.conditions[number]
        func milliseconds(_ sample: Int64) -> String { PlotNumber.text(Int(sample), over: 48) }
        let spurts = speech.map {
            "[\(milliseconds($0.lowerBound)), \(milliseconds($0.upperBound))]"
        }
        return """
            {
             "name": "\(condition.name)",
             "noise": \(condition.noise.map { "\"\($0.rawValue)\"" } ?? "null"),
             "snr_db": \(condition.decibels.map { "\($0)" } ?? "null"),
             "seconds": \(seconds),
             "seed": \(seed),
             "voice": "\(material.voice(forPlace: number).name)",
             "speech_ms": [
              \(spurts.joined(separator: ",\n  "))
             ]
            }

            """
    }
}
