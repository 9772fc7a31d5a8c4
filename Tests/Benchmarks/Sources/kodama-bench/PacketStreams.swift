import KodamaSimulation
import SansIO

/// Six nodes, 30 streams of 50 packets a second, 40 ms ± 10 ms of delay, 5 % of loss.
///
/// The ticks are all scheduled 20 ms ahead.
struct PacketStreams: Workload, ~Copyable {
    static let benchmark = Benchmark(
        name: "packet",
        parameters: ["SECONDS"],
        run: { numbers in
            var work = PacketStreams(seconds: numbers[0])
            return measure(&work, size: numbers[0], warmUp: 0, events: .max)
        },
        countAllocations: { size in
            var work = PacketStreams(seconds: size)
            return allocationsInSecondMillion(&work)
        }
    )

    private struct Packet: BitwiseCopyable {
        var sentNanoseconds: Int64
        var number: UInt32
        var stream: UInt16
        var hasArrived: Bool
    }

    private struct Stream {
        var random: BenchmarkRandom
        var sent: UInt32 = 0
        var received: UInt64 = 0
    }

    private static let nodeCount = 6
    private static let streamCount = nodeCount * (nodeCount - 1)
    private static let delayBinCount = 128
    private static let periodNanoseconds: Int64 = 20_000_000
    private static let leastDelayNanoseconds: Int64 = 30_000_000
    private static let jitterNanoseconds: UInt64 = 20_000_000
    /// 5 % of 2⁶⁴.
    private static let lossThreshold: UInt64 = 922_337_203_685_477_580

    private var queue = EventQueue<Packet>()
    private var source = EventSource(component: 0)
    private let streams: UnsafeMutablePointer<Stream>
    /// Per receiving node, packets by delay in whole milliseconds.
    private let delays: UnsafeMutablePointer<UInt64>
    private let end: Int64
    private var order = OrderChecksum()
    private(set) var workDone = 0

    init(seconds: Int) {
        end = Int64(seconds) * 1_000_000_000
        streams = .allocate(capacity: Self.streamCount)
        delays = .allocate(capacity: Self.nodeCount * Self.delayBinCount)
        delays.initialize(repeating: 0, count: Self.nodeCount * Self.delayBinCount)
        for number in 0..<Self.streamCount {
            var random = BenchmarkRandom(seed: 1_000 + UInt64(number))
            let phase = Int64(random.below(UInt64(Self.periodNanoseconds)))
            (streams + number).initialize(to: Stream(random: random))
            queue.push(
                Packet(sentNanoseconds: 0, number: 0, stream: UInt16(number), hasArrived: false),
                at: source.key(at: Instant(nanoseconds: phase))
            )
        }
    }

    deinit {
        streams.deallocate()
        delays.deallocate()
    }

    var checksum: UInt64 {
        var checksum = order
        for stream in 0..<Self.streamCount { checksum.add(streams[stream].received) }
        for bin in 0..<Self.nodeCount * Self.delayBinCount { checksum.add(delays[bin]) }
        return checksum.value
    }

    mutating func run(events: Int) {
        for _ in 0..<events {
            guard let (now, packet) = queue.pop() else { break }
            if packet.hasArrived {
                receive(packet, at: now.nanoseconds)
            } else if now.nanoseconds < end {
                tick(packet, at: now.nanoseconds)
            }
        }
    }

    @inline(__always)
    private mutating func tick(_ packet: Packet, at now: Int64) {
        let stream = streams + Int(packet.stream)
        let number = stream.pointee.sent
        stream.pointee.sent &+= 1
        workDone &+= 1
        let next = Instant(nanoseconds: now &+ Self.periodNanoseconds)
        queue.push(packet, at: source.key(at: next))
        guard stream.pointee.random.next() >= Self.lossThreshold else { return }
        let jitter = stream.pointee.random.below(Self.jitterNanoseconds &+ 1)
        let delay = Self.leastDelayNanoseconds &+ Int64(bitPattern: jitter)
        let flying = Packet(
            sentNanoseconds: now,
            number: number,
            stream: packet.stream,
            hasArrived: true
        )
        queue.push(flying, at: source.key(at: Instant(nanoseconds: now &+ delay)))
    }

    @inline(__always)
    private mutating func receive(_ packet: Packet, at now: Int64) {
        let number = Int(packet.stream)
        let sender = number / (Self.nodeCount - 1)
        let other = number % (Self.nodeCount - 1)
        let receiver = other >= sender ? other &+ 1 : other
        streams[number].received &+= 1
        let milliseconds = Int((now &- packet.sentNanoseconds) / 1_000_000)
        delays[receiver &* Self.delayBinCount &+ milliseconds & (Self.delayBinCount - 1)] &+= 1
        order.add(UInt64(bitPattern: now) &+ UInt64(number) << 32 &+ UInt64(packet.number))
    }
}
