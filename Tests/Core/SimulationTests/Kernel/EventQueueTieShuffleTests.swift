@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Shuffled ties")
struct EventQueueTieShuffleTests {
    /// Sixty events in threes: three sources at each of twenty instants.
    private func order(tieShuffleSeed: UInt64?) -> [Int] {
        var queue = EventQueue<Int>(tieShuffleSeed: tieShuffleSeed)
        var sources = (0..<3).map { EventSource(component: $0) }
        for number in 0..<60 {
            let key = sources[number % 3].key(at: Instant(nanoseconds: Int64(number / 3)))
            queue.push(number, at: key)
        }
        return queue.drain()
    }

    @Test("Only events at one instant change places")
    func onlyTies() {
        #expect(order(tieShuffleSeed: nil) == Array(0..<60))
        for seed in 0..<50 as Range<UInt64> {
            #expect(order(tieShuffleSeed: seed).map { $0 / 3 } == (0..<60).map { $0 / 3 })
        }
    }

    @Test("A seed always gives the same order, and different seeds different ones")
    func seeds() {
        for seed in 0..<50 as Range<UInt64> {
            #expect(order(tieShuffleSeed: seed) == order(tieShuffleSeed: seed))
        }
        #expect(Set((0..<50).map { order(tieShuffleSeed: $0) }).count == 50)
    }

    @Test("A source's events stay in the order in which it made them")
    func sourceOrder() {
        for seed in 1..<200 as Range<UInt64> {
            var queue = EventQueue<Int>(tieShuffleSeed: seed)
            var sources = (0..<5).map { EventSource(rank: $0 % 2, component: $0) }
            let instant = Instant(nanoseconds: Int64(seed))
            for number in 0..<40 {
                queue.push(number, at: sources[number % 5].key(at: instant))
            }
            let order = queue.drain()
            for source in 0..<5 {
                let own = order.filter { $0 % 5 == source }
                #expect(own == own.sorted() && own.count == 8)
            }
        }
    }

    @Test("All orders of three tied events come up alike")
    func everyOrder() {
        var counts: [[Int]: Int] = [:]
        for seed in 0..<300 as Range<UInt64> {
            let drained = order(tieShuffleSeed: seed)
            for instant in 0..<20 {
                counts[drained[3 * instant..<3 * instant + 3].map { $0 % 3 }, default: 0] += 1
            }
        }
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        let observed = orders.map { counts[$0] ?? 0 }
        #expect(observed.reduce(0, +) == 6_000)
        let statistic = GoodnessOfFit.chiSquared(
            observed,
            shares: Array(repeating: 1.0 / 6, count: 6)
        )
        #expect(statistic < GoodnessOfFit.chiSquaredLimit(degreesOfFreedom: 5))
    }
}
