import KodamaRecordings
import Testing

@Suite("G.722")
struct G722Tests {
    @Test("Each byte holds two samples at 16 kHz")
    func lengths() {
        #expect(G722.decode([]).isEmpty)
        #expect(G722.decode([UInt8](repeating: 0xFA, count: 500)).count == 1_000)
    }

    @Test("The decoder agrees bit for bit with another maker's")
    func otherDecoder() {
        // Decoded from the same bytes by FFmpeg 5.1's G.722 decoder.
        let expected: [Int16] = [
            -1, 0, 0, -1, -1, 1, -1, -3, 0, 6, -6, -28, -13, 4, 14, -13, -18, -17, 14, 7, -33, -105,
            -40, 76, 61, -103, -92, -3, 73, 2, -86, -169, 118, 452, 19, -784, -394, 813, 684, -674,
            -865, 116, 612, 71, -569, -676, 604, 2_113, 684, -2_352, -1_866, 1_585, 1_877, -1_286,
            -2_079, 44, 1_345, 418, -887, -1_287, 670, 3_290, 1_445, -2_936,
        ]
        let bytes = (0..<32).map { UInt8(($0 * 37 + 11) % 256) }
        #expect(G722.decode(bytes) == expected)
    }
}
