@testable import KodamaIntercom
import SansIOTesting
import Testing

@Suite("The window of capture indices")
struct IndexWindowTests {
    @Test("It tells what a set of all indices tells, for the last 8,128", arguments: 1...10)
    func model(seed: Int) {
        var random = LawRandom(seed: UInt64(seed))
        var window = IndexWindow()
        var all: Set<Int64> = []
        var highest: Int64 = 0
        for _ in 0..<20_000 {
            let leap = random.chance(percent: 1) ? 20_000 : 12
            let index = max(0, highest + Int64(random.below(leap)) - Int64(random.below(9_000)))
            let wasThere = all.contains(index)
            let insertion = window.insert(index)
            let isRight = insertion == (wasThere ? .duplicate : .new) && window.contains(index)
            if index > highest - 8_128, !isRight {
                Issue.record("\(index) after \(highest) was taken as \(insertion)")
            }
            all.insert(index)
            highest = max(highest, index)
        }
        #expect(window.latest == highest)
    }

    @Test("What was never inserted is not there")
    func empty() {
        var window = IndexWindow()
        #expect(!window.contains(0))
        #expect(window.insert(0) == .new)
        #expect(window.insert(0) == .duplicate)
        #expect(window.insert(-1) == .stale)
        #expect(!window.contains(1))
        #expect(window.insert(100_000) == .new)
        #expect(window.insert(0) == .stale)
    }
}
