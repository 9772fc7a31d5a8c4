/// RFC 8289's queue as the RFC has it: packets wait, and are judged when the transmitter is free.
///
/// Slow and obvious on purpose; `Link` decides the same on arrival.
struct ReferenceCoDel {
    struct Packet {
        var number: Int
        var arrival: Int64
        var bytes: Int
    }

    let target: Int64
    let interval: Int64
    let nanosecondsPerByte: Int64
    /// Whether a queue of at most one packet is never dropped from, as the RFC wants it.
    let sparesLastPacket: Bool

    private var queue: [Packet] = []
    private var head = 0
    private var queuedBytes = 0
    private var largestBytes = 0
    private var firstAboveTime: Int64 = 0
    private var dropNext: Int64 = 0
    private var count: Int64 = 0
    private var lastCount: Int64 = 0
    private var isDropping = false

    init(target: Int64, interval: Int64, nanosecondsPerByte: Int64, sparesLastPacket: Bool) {
        self.target = target
        self.interval = interval
        self.nanosecondsPerByte = nanosecondsPerByte
        self.sparesLastPacket = sparesLastPacket
    }

    /// When each packet's last bit is sent; `nil` for a dropped one.
    mutating func departures(of packets: [Packet]) -> [Int64?] {
        var departures = [Int64?](repeating: nil, count: packets.count)
        var next = 0
        var now: Int64 = 0
        while next < packets.count || head < queue.count {
            if head == queue.count {
                now = max(now, packets[next].arrival)
            }
            while next < packets.count, packets[next].arrival <= now {
                enqueue(packets[next])
                next += 1
            }
            guard let sent = dequeue(at: now) else { continue }
            now += Int64(sent.bytes) * nanosecondsPerByte
            departures[sent.number] = now
            let hasMore = next < packets.count && packets[next].arrival <= now
            if head == queue.count, !hasMore {
                _ = dequeue(at: now)
            }
        }
        return departures
    }

    private mutating func enqueue(_ packet: Packet) {
        largestBytes = max(largestBytes, packet.bytes)
        queue.append(packet)
        queuedBytes += packet.bytes
    }

    private mutating func doDequeue(at now: Int64) -> (packet: Packet?, mayDrop: Bool) {
        guard head < queue.count else {
            firstAboveTime = 0
            return (nil, false)
        }
        let packet = queue[head]
        head += 1
        queuedBytes -= packet.bytes
        let isShort = sparesLastPacket && queuedBytes <= largestBytes
        if now - packet.arrival < target || isShort {
            firstAboveTime = 0
        } else if firstAboveTime == 0 {
            firstAboveTime = now + interval
        } else if now >= firstAboveTime {
            return (packet, true)
        }
        return (packet, false)
    }

    private mutating func dequeue(at now: Int64) -> Packet? {
        var (packet, mayDrop) = doDequeue(at: now)
        if isDropping {
            if !mayDrop {
                isDropping = false
            }
            while now >= dropNext, isDropping {
                (packet, mayDrop) = doDequeue(at: now)
                if mayDrop {
                    count += 1
                    dropNext = controlLaw(dropNext)
                } else {
                    isDropping = false
                }
            }
        } else if mayDrop {
            (packet, _) = doDequeue(at: now)
            isDropping = true
            let delta = count - lastCount
            count = delta > 1 && now - dropNext < 16 * interval ? delta : 1
            dropNext = controlLaw(now)
            lastCount = count
        }
        return packet
    }

    private func controlLaw(_ instant: Int64) -> Int64 {
        instant + Int64((Double(interval) / Double(count).squareRoot()).rounded(.down))
    }
}
