#if os(Linux) && arch(x86_64)
import OpusSearch
import Testing

@Suite("The search for pulses within libopus")
struct OpusSearchTests {
    @Test("libopus chooses the same pulses on every processor, those of its own C (HN-01)")
    func sameOnEveryProcessor() {
        var state: UInt64 = 11
        for round in 0..<20_000 {
            let pulseCount = Int32(next(&state) % 30 + 1)
            let values = (0..<Int(next(&state) % 40 + 4)).map { _ in
                Float(Int64(next(&state) % 2_001) - 1_000) / 1_000
            }
            #expect(
                search(values, pulseCount, op_pvq_search_sse2)
                    == search(values, pulseCount, op_pvq_search_c),
                "round \(round)"
            )
        }
    }

    private typealias Search = (
        UnsafeMutablePointer<Float>?, UnsafeMutablePointer<Int32>?, Int32, Int32, Int32
    ) -> Float

    /// The pulses, and their energy as its bits.
    private func search(_ values: [Float], _ pulseCount: Int32, _ search: Search) -> [UInt32] {
        // libopus's own search writes up to three values beyond the last.
        var values = values + [0, 0, 0]
        let count = values.count - 3
        var pulses = [Int32](repeating: 0, count: values.count)
        let energy = search(&values, &pulses, pulseCount, Int32(count), 0)
        return pulses[..<count].map(UInt32.init(bitPattern:)) + [energy.bitPattern]
    }
}
#endif
