import CSpanDSP
package import KodamaSpeech

/// Wideband speech at 64 kbit/s after ITU-T G.722, as the recordings are stored.
public enum G722 {
    /// Samples per second of decoded sound.
    public static let sampleRateHertz = 16_000

    /// Decodes a whole recording; integers only, so the result is the same everywhere.
    ///
    /// libspandsp 0.0.6 wraps where louder sound than 16 bits can hold should saturate.
    ///
    /// - Parameter bytes: Mode 1 of G.722: each byte holds two samples. Any bytes are valid.
    /// - Returns: Twice as many samples at 16 kHz.
    public static func decode(_ bytes: [UInt8]) -> [Int16] {
        guard !bytes.isEmpty else { return [] }
        guard let state = g722_decode_init(nil, 64_000, 0) else {
            preconditionFailure("there is no memory for a G.722 decoder")
        }
        defer { g722_decode_free(state) }
        return [Int16](unsafeUninitializedCapacity: bytes.count * 2) { samples, count in
            guard let target = samples.baseAddress else { return }
            count = Int(g722_decode(state, target, bytes, Int32(bytes.count)))
        }
    }
}

extension SpeechCorpus {
    /// Loads recorded voices, decoded by `G722`.
    ///
    /// - Parameters:
    ///   - speakers: Whose voices; in the order of the result.
    ///   - amount: How much speech per voice is enough.
    ///   - folder: Where the packages' folders are.
    /// - Returns: At least half of `amount` for each voice.
    /// - Throws: What is missing, with the command that installs it.
    package static func load(
        _ speakers: [RecordedVoice] = RecordedVoice.allCases,
        amount: Duration = .seconds(180),
        from folder: String = packagedSounds
    ) throws(SpeechCorpusError) -> SpeechCorpus {
        try load(speakers, amount: amount, from: folder, decodedBy: G722.decode)
    }
}
