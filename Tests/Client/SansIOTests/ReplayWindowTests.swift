import SansIO
import SansIOTesting
import Testing

struct SerialNumberTests {
    @Test("Serial numbers are ordered over the wrap, and half a circle is behind both ways")
    func order() {
        #expect(SerialNumber(3).distance(ahead: SerialNumber(.max - 1)) == 5)
        #expect(SerialNumber(.max - 1).distance(ahead: SerialNumber(3)) == -5)
        #expect(SerialNumber(0).distance(ahead: SerialNumber(1 << 31)) == .min)
        #expect(SerialNumber(1 << 31).distance(ahead: SerialNumber(0)) == .min)
        #expect(SerialNumber(.max).advanced(by: 2) == SerialNumber(1))
    }

    @Test("Unwrapped numbers follow a counter over many wraps, reordering included")
    func unwrap() {
        var random = LawRandom(seed: 3)
        var unwrapper = SerialUnwrapper()
        var place = Int64(UInt32.max) - 5
        #expect(unwrapper.unwrap(SerialNumber(.max - 5)) == place)
        for _ in 0..<2000 {
            place += Int64(random.below(1 << 30))
            #expect(unwrapper.unwrap(SerialNumber(UInt32(truncatingIfNeeded: place))) == place)
            let late = place - Int64(random.below(1000))
            #expect(unwrapper.unwrap(SerialNumber(UInt32(truncatingIfNeeded: late))) == late)
        }
    }
}

struct ReplayWindowTests {
    /// The obvious implementation: all numbers ever seen, and the greatest.
    private struct Reference {
        var seen: Set<Int64> = []
        var greatest = Int64.min

        mutating func admit(_ number: Int64) -> ReplayWindow.Verdict {
            if greatest != .min, number <= greatest - Int64(ReplayWindow.length) { return .stale }
            greatest = max(greatest, number)
            return seen.insert(number).inserted ? .first : .duplicate
        }
    }

    @Test(
        "Over a million packets no duplicate passes and no first arrival is refused (S-HO-004, K-14)",
        arguments: [1, 2] as [UInt64]
    )
    func millionPackets(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var window = ReplayWindow()
        var reference = Reference()
        var newest = Int64(UInt32.max) - 400_000  // so that the counter wraps on the way
        var wrong = 0
        var verdicts = [0, 0, 0]
        for _ in 0..<1_000_000 {
            var number = newest
            switch random.below(100) {
            case 0..<60:
                newest += 1
                number = newest
            case 60..<61:
                newest += Int64(random.below(400))
                number = newest
            case 61..<80: number -= Int64(random.below(20))
            default: number -= Int64(random.below(400))
            }
            let sequence = SerialNumber(UInt32(truncatingIfNeeded: number))
            let foretold = window.verdict(for: sequence)
            let verdict = window.admit(sequence)
            if verdict != reference.admit(number) || foretold != verdict { wrong += 1 }
            verdicts[verdict == .first ? 0 : verdict == .duplicate ? 1 : 2] += 1
        }
        #expect(wrong == 0)
        #expect(newest > Int64(UInt32.max), "the counter did not wrap")
        #expect(verdicts.allSatisfy { $0 > 10_000 }, "a verdict hardly occurred: \(verdicts)")
    }

    @Test("What lies 255 back is still told apart, 256 back is stale (trap 7)")
    func length() {
        var window = ReplayWindow()
        #expect(window.admit(SerialNumber(1000)) == .first)
        #expect(window.admit(SerialNumber(745)) == .first)
        #expect(window.admit(SerialNumber(745)) == .duplicate)
        #expect(window.admit(SerialNumber(744)) == .stale)
        #expect(window.admit(SerialNumber(1256)) == .first)
        #expect(window.admit(SerialNumber(1000)) == .stale)
        #expect(window.admit(SerialNumber(1001)) == .first)
    }
}
