import KodamaSimulation
import SansIO

/// HOLD with a constant delay of 20 ms from 20 phases: a twentieth of the events at each instant.
struct HoldTies: Workload, ~Copyable {
    static let benchmark = Benchmark(
        name: "hold-ties",
        parameters: ["N", "EVENTS"],
        run: { numbers in
            var work = HoldTies(pending: numbers[0])
            return measure(&work, size: numbers[0], warmUp: numbers[0], events: numbers[1])
        },
        countAllocations: { size in
            var work = HoldTies(pending: size)
            return allocationsInSecondMillion(&work)
        }
    )

    private var queue = EventQueue<UInt64>()
    private var source = EventSource(component: 0)
    private var order = OrderChecksum()
    private(set) var workDone = 0

    init(pending: Int) {
        for number in 0..<pending {
            let instant = Instant(nanoseconds: Int64(number % 20) * 1_000_000)
            queue.push(UInt64(number), at: source.key(at: instant))
        }
    }

    var checksum: UInt64 { order.value }

    mutating func run(events: Int) {
        var order = order
        var source = source
        for _ in 0..<events {
            guard let (now, number) = queue.pop() else { break }
            order.add(UInt64(bitPattern: now.nanoseconds) &+ number)
            let next = Instant(nanoseconds: now.nanoseconds &+ 20_000_000)
            queue.push(number, at: source.key(at: next))
        }
        self.order = order
        self.source = source
        workDone += events
    }
}
