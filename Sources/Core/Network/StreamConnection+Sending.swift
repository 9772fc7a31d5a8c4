import SansIO

extension StreamConnection {
    mutating func send(_ message: StreamMessage, in turn: inout Turn<StreamEffect>) {
        switch phase {
        case .idle, .lookingUp, .handshaking:
            messagesWaiting.append(message)
        case .open:
            cut(message)
            pump(in: &turn)
        case .closing, .ended:
            break
        }
    }

    /// Cuts a message into segments; the last one carries it.
    mutating func cut(_ message: StreamMessage) {
        var rest = StreamSizes.inRecords(message.byteCount)
        while rest > StreamSizes.segmentPayload {
            append(.data(nil), payload: StreamSizes.segmentPayload)
            rest -= StreamSizes.segmentPayload
        }
        append(.data(message), payload: rest)
    }

    mutating func append(_ kind: StreamSegment.Kind, payload: Int) {
        pieces.append(Piece(kind: kind, wireBytes: StreamSizes.headers + payload))
    }

    /// How many segments are on their way, as far as is known.
    private var inFlight: Int {
        pieces[..<underWay].count { !$0.hasArrived && !$0.isLost }
    }

    /// How many segments, from the first that is not acknowledged on, need not wait.
    private var sendable: Int {
        guard let heldBehind, firstUnacknowledged <= heldBehind else { return pieces.count }
        return min(pieces.count, Int(heldBehind - firstUnacknowledged) + 1)
    }

    /// Sends as much as the window allows: what was lost, then what is new.
    mutating func pump(in turn: inout Turn<StreamEffect>) {
        restartWindow(at: turn.now)
        var room = window - inFlight
        for index in 0..<underWay where pieces[index].isLost && room > 0 {
            transmit(piece: index, in: &turn)
            room -= 1
        }
        while room > 0, underWay < min(sendable, Self.windowMax) {
            underWay += 1
            guard !pieces[underWay - 1].hasArrived else { continue }
            transmit(piece: underWay - 1, in: &turn)
            room -= 1
        }
        noteWindowUse(isLimited: room <= 0 && underWay < pieces.count)
    }

    /// After a pause of a time-out the window that was earned is halved for each one, down to the first
    /// one (RFC 5681 §4.1; Linux, `net/ipv4/tcp_output.c`, `tcp_cwnd_restart`).
    private mutating func restartWindow(at now: Instant) {
        guard underWay == 0, !pieces.isEmpty, let latestSend, window > Self.firstWindow else {
            return
        }
        var idle = now.nanoseconds - latestSend.nanoseconds - timer.timeout
        guard idle > 0 else { return }
        slowStartUntil = max(slowStartUntil, window * 3 / 4)
        while idle > 0, window > Self.firstWindow {
            window /= 2
            idle -= timer.timeout
        }
        window = max(window, Self.firstWindow)
    }

    /// Remembers how much of the window is used in a round trip: what is not used earns no more
    /// (RFC 7661 §4.3; Linux, `net/ipv4/tcp_output.c`, `tcp_cwnd_validate`).
    private mutating func noteWindowUse(isLimited: Bool) {
        let isNewRound = firstUnacknowledged > windowUse.until
        guard isNewRound || isLimited || (!windowUse.isLimited && underWay > windowUse.most) else {
            return
        }
        windowUse = WindowUse(most: underWay, isLimited: isLimited, until: highestSent)
    }

    mutating func transmit(piece index: Int, in turn: inout Turn<StreamEffect>) {
        let sequence = firstUnacknowledged + UInt32(index)
        if sequence > highestSent {
            highestSent = sequence
            timed = timed ?? Timed(sequence: sequence, sent: turn.now)
        } else {
            // Karn: an answer to a repeated segment cannot be told from one to the first.
            timed = nil
            pieces[index].isRepeated = true
        }
        pieces[index].sentAt = turn.now
        latestSend = turn.now
        pieces[index].isLost = false
        retransmitAt = retransmitAt ?? turn.now.later(byNanoseconds: timer.timeout)
        if !pieces[index].isRepeated { armProbe(at: turn.now) }
        owesAcknowledgement = false
        let segment = StreamSegment(
            pieces[index].kind,
            sequence: sequence,
            acknowledgement: expected,
            selective: selective
        )
        let wireBytes = pieces[index].wireBytes + StreamSizes.blocks(selective)
        turn.order(.transmit(segment, wireBytes: wireBytes))
    }

    /// The tail is probed after two round trips, and what a delayed acknowledgement may take if there is
    /// only one to come, or when the timer would run out if that is sooner: a probe comes before the
    /// first time-out (RFC 8985 §7.2; Linux, `net/ipv4/tcp_output.c`, `tcp_schedule_loss_probe`).
    private mutating func armProbe(at now: Instant) {
        probeAt = nil
        guard let smoothed = timer.smoothed, recoveringUntil == nil, timer.expiries == 0 else {
            return
        }
        let delay = inFlight <= 1 ? Self.acknowledgementDelayMax : 0
        let instant = now.later(byNanoseconds: max(2 * smoothed + delay, Self.probeWaitMin))
        probeAt = retransmitAt.map { min($0, instant) } ?? instant
    }

    /// Sends one segment more, new or the last one again, so that something is said of those before.
    mutating func probe(in turn: inout Turn<StreamEffect>) {
        if underWay < min(pieces.count, Self.windowMax) {
            underWay += 1
            transmit(piece: underWay - 1, in: &turn)
        } else if let last = pieces[..<underWay].lastIndex(where: { !$0.hasArrived }) {
            transmit(piece: last, in: &turn)
        }
        probeAt = nil
        retransmitAt = turn.now.later(byNanoseconds: timer.timeout)
    }

    mutating func lookUp(in turn: inout Turn<StreamEffect>) {
        retransmitAt = turn.now.later(byNanoseconds: timer.timeout)
        turn.order(
            .transmit(
                StreamSegment(.lookup, sequence: 0, acknowledgement: 0),
                wireBytes: StreamSizes.lookup
            )
        )
    }

    /// The timer ran out: everything under way counts as lost, and one segment tries again.
    mutating func retransmit(in turn: inout Turn<StreamEffect>) {
        timer.expire()
        guard timer.expiries <= Self.expiriesMax else { return end(.failed, in: &turn) }
        retransmitAt = nil
        // A resolver is asked again at the pace of a SYN; an assumption.
        guard phase != .lookingUp else { return lookUp(in: &turn) }
        slowStartUntil = max(underWay / 2, 2)
        window = 1
        windowCredit = 0
        underWay = 0
        recoveringUntil = nil
        reorderingAt = nil
        probeAt = nil
        for index in pieces.indices { pieces[index].isLost = false }
        pump(in: &turn)
    }

    /// The other side expects `acknowledgement` next, and has some that come after it.
    mutating func acknowledged(by segment: StreamSegment, in turn: inout Turn<StreamEffect>) {
        let number = segment.acknowledgement
        guard number >= firstUnacknowledged, number <= highestSent &+ 1 else { return }
        let count = Int(number - firstUnacknowledged)
        for index in 0..<count where !pieces[index].hasArrived {
            arrived(piece: index, at: turn.now)
        }
        if count > 0 { advance(by: count, to: number, at: turn.now) }
        for bit in 0..<min(64, max(0, pieces.count - 1))
        where segment.selective >> UInt64(bit) & 1 == 1 && number + 1 + UInt32(bit) <= highestSent {
            if !pieces[bit + 1].hasArrived { arrived(piece: bit + 1, at: turn.now) }
        }
        repair(in: &turn)
    }

    private mutating func advance(by count: Int, to number: UInt32, at now: Instant) {
        measure(upTo: number, at: now)
        pieces.removeFirst(count)
        firstUnacknowledged = number
        underWay = max(0, underWay - count)
        retransmitAt = nil
        probeAt = nil
        timer.acknowledge()
        if let until = recoveringUntil, number > until { recoveringUntil = nil }
        if recoveringUntil == nil { widenWindow(by: count) }
        guard underWay > 0 else { return }
        retransmitAt = now.later(byNanoseconds: timer.timeout)
        armProbe(at: now)
    }

    /// A segment has arrived; which of its sendings did is told by the round trip (RFC 8985 §6.2).
    private mutating func arrived(piece index: Int, at now: Instant) {
        let piece = pieces[index]
        pieces[index].hasArrived = true
        pieces[index].isLost = false
        let roundTrip = now.nanoseconds - piece.sentAt.nanoseconds
        guard !piece.isRepeated || roundTrip >= leastRoundTrip else { return }
        if !piece.isRepeated { leastRoundTrip = min(leastRoundTrip, roundTrip) }
        let sequence = firstUnacknowledged + UInt32(index)
        if let latestArrival,
            (piece.sentAt, sequence) < (latestArrival.sentAt, latestArrival.sequence)
        {
            return
        }
        latestArrival = LatestArrival(
            sentAt: piece.sentAt,
            sequence: sequence,
            roundTrip: roundTrip
        )
    }

    /// What was sent before a segment that has arrived, and has not come a reordering window later,
    /// is lost; a quarter of the shortest round trip unless three have come after it (RFC 8985 §6.2).
    mutating func repair(in turn: inout Turn<StreamEffect>) {
        reorderingAt = nil
        guard let latest = latestArrival else { return pump(in: &turn) }
        let arrivals = pieces[..<underWay].count(where: \.hasArrived)
        let isSure = arrivals >= 3 || recoveringUntil != nil
        let wait = latest.roundTrip + (isSure ? 0 : leastRoundTrip / 4)
        var hasLoss = false
        for index in 0..<underWay where !pieces[index].hasArrived && !pieces[index].isLost {
            let sent = (pieces[index].sentAt, firstUnacknowledged + UInt32(index))
            guard sent < (latest.sentAt, latest.sequence) else { continue }
            let due = pieces[index].sentAt.later(byNanoseconds: wait)
            if due <= turn.now {
                pieces[index].isLost = true
                hasLoss = true
            } else {
                reorderingAt = reorderingAt.map { min($0, due) } ?? due
            }
        }
        if hasLoss { recover() }
        pump(in: &turn)
    }

    /// A loss takes three tenths of the window, once for all that was under way: CUBIC, which Linux and
    /// Darwin use (RFC 9438 §4.6).
    private mutating func recover() {
        probeAt = nil
        guard recoveringUntil == nil else { return }
        recoveringUntil = highestSent
        slowStartUntil = max(min(window, underWay) * 7 / 10, 2)
        window = slowStartUntil
        windowCredit = 0
    }

    private mutating func measure(upTo number: UInt32, at now: Instant) {
        if timer.expiries > 0, firstUnacknowledged == 1 {
            timer.loseSynchronize()
        }
        guard let timed, timed.sequence < number else { return }
        timer.measure(roundTrip: now.nanoseconds - timed.sent.nanoseconds)
        self.timed = nil
    }

    /// Slow start adds what was acknowledged, congestion avoidance one segment a window (RFC 5681), if the
    /// window was used up, or half of it in slow start (Linux, `include/net/tcp.h`, `tcp_is_cwnd_limited`).
    private mutating func widenWindow(by count: Int) {
        let isSlowStart = window < slowStartUntil
        guard windowUse.isLimited || (isSlowStart && window < 2 * windowUse.most) else { return }
        guard !isSlowStart else {
            window = min(window + count, Self.windowMax)
            return
        }
        windowCredit += count
        guard windowCredit >= window else { return }
        windowCredit -= window
        window = min(window + 1, Self.windowMax)
    }
}

extension Instant {
    func later(byNanoseconds nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: self.nanoseconds + nanoseconds)
    }
}
