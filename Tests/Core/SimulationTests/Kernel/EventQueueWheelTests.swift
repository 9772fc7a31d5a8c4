@testable import KodamaSimulation
import SansIO
import Testing

/// How far ahead of the present a test schedules its events.
enum Delays: CaseIterable {
    case none, few, exponentialGaps, bimodal, farFuture, monotone, short

    func next(_ stream: inout RandomStream, number: Int) -> Int64 {
        switch self {
        case .none: 0
        case .few: Int64(stream.uniform(below: 4)) * 1_000_000
        case .exponentialGaps: Int64(1) << stream.uniform(below: 60)
        case .bimodal:
            stream.uniform(below: 10) > 0
                ? Int64(stream.uniform(below: 1_000)) : 3_600_000_000_000
        case .farFuture: Int64(1) << 61 - Int64(stream.uniform(below: 1_000_000))
        case .monotone: Int64(number) * 1_000
        case .short: Int64(stream.uniform(below: 1 << 20))
        }
    }
}

@Suite("Event queue with many events pending")
struct EventQueueWheelTests {
    @Test(
        "Events pop as from a sorted array while their number crosses the wheel's limits to and fro",
        arguments: Delays.allCases,
        [1, 2, 3] as [UInt64]
    )
    func model(delays: Delays, seed: UInt64) throws {
        var stream = RandomStream(seed: seed, purpose: "test", entity: "wheel")
        var queue = EventQueue<Int>()
        var model = SortedQueueModel()
        var sources = (0..<40).map { EventSource(rank: $0 % 3, component: $0 * 97) }
        var number = 0
        for most in [1_500, 300, 90, 700, 40, 2_000] {
            for isGrowing in [true, false] {
                while isGrowing ? queue.count < most : queue.count > most / 30 {
                    if stream.uniform(below: 4) < (isGrowing ? 3 : 1) {
                        // Far delays reach the end of the time line; what lies behind comes at once.
                        let delay = delays.next(&stream, number: number)
                        let (instant, overflows) = queue.now.nanoseconds
                            .addingReportingOverflow(delay)
                        let ahead = overflows ? queue.now.nanoseconds : min(instant, .max - 1)
                        let source = Int(stream.uniform(below: 40))
                        let key = sources[source].key(at: Instant(nanoseconds: ahead))
                        queue.push(number, at: key)
                        model.push(number, at: key)
                        number += 1
                    } else {
                        let isLimited = stream.uniform(below: 4) == 0
                        let reach = Int64(1) << stream.uniform(below: 40)
                        let limit =
                            isLimited && queue.now.nanoseconds < .max - reach
                            ? queue.now.nanoseconds + reach : .max - 1
                        let popped = queue.pop(through: Instant(nanoseconds: limit))?.payload
                        let expected = model.pop(through: limit)
                        try #require(popped == expected, "event \(number)")
                    }
                    let counts = (queue.count, model.pending.count)
                    try #require(counts.0 == counts.1)
                }
            }
        }
        while let expected = model.pop(through: .max - 1) {
            let popped = queue.pop()?.payload
            try #require(popped == expected)
        }
        let isDrained = queue.checkDrained()
        #expect(isDrained)
    }

    @Test("100,000 events at one instant pop in the order of their keys", arguments: [false, true])
    func storm(isInOrder: Bool) {
        var queue = EventQueue<Int>()
        let count = 100_000
        for number in 0..<count {
            // A permutation, since 77,777 and 100,000 have no common divisor.
            let component = isInOrder ? number : number * 77_777 % count
            var source = EventSource(rank: 1, component: component)
            queue.push(component, at: source.key(at: Instant(nanoseconds: 1 << 40)))
        }
        let drained = queue.drain()
        #expect(drained == Array(0..<count))
    }

    @Test("Events that a storm's handlers schedule at its instant take their places in it")
    func stormWithinStorm() {
        var queue = EventQueue<Int>()
        let count = 20_000
        let instant = Instant(nanoseconds: 5_000_000)
        for component in 0..<count {
            var source = EventSource(component: component)
            queue.push(2 * component, at: source.key(at: instant))
        }
        var order: [Int] = []
        while let (_, payload) = queue.pop() {
            order.append(payload)
            guard payload % 2 == 0 else { continue }
            // The answer comes right behind the event of a component further on.
            let other = payload / 2 + (payload / 2 * 7_919 % 5_000)
            let tieOrder = UInt64(other) << 36 | UInt64(payload) | 1
            let key = EventKey(instant: instant, tieOrder: tieOrder)
            queue.push(2 * other + 1, at: key)
        }
        let components = order.map { $0 / 2 }
        #expect(components == components.sorted())
        #expect(order.count == 2 * count)
    }

    @Test("A shuffled tie is the same among few events and among many")
    func shuffledTies() {
        func order(_ components: [Int]) -> [Int] {
            var queue = EventQueue<Int>(tieShuffleSeed: 7)
            for component in components {
                var source = EventSource(component: component)
                queue.push(component, at: source.key(at: Instant(nanoseconds: 9)))
            }
            return queue.drain()
        }
        let many = order(Array(0..<5_000))
        #expect(many.sorted() == Array(0..<5_000))
        #expect(many.filter { $0 < 100 } == order(Array(0..<100)))
    }

    @Test("Events scheduled before those that a limited pop looked at come first")
    func beforeTheHorizon() {
        var queue = EventQueue<Int>()
        var source = EventSource(component: 0)
        for number in 0..<2_000 {
            let instant = Instant(nanoseconds: 1 << 50 + Int64(number) << 20)
            queue.push(10_000 + number, at: source.key(at: instant))
        }
        for round in 0..<3 {
            let none = queue.pop(through: Instant(nanoseconds: 1 << 50 - 1))?.payload
            #expect(none == nil)
            for number in (0..<1_000).reversed() {
                let instant = Instant(nanoseconds: Int64(round) << 30 + Int64(number) << 10)
                queue.push(number, at: source.key(at: instant))
            }
            var popped: [Int] = []
            for _ in 0..<1_000 { if let (_, number) = queue.pop() { popped.append(number) } }
            #expect(popped == Array(0..<1_000))
        }
        let rest = queue.drain()
        #expect(rest == Array(10_000..<12_000))
    }

    @Test("The end of time as a limit limits nothing and makes up no event")
    func noLimit() {
        var queue = EventQueue<Int>()
        let end = Instant(nanoseconds: .max)
        let none = queue.pop(through: end)?.payload
        #expect(none == nil)
        var source = EventSource(component: 0)
        queue.push(1, at: source.key(at: Instant(nanoseconds: .max - 1)))
        let popped = [queue.pop(through: end)?.payload, queue.pop(through: end)?.payload]
        #expect(popped == [1, nil])
    }

    @Test("Memory that events have left is used again, round after round")
    func memory() {
        var queue = EventQueue<Int>()
        var stream = RandomStream(seed: 1, purpose: "test", entity: "memory")
        var source = EventSource(component: 0)
        var chunkCounts: [Int] = []
        for _ in 0..<8 {
            for number in 0..<20_000 {
                let delay = Int64(stream.uniform(below: 1 << 40))
                let instant = Instant(nanoseconds: queue.now.nanoseconds + delay)
                queue.push(number, at: source.key(at: instant))
            }
            while queue.pop() != nil {}
            chunkCounts.append(queue.wheel.chunks.total)
        }
        // A later round may find its events spread a little wider, not more.
        #expect(chunkCounts[0] > 0)
        #expect(chunkCounts[7] <= chunkCounts[0] * 5 / 4, "\(chunkCounts)")
    }

    @Test("Two events with one key trap among many, too")
    func equalKeys() async {
        await #expect(processExitsWith: .failure) {
            var queue = EventQueue<Int>()
            for number in 0..<1_000 as Range<UInt64> {
                let key = EventKey(instant: Instant(nanoseconds: 3), tieOrder: number)
                queue.push(1, at: key)
                if number == 500 { queue.push(2, at: key) }
            }
            while queue.pop() != nil {}
        }
    }
}

/// Pending events sorted at each push, the next one last.
struct SortedQueueModel {
    private(set) var pending: [(instant: Int64, tieOrder: UInt64, payload: Int)] = []

    mutating func push(_ payload: Int, at key: EventKey) {
        let new = (key.instant.nanoseconds, key.tieOrder, payload)
        var (low, high) = (0, pending.count)
        while low < high {
            let middle = (low + high) / 2
            if pending[middle] > new { low = middle + 1 } else { high = middle }
        }
        pending.insert(new, at: low)
    }

    mutating func pop(through limit: Int64) -> Int? {
        guard let next = pending.last, next.instant <= limit else { return nil }
        return pending.removeLast().payload
    }
}
