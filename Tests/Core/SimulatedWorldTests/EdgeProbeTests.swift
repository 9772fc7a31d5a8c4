@testable import KodamaIntercom
import Testing

@Suite("What a phone's speaker is given at the edges of talk spurts (D-14)")
struct EdgeProbeTests {
    /// A triangle of 200 Hz and 6,000 units, whose steps are 100.
    private static func sound(from start: Int) -> [Int16] {
        (start..<start + 480).map { Int16(abs($0 % 240 - 120) * 100 - 6_000) }
    }

    /// Two seconds of one member's sound, then silence from `offset` in the block after it, and what
    /// the probe finds, with `others` who sound as well.
    private static func end(at offset: Int, others: [Int] = []) -> [SpurtEdge] {
        var probe = EdgeProbe()
        var found: [SpurtEdge] = []
        for block in 0..<210 {
            var samples = sound(from: block * 480)
            if block == 200 {
                for index in offset..<480 { samples[index] = 0 }
                probe.add([offset], isSounding: true, of: 3)
            } else if block > 200 {
                samples = Array(repeating: 0, count: 480)
            } else {
                probe.add(block == 0 ? [0] : [], isSounding: true, of: 3)
            }
            for other in others { probe.add([], isSounding: true, of: other) }
            samples.withUnsafeBufferPointer { probe.sound($0) { found.append($0) } }
        }
        return found
    }

    @Test(
        "A hard end is a step of what sounded last, wherever it lies",
        arguments: [0, 1, 100, 479]
    )
    func hardEnd(offset: Int) throws {
        let found = Self.end(at: offset)
        #expect(found.count == 1)
        let edge = try #require(found.last)
        #expect(edge.peer == 3)
        let last = Int(Self.sound(from: 200 * 480 - 480 + offset)[479])
        #expect(edge.step == max(abs(last), 100))
        // Steps are counted in bins of eight.
        #expect(edge.usualStep == 103)
        #expect(edge.levelBefore > 10_000_000)
        #expect(edge.levelAfter == 0)
    }

    @Test("An edge beside which another member is heard does not count")
    func masked() {
        #expect(Self.end(at: 100, others: [5]).isEmpty)
    }
}
