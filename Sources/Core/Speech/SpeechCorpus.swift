internal import Foundation
internal import KodamaSimulation

/// Recorded speech, cut into talk spurts at 16 kHz, and where it came from.
public struct SpeechCorpus: Sendable {
    /// One talk spurt as recorded.
    public struct Spurt: Sendable, Equatable {
        /// The recording's name below the voice's folder.
        public var recording: String
        /// The sound at 16 kHz.
        public var samples: [Int16]
    }

    /// The talk spurts of one speaker.
    public struct Voice: Sendable {
        /// Whose voice it is.
        public var speaker: RecordedVoice
        /// The package that holds the recordings.
        public var package: InstalledPackage
        /// The talk spurts, in the order in which they were taken.
        public var spurts: [Spurt]

        /// The recordings that the spurts are taken from, each once.
        public var recordings: [String] {
            spurts.map(\.recording).reduce(into: []) { names, name in
                if names.last != name { names.append(name) }
            }
        }

        /// How much speech there is.
        public var duration: Duration {
            let samples = spurts.reduce(0) { $0 + $1.samples.count }
            return .nanoseconds(Int64(samples) * 62_500)
        }
    }

    /// The voices, in the order in which they were asked for.
    public var voices: [Voice]

    /// The folder in which the voices' recordings lie unless another is given.
    public static let packagedSounds = RecordingStore.folder

    /// Loads recorded voices.
    ///
    /// The recordings of a voice are visited in an order drawn from their names alone, so that a
    /// bounded selection is varied, the same everywhere, and little changed by one more recording.
    ///
    /// - Parameters:
    ///   - speakers: Whose voices; in the order of the result.
    ///   - amount: How much speech per voice is enough.
    ///   - folder: Where the packages' folders are.
    ///   - decode: Makes samples at 16 kHz of a recording, which is speech at 64 kbit/s after ITU-T G.722.
    /// - Returns: At least half of `amount` for each voice.
    /// - Throws: What is missing, with the command that installs it.
    public static func load(
        _ speakers: [RecordedVoice] = RecordedVoice.allCases,
        amount: Duration = .seconds(180),
        from folder: String = packagedSounds,
        decodedBy decode: ([UInt8]) -> [Int16]
    ) throws(SpeechCorpusError) -> SpeechCorpus {
        var voices: [Voice] = []
        for speaker in speakers {
            let folder = "\(folder)/\(speaker.folder)"
            voices.append(try load(speaker, amount: amount, from: folder, decodedBy: decode))
        }
        return SpeechCorpus(voices: voices)
    }

    /// Samples per second of a decoded recording.
    private static let sampleRateHertz = 16_000

    /// What a recording stays within; a decoder's overflow is not sound.
    private static let trusted: ClosedRange<Int16> = -30_000...30_000

    private static func load(
        _ speaker: RecordedVoice,
        amount: Duration,
        from folder: String,
        decodedBy decode: ([UInt8]) -> [Int16]
    ) throws(SpeechCorpusError) -> Voice {
        let names = recordings(in: folder)
        guard !names.isEmpty else {
            throw .missingRecordings(speaker, folder: folder)
        }
        var voice = Voice(
            speaker: speaker,
            package: InstalledPackage(
                named: speaker.packageName,
                statusFile: RecordingStore.statusFile
            ),
            spurts: []
        )
        let wanted = Int(amount / .nanoseconds(62_500))
        var taken = 0
        for name in names where taken < wanted {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw .unreadableRecording(path: "\(folder)/\(name)")
            }
            let samples = decode([UInt8](bytes))
            guard samples.allSatisfy({ trusted.contains($0) }) else { continue }
            for range in TalkSpurts.cut(samples, sampleRateHertz: sampleRateHertz) {
                voice.spurts.append(Spurt(recording: name, samples: Array(samples[range])))
                taken += range.count
            }
        }
        guard taken * 2 >= wanted else {
            throw .tooLittleSpeech(speaker, milliseconds: taken / 16)
        }
        return voice
    }

    /// The names of the speech recordings below `folder`, in their drawn order.
    private static func recordings(in folder: String) -> [String] {
        guard let files = FileManager.default.enumerator(atPath: folder) else { return [] }
        var names: [String] = []
        for case let name as String in files where name.hasSuffix(".g722") && isSpeech(name) {
            names.append(name)
        }
        let ranked = names.map { name in
            (rank: RandomStream(seed: 0, purpose: "corpus", entity: name).bits(at: 0), name: name)
        }
        return ranked.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.map(\.name)
    }

    /// Whether a recording's name speaks of speech rather than of tones, silence or beasts.
    static func isSpeech(_ name: String) -> Bool {
        let words = name.lowercased().split { !("a"..."z").contains($0) }
        let others: Set<Substring> = [
            "beep", "beeperr", "monkeys", "music", "ring", "ringing", "screech", "silence", "tone",
        ]
        return words.allSatisfy { !others.contains($0) }
    }
}
