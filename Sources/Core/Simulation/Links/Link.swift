public import SansIO

/// One direction of a link: says of each packet, at once, when and how it arrives.
///
/// The stages, in order: interface and disruptions · largest packet · queue and capacity · loss ·
/// delay, jitter and order · duplication · corruption. A lost packet has used the capacity; it
/// vanishes on the air.
///
/// A verdict is final. What is done to the link later touches later packets only: packets already
/// queued when the link is stopped, jammed or changed still arrive as they were told.
///
/// Every chance belongs to a packet's number: each impairment has a stream of its own, and packet
/// `i` meets the same draws whatever else is switched on (common random numbers).
public struct Link: Sendable, Equatable {
    /// The link's and direction's name, such as `aoi-phone/ren-phone forward`.
    public let name: String
    /// What the link does to packets.
    public private(set) var direction: LinkDirection
    /// What it has done so far.
    public private(set) var statistics = LinkStatistics()
    /// Whether the interface is up; what is sent while it is down is dropped.
    public var isUp = true
    /// How many packets vanish besides those that the loss model takes: what two radios far from each
    /// other lose in fades.
    public var fading = Probability.zero

    // Durations and instants are whole nanoseconds, converted once.
    private var seed: UInt64
    private var packetNumber: UInt64 = 0
    private var stoppedUntil: Int64 = .min
    private var jammedUntil: Int64 = .min
    private var slowedUntil: Int64 = .min
    private var slowedBy: Int64 = 0
    private var lastSend = Instant.zero
    private var lastEntry: Int64 = 0
    private var lastArrival: Int64 = 0
    private var drain: Drain
    private var controlledDelay: ControlledDelay?
    private var loss: LossProcess
    private var delay: Int64
    private var jitter: JitterProcess
    private var fadingStream: RandomStream
    private var duplicationStream: RandomStream
    private var corruptionStream: RandomStream

    /// Makes an idle link.
    ///
    /// - Parameters:
    ///   - direction: What the link does to packets; without faults.
    ///   - seed: The run's seed.
    ///   - name: The name that keys the link's random numbers: unlike those of all other links.
    public init(_ direction: LinkDirection, seed: UInt64, name: String) {
        Self.check(direction, name: name)
        self.name = name
        self.direction = direction
        self.seed = seed
        drain = Drain(direction.capacity)
        controlledDelay = ControlledDelay(direction.queue)
        loss = LossProcess(
            direction.loss,
            stream: RandomStream(seed: seed, purpose: "loss", entity: name)
        )
        delay = direction.delay.wholeNanoseconds
        jitter = JitterProcess(
            direction.jitter,
            stream: RandomStream(seed: seed, purpose: "jitter", entity: name)
        )
        fadingStream = RandomStream(seed: seed, purpose: "fading", entity: name)
        duplicationStream = RandomStream(seed: seed, purpose: "duplication", entity: name)
        corruptionStream = RandomStream(seed: seed, purpose: "corruption", entity: name)
    }

    /// Sends a packet and says what becomes of it.
    ///
    /// - Parameters:
    ///   - bytes: Its size, from 0 to 1 GiB.
    ///   - now: The instant, not negative, no earlier than that of the packet before.
    /// - Returns: The arrivals of its copies, or why there are none.
    public mutating func send(bytes: Int, at now: Instant) -> LinkOutcome {
        precondition((0...1 << 30).contains(bytes), "a packet of \(bytes) bytes is impossible")
        precondition(now >= lastSend, "\(name): a packet sent before the last one")
        lastSend = now
        let number = packetNumber
        packetNumber += 1
        statistics.sent += 1
        statistics.sentBytes += bytes
        let isLost = loss.takes(packet: number) || fades(packet: number)

        guard isUp, now.nanoseconds >= stoppedUntil else { return drop(.down) }
        if let maximumBytes = direction.maximumBytes, bytes > maximumBytes {
            return drop(.tooLarge)
        }
        switch queue(bytes: bytes, sentAt: now.nanoseconds) {
        case .dropped(let reason):
            return drop(reason)
        case .leaves(let departure):
            guard !isLost else { return drop(.loss) }
            let slowing = now.nanoseconds < slowedUntil ? slowedBy : 0
            return deliver(packet: number, bytes: bytes, leavingAt: departure, slowing: slowing)
        }
    }

    /// Counts a packet that a filter takes before it reaches the link; no chance is drawn for it.
    public mutating func block(bytes: Int) {
        statistics.sent += 1
        statistics.sentBytes += bytes
        statistics.countDrop(.blocked)
    }

    /// Lets so many packets' worth of chance go by without a packet: the loss chain steps on.
    ///
    /// A chain that was fitted to a packet every 20 ms says nothing of a sender who falls silent;
    /// without this a burst of ten losses would wait for ten packets, however long they take to come.
    public mutating func skip(packets count: Int) {
        for _ in 0..<count {
            _ = loss.takes(packet: packetNumber)
            packetNumber += 1
        }
    }

    /// Disrupts the link from now until just before `end`.
    ///
    /// Disruptions of different kinds add up. A later one of the same kind prolongs the first, or
    /// ends it with its own end if it slows by another amount.
    public mutating func disrupt(_ disruption: LinkDisruption, until end: Instant) {
        switch disruption {
        case .stopped:
            stoppedUntil = max(stoppedUntil, end.nanoseconds)
        case .jammed:
            jammedUntil = max(jammedUntil, end.nanoseconds)
        case .slowed(let duration):
            precondition(duration.isLinkDelay, "\(name) cannot be slowed by \(duration)")
            slowedBy = duration.wholeNanoseconds
            slowedUntil = end.nanoseconds
        }
    }

    /// Gives the link another behaviour for the packets to come.
    ///
    /// A stage whose parameters stay the same goes on where it was; a new capacity starts idle.
    /// Packet numbers, the loss chain's state, disruptions, statistics and the order of arrival
    /// carry over.
    public mutating func change(to direction: LinkDirection) {
        Self.check(direction, name: name)
        if direction.capacity != self.direction.capacity {
            drain = Drain(direction.capacity)
        }
        if direction.queue != self.direction.queue {
            controlledDelay = ControlledDelay(direction.queue)
        }
        loss.model = direction.loss
        delay = direction.delay.wholeNanoseconds
        if direction.jitter != self.direction.jitter {
            let stream = RandomStream(seed: seed, purpose: "jitter", entity: name)
            jitter = JitterProcess(direction.jitter, stream: stream)
        }
        self.direction = direction
    }

    /// Lets chance draw by another seed from the next packet on; what a chain remembers carries over.
    public mutating func draw(by seed: UInt64) {
        self.seed = seed
        loss.stream = RandomStream(seed: seed, purpose: "loss", entity: name)
        jitter.stream = RandomStream(seed: seed, purpose: "jitter", entity: name)
        duplicationStream = RandomStream(seed: seed, purpose: "duplication", entity: name)
        corruptionStream = RandomStream(seed: seed, purpose: "corruption", entity: name)
    }

    private static func check(_ direction: LinkDirection, name: String) {
        let faults = direction.faults
        precondition(faults.isEmpty, "\(name): \(faults.joined(separator: "; "))")
    }
}

// MARK: - Stages

extension Link {
    private enum Departure {
        case leaves(at: Int64)
        case dropped(LinkDropReason)
    }

    /// Takes the packet through queue and transmitter.
    private mutating func queue(bytes: Int, sentAt now: Int64) -> Departure {
        // A jam holds packets before the queue. Later ones never pass them, not even if it is
        // ended early.
        lastEntry = max(now, jammedUntil, lastEntry)
        switch drain {
        case .unlimited:
            return .leaves(at: lastEntry)
        case .rate(var rate):
            rate.advance(to: lastEntry)
            defer { drain = .rate(rate) }
            return queue(bytes: bytes, sentAt: now, for: &rate)
        case .opportunities(var opportunities):
            opportunities.advance(to: lastEntry)
            defer { drain = .opportunities(opportunities) }
            return queue(bytes: bytes, sentAt: now, for: &opportunities)
        }
    }

    private mutating func queue(
        bytes: Int,
        sentAt now: Int64,
        for transmitter: inout some Transmitter
    ) -> Departure {
        guard !transmitter.hasUnsent(moreThan: direction.queue.limitBytes - bytes) else {
            return .dropped(.queueFull)
        }
        if controlledDelay?.drops(bytes: bytes, sentAt: now, before: transmitter) == true {
            return .dropped(.queueManaged)
        }
        return .leaves(at: transmitter.transmit(bytes: bytes))
    }

    /// Takes the packet over the air.
    private mutating func deliver(
        packet number: UInt64,
        bytes: Int,
        leavingAt departure: Int64,
        slowing: Int64
    ) -> LinkOutcome {
        statistics.delivered += 1
        statistics.deliveredBytes += bytes
        let first = arrival(
            packet: number,
            isCopy: false,
            bytes: bytes,
            leavingAt: departure,
            slowing: slowing
        )
        guard isDuplicated(packet: number) else { return .delivered(first) }
        statistics.duplicated += 1
        let second = arrival(
            packet: number,
            isCopy: true,
            bytes: bytes,
            leavingAt: departure,
            slowing: slowing
        )
        return .duplicated(first, second)
    }

    private mutating func arrival(
        packet number: UInt64,
        isCopy: Bool,
        bytes: Int,
        leavingAt departure: Int64,
        slowing: Int64
    ) -> Arrival {
        var instant = departure + delay + slowing
        instant += jitter.jitter(packet: number, isCopy: isCopy, leavingAt: departure)
        // A packet that others may overtake holds none of them back, also once order is kept again.
        if !direction.allowsReordering {
            instant = max(instant, lastArrival)
            lastArrival = instant
        }
        return Arrival(
            instant: Instant(nanoseconds: instant),
            corruptedBit: corruptedBit(packet: number, isCopy: isCopy, bytes: bytes)
        )
    }

    private mutating func fades(packet number: UInt64) -> Bool {
        guard fading > .zero else { return false }
        fadingStream.index = number
        return fadingStream.bernoulli(fading)
    }

    private mutating func isDuplicated(packet number: UInt64) -> Bool {
        guard direction.duplication > .zero else { return false }
        duplicationStream.index = number
        return duplicationStream.bernoulli(direction.duplication)
    }

    /// Four draws belong to a packet: whether and which bit, for the packet and for its copy.
    private mutating func corruptedBit(packet number: UInt64, isCopy: Bool, bytes: Int) -> Int? {
        guard direction.corruption > .zero, bytes > 0 else { return nil }
        corruptionStream.index = 4 &* number &+ (isCopy ? 2 : 0)
        guard corruptionStream.bernoulli(direction.corruption) else { return nil }
        statistics.corrupted += 1
        return Int(corruptionStream.uniform(below: UInt64(bytes) * 8))
    }

    private mutating func drop(_ reason: LinkDropReason) -> LinkOutcome {
        statistics.countDrop(reason)
        return .dropped(reason)
    }
}
