/// Talk spurts ready for a microphone: 48 kHz, alike in level, in one block of memory.
///
/// Each spurt has an active speech level of −26 dBov (measured as in ITU-T P.56; the level customary
/// for speech samples in ITU-T tests), less where peaks would clip, and fades of 2 ms at its edges.
/// Whoever uses material MUST print `description` where results are reported.
public final class SpeechMaterial: @unchecked Sendable, CustomStringConvertible {
    // Sendable although it holds a pointer: after `init` nothing is written.

    /// Where a talk spurt lies in the material.
    @frozen
    public struct Spurt: Sendable, Equatable, BitwiseCopyable {
        /// The index of its first sample in the material.
        public var offset: Int
        /// How many samples at 48 kHz it has.
        public var sampleCount: Int
    }

    /// One speaker's spurts.
    public struct Voice: Sendable, Equatable {
        /// The name in scenarios, such as "en-f".
        public var name: String
        /// The spurts, in a fixed order.
        public var spurts: [Spurt]
        /// The mean square of all spurts: the active speech level as a power, of at most 2^30.
        ///
        /// After ITU-T P.56, for pauses under 200 ms belong to a spurt. All of it lies below 8 kHz.
        public var meanSquare: Double
    }

    /// The voices; at least one, each with at least one spurt.
    public let voices: [Voice]
    /// What the sound is and where it came from, in one line.
    public let description: String
    /// All samples; valid as long as this object lives.
    let samples: UnsafeMutableBufferPointer<Int16>

    /// Prepares recorded speech.
    ///
    /// - Parameter corpus: What was recorded.
    /// - Returns: Its voices under their names, such as "en-f".
    public static func recorded(_ corpus: SpeechCorpus) -> SpeechMaterial {
        let voices = corpus.voices.map { voice in
            (name: voice.speaker.rawValue, spurts: voice.spurts.map(\.samples))
        }
        let origins = corpus.voices.map { voice in
            let seconds = voice.duration.components.seconds
            return "\(voice.speaker.rawValue) \(seconds) s from \(voice.package)"
        }
        return SpeechMaterial(
            voices,
            description: "recorded speech: " + origins.joined(separator: ", ")
        )
    }

    /// The names of the built-in voices.
    public static var syntheticVoiceNames: [String] { SyntheticVoice.all.map(\.name) }

    /// Whether the voices are built in, spoken by no person.
    public var isSynthetic: Bool { voices.map(\.name) == Self.syntheticVoiceNames }

    /// Makes the built-in voices, which no person has spoken.
    ///
    /// For machines without recordings, when the user has asked for it: never chosen by itself.
    ///
    /// - Parameter spurtsPerVoice: How many different spurts each voice has.
    /// - Returns: The voices "synthetic-low" and "synthetic-high".
    public static func synthetic(spurtsPerVoice: Int = 60) -> SpeechMaterial {
        SpeechMaterial(
            SyntheticVoice.all.map { (name: $0.name, spurts: $0.spurts(count: spurtsPerVoice)) },
            description: "SYNTHETIC speech: formant-like pulses, spoken by no person"
        )
    }

    /// Prepares spurts given at 16 kHz.
    init(_ voices: [(name: String, spurts: [[Int16]])], description: String) {
        precondition(
            !voices.isEmpty && voices.allSatisfy { !$0.spurts.isEmpty },
            "speech material needs at least one voice and one spurt of each"
        )
        let total = voices.flatMap(\.spurts).reduce(0) { $0 + $1.count * 3 }
        samples = .allocate(capacity: total)
        samples.initialize(repeating: 0)
        var offset = 0
        var placed: [Voice] = []
        for voice in voices {
            var spurts: [Spurt] = []
            var squares = 0.0
            for spurt in voice.spurts {
                let room = samples[offset..<offset + spurt.count * 3]
                squares += SpurtPreparation.prepare(
                    spurt,
                    into: UnsafeMutableBufferPointer(rebasing: room)
                )
                spurts.append(Spurt(offset: offset, sampleCount: room.count))
                offset += room.count
            }
            let count = spurts.reduce(0) { $0 + $1.sampleCount }
            placed.append(
                Voice(name: voice.name, spurts: spurts, meanSquare: squares / Double(count))
            )
        }
        self.voices = placed
        self.description = description
    }

    deinit {
        samples.deallocate()
    }

    /// The voice of this name, if there is one.
    ///
    /// - Parameter name: Such as "it-m".
    /// - Returns: `nil` for an unknown name; `voices` tells the known ones.
    public func voice(named name: String) -> Voice? {
        voices.first { $0.name == name }
    }

    /// The voice of the person at a place, where none is named: the voices in turn.
    ///
    /// - Parameter place: The person's place in the scenario, from 0.
    /// - Returns: One of `voices`.
    public func voice(forPlace place: Int) -> Voice {
        voices[place % voices.count]
    }

    /// Gives the samples of one spurt to `body`.
    ///
    /// - Parameters:
    ///   - spurt: A spurt of this material.
    ///   - body: MUST NOT keep the buffer.
    /// - Returns: What `body` returns.
    public func withSamples<Result>(
        of spurt: Spurt,
        _ body: (UnsafeBufferPointer<Int16>) -> Result
    ) -> Result {
        let range = spurt.offset..<spurt.offset + spurt.sampleCount
        return body(UnsafeBufferPointer(rebasing: samples[range]))
    }
}
