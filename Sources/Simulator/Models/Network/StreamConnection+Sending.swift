import SansIO

extension StreamConnection {
    mutating func send(
        _ message: StreamMessage,
        at now: Instant,
        into effects: inout EffectBuffer<StreamEffect>
    ) {
        switch phase {
        case .idle, .lookingUp, .handshaking:
            messagesWaiting.append(message)
        case .open:
            cut(message)
            pump(at: now, into: &effects)
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

    /// Sends as much as the window allows.
    mutating func pump(at now: Instant, into effects: inout EffectBuffer<StreamEffect>) {
        while underWay < min(window, pieces.count) {
            underWay += 1
            transmit(piece: underWay - 1, at: now, into: &effects)
        }
    }

    mutating func transmit(
        piece index: Int,
        at now: Instant,
        into effects: inout EffectBuffer<StreamEffect>
    ) {
        let sequence = firstUnacknowledged + UInt32(index)
        if sequence > highestSent {
            highestSent = sequence
            timed = timed ?? Timed(sequence: sequence, sent: now)
        } else {
            // Karn: an answer to a repeated segment cannot be told from one to the first.
            timed = nil
        }
        retransmitAt = retransmitAt ?? now.later(byNanoseconds: timer.timeout)
        owesAcknowledgement = false
        let segment = StreamSegment(
            pieces[index].kind,
            sequence: sequence,
            acknowledgement: expected
        )
        effects.append(.transmit(segment, wireBytes: pieces[index].wireBytes))
    }

    mutating func lookUp(at now: Instant, into effects: inout EffectBuffer<StreamEffect>) {
        retransmitAt = now.later(byNanoseconds: timer.timeout)
        effects.append(
            .transmit(
                StreamSegment(.lookup, sequence: 0, acknowledgement: 0),
                wireBytes: StreamSizes.lookup
            )
        )
    }

    /// The timer ran out: everything under way counts as lost, and one segment tries again.
    mutating func retransmit(at now: Instant, into effects: inout EffectBuffer<StreamEffect>) {
        timer.expire()
        guard timer.expiries <= Self.expiriesMax else { return end(.failed, into: &effects) }
        retransmitAt = nil
        // A resolver is asked again at the pace of a SYN; an assumption.
        guard phase != .lookingUp else { return lookUp(at: now, into: &effects) }
        slowStartUntil = max(underWay / 2, 2)
        window = 1
        windowCredit = 0
        underWay = 0
        duplicateAcknowledgements = 0
        recoveringUntil = nil
        pump(at: now, into: &effects)
    }

    /// The other side expects `number` next.
    mutating func acknowledged(
        upTo number: UInt32,
        isBare: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<StreamEffect>
    ) {
        guard number > firstUnacknowledged, number <= highestSent &+ 1 else {
            if isBare, number == firstUnacknowledged, underWay > 0 {
                countDuplicateAcknowledgement(at: now, into: &effects)
            }
            return
        }
        let count = Int(number - firstUnacknowledged)
        measure(upTo: number, at: now)
        pieces.removeFirst(count)
        firstUnacknowledged = number
        underWay = max(0, underWay - count)
        duplicateAcknowledgements = 0
        retransmitAt = nil
        timer.acknowledge()
        if let until = recoveringUntil, number <= until {
            // The next hole of the same window (RFC 6582).
            underWay = max(underWay, 1)
            transmit(piece: 0, at: now, into: &effects)
        } else {
            recoveringUntil = nil
            widenWindow(by: count)
        }
        if retransmitAt == nil, underWay > 0 {
            retransmitAt = now.later(byNanoseconds: timer.timeout)
        }
        pump(at: now, into: &effects)
    }

    private mutating func measure(upTo number: UInt32, at now: Instant) {
        if timer.expiries > 0, firstUnacknowledged == 1 {
            timer.loseSynchronize()
        }
        guard let timed, timed.sequence < number else { return }
        timer.measure(roundTrip: now.nanoseconds - timed.sent.nanoseconds)
        self.timed = nil
    }

    /// Slow start adds what was acknowledged, congestion avoidance one segment a window (RFC 5681).
    private mutating func widenWindow(by count: Int) {
        guard window >= slowStartUntil else {
            window = min(window + count, Self.windowMax)
            return
        }
        windowCredit += count
        guard windowCredit >= window else { return }
        windowCredit -= window
        window = min(window + 1, Self.windowMax)
    }

    /// The third duplicate says that the first segment is lost and later ones arrive (RFC 5681 §3.2).
    private mutating func countDuplicateAcknowledgement(
        at now: Instant,
        into effects: inout EffectBuffer<StreamEffect>
    ) {
        duplicateAcknowledgements += 1
        guard duplicateAcknowledgements == 3, recoveringUntil == nil else { return }
        recoveringUntil = highestSent
        slowStartUntil = max(underWay / 2, 2)
        window = slowStartUntil
        windowCredit = 0
        transmit(piece: 0, at: now, into: &effects)
    }
}

extension Instant {
    func later(byNanoseconds nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: self.nanoseconds + nanoseconds)
    }
}
