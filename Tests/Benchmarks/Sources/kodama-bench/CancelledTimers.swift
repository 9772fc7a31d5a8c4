import KodamaSimulation
import SansIO

/// Sessions that work after exponential delays of mean 1 s; each work puts the session's time-out off
/// to 0.7 s ahead, so half of the time-outs fire.
///
/// Counted are works and fired time-outs. A time-out that was put off stays in the queue with a
/// generation that is no longer its session's, and is skipped when popped.
struct CancelledTimers: Workload, ~Copyable {
    static let benchmark = Benchmark(
        name: "cancel",
        parameters: ["N", "EVENTS"],
        run: { numbers in
            var work = CancelledTimers(sessions: numbers[0])
            return measure(&work, size: numbers[0], warmUp: 2 * numbers[0], events: numbers[1])
        },
        countAllocations: { size in
            var work = CancelledTimers(sessions: size)
            return allocationsInSecondMillion(&work)
        }
    )

    private struct Event: BitwiseCopyable {
        var session: UInt32
        /// The arming of a time-out, from 1; 0 is work.
        var generation: UInt32
    }

    private static let timeoutNanoseconds: Int64 = 700_000_000

    private var queue = EventQueue<Event>()
    private var source = EventSource(component: 0)
    private var random = BenchmarkRandom(seed: 42)
    private let generations: UnsafeMutablePointer<UInt32>
    private var order = OrderChecksum()
    private(set) var workDone = 0

    init(sessions: Int) {
        generations = .allocate(capacity: sessions)
        generations.initialize(repeating: 0, count: sessions)
        for session in 0..<sessions {
            let instant = Instant(nanoseconds: random.exponential(mean: 1e9))
            let event = Event(session: UInt32(session), generation: 0)
            queue.push(event, at: source.key(at: instant))
        }
    }

    deinit {
        generations.deallocate()
    }

    var checksum: UInt64 { order.value }

    mutating func run(events: Int) {
        var random = random
        var order = order
        var source = source
        var remaining = events
        while remaining > 0, let (now, event) = queue.pop() {
            let instant = UInt64(bitPattern: now.nanoseconds) &+ UInt64(event.session)
            let generation = generations + Int(event.session)
            if event.generation > 0 {
                guard event.generation == generation.pointee else { continue }
                remaining &-= 1
                order.add(instant &+ 77)
                continue
            }
            remaining &-= 1
            order.add(instant)
            generation.pointee &+= 1
            queue.push(
                Event(session: event.session, generation: generation.pointee),
                at: source.key(
                    at: Instant(nanoseconds: now.nanoseconds &+ Self.timeoutNanoseconds)
                )
            )
            let next = Instant(nanoseconds: now.nanoseconds &+ random.exponential(mean: 1e9))
            queue.push(event, at: source.key(at: next))
        }
        self.random = random
        self.order = order
        self.source = source
        workDone += events - remaining
    }
}
