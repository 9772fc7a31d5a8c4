@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Event queue")
struct EventQueueTests {
    static let seeds: [UInt64] = Array(1...20)

    @Test("An empty queue has no next event")
    func empty() {
        var queue = EventQueue<Int>()
        let isEmpty = queue.checkDrained()
        #expect(isEmpty)
        var source = EventSource(component: 0)
        queue.push(1, at: source.key(at: Instant(nanoseconds: 5)))
        queue.push(2, at: source.key(at: Instant(nanoseconds: 4)))
        let state = (queue.count, queue.isEmpty, queue.now)
        #expect(state == (2, false, .zero))
        let payloads = queue.drain()
        #expect(payloads == [2, 1])
        let isDrained = queue.checkDrained()
        #expect(isDrained)
        let now = queue.now
        #expect(now == Instant(nanoseconds: 5))
    }

    @Test("Events pop in the order of their keys, as from a sorted array", arguments: seeds)
    func model(seed: UInt64) throws {
        var stream = RandomStream(seed: seed, purpose: "test", entity: "queue")
        // Few instants make ties, many make depth.
        let spread = UInt64(1) << stream.uniform(below: 12)
        let growth = Probability(partsPerMillion: Int32(stream.uniform(in: 450_000...600_000)))
        var queue = EventQueue<Int>()
        var model = EventQueueModel()
        var sources = (0..<5).map { EventSource(rank: $0 % 3, component: $0) }
        for number in 0..<2_000 {
            if stream.bernoulli(growth) {
                let source = Int(stream.uniform(below: 5))
                let nanoseconds = queue.now.nanoseconds + Int64(stream.uniform(below: spread))
                let key = sources[source].key(at: Instant(nanoseconds: nanoseconds))
                model.push(number, at: key)
                queue.push(number, at: key)
            } else {
                let limit = Instant(
                    nanoseconds: queue.now.nanoseconds + Int64(stream.uniform(below: spread))
                )
                let popped = queue.pop(through: limit)
                let expected = model.pop(through: limit)
                let agree =
                    popped?.payload == expected?.payload && popped?.instant == expected?.instant
                try #require(agree, "step \(number)")
            }
            let counts = (queue.count, model.pending.count)
            try #require(counts.0 == counts.1, "step \(number)")
        }
        let rest = (queue.drain(), model.drain())
        #expect(rest.0 == rest.1)
        let isDrained = queue.checkDrained()
        #expect(isDrained)
    }

    @Test("A thousand events and more make the heap grow without losing one")
    func growth() {
        var queue = EventQueue<Int>()
        var source = EventSource(component: 0)
        let count = 5_000
        for number in 0..<count {
            // A permutation, since 1,237 and 5,000 have no common divisor.
            queue.push(
                0,
                at: source.key(at: Instant(nanoseconds: Int64(number * 1_237 % count) * 2))
            )
            queue.push(1, at: source.key(at: Instant(nanoseconds: Int64(number) * 2 + 1)))
        }
        var instants: [Int64] = []
        var strays = 0
        while let (instant, payload) = queue.pop() {
            if instant.nanoseconds % 2 != Int64(payload) { strays += 1 }
            instants.append(instant.nanoseconds)
        }
        #expect(instants == Array(0..<Int64(count * 2)))
        #expect(strays == 0)
    }

    @Test("Events of one source at one instant pop in the order they were pushed")
    func firstInFirstOut() {
        var queue = EventQueue<Int>()
        var source = EventSource(component: 7)
        for number in 0..<300 {
            queue.push(number, at: source.key(at: Instant(nanoseconds: 9)))
        }
        let drained = queue.drain()
        #expect(drained == Array(0..<300))
    }

    @Test("Another source's events do not reorder the others", arguments: seeds)
    func independence(seed: UInt64) {
        func order(withVisitor: Bool) -> [Int] {
            var stream = RandomStream(seed: seed, purpose: "test", entity: "independence")
            var queue = EventQueue<Int>()
            var sources = (0..<4).map { EventSource(component: 2 * $0) }
            var visitor = EventSource(component: 3)
            for number in 0..<400 {
                let source = Int(stream.uniform(below: 4))
                let instant = Instant(nanoseconds: Int64(stream.uniform(below: 20)))
                queue.push(number, at: sources[source].key(at: instant))
                if withVisitor { queue.push(-1, at: visitor.key(at: instant)) }
            }
            return queue.drain().filter { $0 >= 0 }
        }
        #expect(order(withVisitor: true) == order(withVisitor: false))
    }

    @Test("An event may be scheduled for the present, even before the one being handled")
    func present() {
        var queue = EventQueue<Int>()
        var (early, late) = (EventSource(rank: 0, component: 0), EventSource(rank: 1, component: 0))
        queue.push(1, at: late.key(at: Instant(nanoseconds: 5)))
        queue.push(3, at: late.key(at: Instant(nanoseconds: 5)))
        let first = queue.pop()
        queue.push(2, at: early.key(at: Instant(nanoseconds: 5)))
        #expect(first?.payload == 1)
        let drained = queue.drain()
        #expect(drained == [2, 3])
    }

    @Test("Events after the limit stay")
    func limit() {
        var queue = EventQueue<Int>()
        var source = EventSource(component: 0)
        queue.push(1, at: source.key(at: Instant(nanoseconds: 10)))
        queue.push(2, at: source.key(at: Instant(nanoseconds: 20)))
        let popped = [9, 10, 19, 20].map { queue.pop(through: Instant(nanoseconds: $0))?.payload }
        #expect(popped == [nil, 1, nil, 2])
    }

    @Test("A pending event of 8 bytes takes 24")
    func size() {
        #expect(EventQueue<UInt64>.bytesPerEvent == 24)
    }
}
