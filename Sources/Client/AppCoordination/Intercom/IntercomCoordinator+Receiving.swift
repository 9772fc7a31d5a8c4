import PeerTransport
import SansIO

/// What the receiver keeps for one member.
struct PeerReception: Sendable, Equatable {
    /// The member.
    let peer: PeerID
    /// Which frames have been heard of, over all paths (S-HO-004).
    var window = ReplayWindow()
    /// The frames that wait to be played.
    var buffer: JitterBuffer
    /// Counts capture indices on where the wire's 32 bits wrap.
    var captureIndices = SerialUnwrapper()
    /// The member's latest keepalive: when it was sent by its clock, and when it came.
    var latestKeepalive: (sentMicroseconds: UInt32, arrived: Instant)?
    /// The round trip that the member's latest echo showed.
    var roundTripMicroseconds: UInt32?

    init(peer: PeerID, configuration: JitterBuffer.Configuration) {
        self.peer = peer
        buffer = JitterBuffer(configuration: configuration)
    }

    /// The latest keepalive as it is given back at `now`.
    func echo(at now: Instant) -> Keepalive.Echo? {
        latestKeepalive.map { keepalive in
            let held = (now.nanoseconds - keepalive.arrived.nanoseconds) / 1_000
            return Keepalive.Echo(
                sentMicroseconds: keepalive.sentMicroseconds,
                heldMicroseconds: UInt32(truncatingIfNeeded: held)
            )
        }
    }

    mutating func note(_ keepalive: Keepalive, at now: Instant) {
        latestKeepalive = (keepalive.sentMicroseconds, now)
        if let trip = keepalive.roundTripMicroseconds(at: now.microsecondsOnWire) {
            roundTripMicroseconds = trip
        }
    }

    static func == (left: PeerReception, right: PeerReception) -> Bool {
        left.peer == right.peer && left.window == right.window && left.buffer == right.buffer
            && left.captureIndices == right.captureIndices
            && left.latestKeepalive?.sentMicroseconds == right.latestKeepalive?.sentMicroseconds
            && left.latestKeepalive?.arrived == right.latestKeepalive?.arrived
            && left.roundTripMicroseconds == right.roundTripMicroseconds
    }
}

/// What is remembered of a member who left: which frames have been heard of, and how far.
struct DepartedMember: Sendable, Equatable {
    let peer: PeerID
    let window: ReplayWindow
    let captureIndices: SerialUnwrapper
    let earliestIndex: Int64
    let heardAt: Instant
}

extension IntercomCoordinator {
    /// More than a group has members (S-GRP-001).
    static let departedMax = 8

    /// Remembers a member who leaves; forgets the one who left first when there are too many.
    mutating func remember(_ reception: PeerReception) {
        departed.append(
            DepartedMember(
                peer: reception.peer,
                window: reception.window,
                captureIndices: reception.captureIndices,
                earliestIndex: reception.buffer.earliestIndex,
                heardAt: reception.buffer.heardAt
            )
        )
        if departed.count > Self.departedMax { departed.removeFirst() }
    }

    mutating func receive(
        _ event: TransportEvent,
        by path: TransportPath,
        in turn: inout Turn<Effect>
    ) {
        switch event {
        case .peerJoined(let peer): join(peer)
        case .peerLeft(let peer): part(from: peer, in: &turn)
        case .voiceReceived(let header, let frame, let peer):
            receive(header, frame, from: peer, by: path, in: &turn)
        case .controlReceived(let message, let peer):
            receive(message, from: peer, in: &turn)
        case .refused:
            break
        }
    }

    private mutating func join(_ peer: PeerID) {
        guard group != nil, place(of: peer) == nil, receptions.count < Self.peersMax else { return }
        let place = receptions.firstIndex { peer < $0.peer } ?? receptions.endIndex
        var reception = PeerReception(peer: peer, configuration: configuration.jitterBuffer)
        if let past = departed.firstIndex(where: { $0.peer == peer }) {
            reception.window = departed[past].window
            reception.captureIndices = departed[past].captureIndices
            reception.buffer = JitterBuffer(
                configuration: configuration.jitterBuffer,
                from: departed[past].earliestIndex,
                heardAt: departed[past].heardAt
            )
            departed.remove(at: past)
        }
        receptions.insert(reception, at: place)
    }

    private mutating func part(from peer: PeerID, in turn: inout Turn<Effect>) {
        guard let place = place(of: peer) else { return }
        tellPlayout(place, .stop, in: &turn)
        remember(receptions.remove(at: place))
    }

    private mutating func receive(
        _ header: FrameHeader,
        _ frame: FrameHandle,
        from peer: PeerID,
        by path: TransportPath,
        in turn: inout Turn<Effect>
    ) {
        guard let place = place(of: peer), header.streamID == peer.streamID else {
            turn.order(.reject(frame, from: peer, nil))
            return
        }
        let index = receptions[place].captureIndices.unwrap(header.captureIndex)
        let verdict = receptions[place].window.admit(header.sequence)
        guard !soundIsTaken else {
            turn.order(.reject(frame, from: peer, nil))
            return
        }
        guard verdict == .first else {
            let copy = JitterBuffer.Event.duplicateReceived(
                captureIndex: index,
                marks: header.marks,
                path: path.rawValue
            )
            tellPlayout(place, copy, in: &turn)
            turn.order(.reject(frame, from: peer, verdict))
            return
        }
        let received = ReceivedFrame(
            captureIndex: index,
            frame: frame,
            marks: header.marks,
            path: path.rawValue,
            carriesFEC: header.carriesFEC
        )
        tellPlayout(place, .frameReceived(received), in: &turn)
    }

    private mutating func receive(
        _ message: PeerMessage,
        from peer: PeerID,
        in turn: inout Turn<Effect>
    ) {
        guard let place = place(of: peer) else { return }
        let last: SerialNumber
        switch message {
        case .endMark(let mark) where mark.streamID == peer.streamID:
            last = mark.lastCaptureIndex
        case .keepalive(let keepalive) where keepalive.streamID == peer.streamID:
            receptions[place].note(keepalive, at: turn.now)
            // Before the first frame there is no talk that could have ended.
            guard !keepalive.isTalking, !receptions[place].window.isEmpty else { return }
            last = keepalive.lastCaptureIndex
        case .endMark, .keepalive, .voice:
            return
        }
        guard !soundIsTaken else { return }
        let ended = JitterBuffer.Event.talkEnded(
            lastCaptureIndex: receptions[place].captureIndices.unwrap(last)
        )
        tellPlayout(place, ended, in: &turn)
    }

    /// Gives a member's playout a fact, or wakes it, and follows what it orders.
    mutating func tellPlayout(
        _ place: Int,
        _ event: JitterBuffer.Event?,
        in turn: inout Turn<Effect>
    ) {
        let peer = receptions[place].peer
        let orders = receptions[place].buffer.drive(
            event,
            at: turn.now,
            reusing: &playoutMemory
        )
        for effect in orders {
            turn.order(.playout(peer, effect))
        }
        playoutMemory.reclaim(orders)
    }

    mutating func tellPlayouts(_ event: JitterBuffer.Event?, in turn: inout Turn<Effect>) {
        for place in receptions.indices { tellPlayout(place, event, in: &turn) }
    }

    private func place(of peer: PeerID) -> Int? {
        receptions.firstIndex { $0.peer == peer }
    }
}
