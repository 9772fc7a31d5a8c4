import KodamaSimulation
import SansIO

/// HOLD (Jones, CACM 1986): every event schedules one more after an exponential delay of mean 1 s.
struct HoldExponential: Workload, ~Copyable {
    static let benchmark = Benchmark(
        name: "hold-exp",
        parameters: ["N", "EVENTS"],
        run: { numbers in
            var work = HoldExponential(pending: numbers[0])
            return measure(&work, size: numbers[0], warmUp: numbers[0], events: numbers[1])
        },
        countAllocations: { size in
            var work = HoldExponential(pending: size)
            return allocationsInSecondMillion(&work)
        }
    )

    private var queue = EventQueue<UInt64>()
    private var source = EventSource(component: 0)
    private var random = BenchmarkRandom(seed: 42)
    private var order = OrderChecksum()
    private(set) var workDone = 0

    init(pending: Int) {
        for number in 0..<pending {
            let instant = Instant(nanoseconds: random.exponential(mean: 1e9))
            queue.push(UInt64(number), at: source.key(at: instant))
        }
    }

    var checksum: UInt64 { order.value }

    mutating func run(events: Int) {
        var random = random
        var order = order
        var source = source
        for _ in 0..<events {
            guard let (now, number) = queue.pop() else { break }
            order.add(UInt64(bitPattern: now.nanoseconds) &+ number)
            let delay = random.exponential(mean: 1e9)
            let next = Instant(nanoseconds: now.nanoseconds &+ delay)
            queue.push(number, at: source.key(at: next))
        }
        self.random = random
        self.order = order
        self.source = source
        workDone += events
    }
}
