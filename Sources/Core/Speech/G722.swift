internal import CSpanDSP

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
