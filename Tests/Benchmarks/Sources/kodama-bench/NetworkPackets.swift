import KodamaSimulation
import SansIO

/// The packet workload once more, each stream through a whole link: a rate with its queue,
/// Gilbert–Elliott loss, jitter with reordering, statistics.
///
/// Its draws are the link's own, so its checksum is its own, too.
struct NetworkPackets: Workload, ~Copyable {
    static let benchmark = Benchmark(
        name: "packet-network",
        parameters: ["SECONDS"],
        run: { numbers in
            var work = NetworkPackets(seconds: numbers[0])
            return measure(&work, size: numbers[0], warmUp: 0, events: .max)
        },
        countAllocations: { size in
            var work = NetworkPackets(seconds: size)
            return allocationsInSecondMillion(&work)
        }
    )

    private struct Packet: BitwiseCopyable {
        var number: UInt32
        var stream: UInt16
        var hasArrived: Bool
    }

    private static let streamCount = 30
    private static let periodNanoseconds: Int64 = 20_000_000
    /// A sealed voice frame of 60 bytes with its headers.
    private static let packetBytes = 120

    private var queue = EventQueue<Packet>()
    private var source = EventSource(component: 0)
    private var links: [Link]
    private let end: Int64
    private var order = OrderChecksum()
    private(set) var workDone = 0

    init(seconds: Int) {
        end = Int64(seconds) * 1_000_000_000
        var direction = LinkDirection()
        direction.capacity = .rate(DataRate(bitsPerSecond: 1_000_000))
        direction.loss = .gilbertElliott(
            p: Probability(partsPerMillion: 17_500),
            r: Probability(partsPerMillion: 333_333),
            lossGood: .zero,
            lossBad: .one
        )
        direction.delay = .milliseconds(30)
        direction.jitter = .uniform(most: .milliseconds(20))
        direction.allowsReordering = true
        links = (0..<Self.streamCount).map { Link(direction, seed: 42, name: "stream \($0)") }
        for number in 0..<Self.streamCount {
            var random = BenchmarkRandom(seed: 1_000 + UInt64(number))
            let phase = Int64(random.below(UInt64(Self.periodNanoseconds)))
            queue.push(
                Packet(number: 0, stream: UInt16(number), hasArrived: false),
                at: source.key(at: Instant(nanoseconds: phase))
            )
        }
    }

    var checksum: UInt64 {
        var checksum = order
        for link in links { checksum.add(UInt64(link.statistics.delivered)) }
        return checksum.value
    }

    mutating func run(events: Int) {
        for _ in 0..<events {
            guard let (now, packet) = queue.pop() else { break }
            if packet.hasArrived {
                let stream = UInt64(packet.stream) << 32
                order.add(UInt64(bitPattern: now.nanoseconds) &+ stream &+ UInt64(packet.number))
            } else if now.nanoseconds < end {
                tick(packet, at: now)
            }
        }
    }

    private mutating func tick(_ packet: Packet, at now: Instant) {
        workDone &+= 1
        var next = packet
        next.number &+= 1
        let due = Instant(nanoseconds: now.nanoseconds &+ Self.periodNanoseconds)
        queue.push(next, at: source.key(at: due))
        let verdict = links[Int(packet.stream)].send(bytes: Self.packetBytes, at: now)
        guard let arrival = verdict.arrival else { return }
        let flying = Packet(number: packet.number, stream: packet.stream, hasArrived: true)
        queue.push(flying, at: source.key(at: arrival.instant))
    }
}
