import KodamaNetwork
import KodamaPhone
import SansIO

/// Sockets and what is said on them (livekit/livekit, `pkg/service/rtcservice.go`).
extension RoomServer {
    mutating func receive(
        _ segment: StreamSegment,
        from peer: SocketAddress,
        in turn: inout Turn<RoomServerEffect>
    ) {
        if let number = connectionsByPeer[peer] {
            return drive(number, .received(segment), in: &turn)
        }
        switch StreamConnection.stray(segment, isListening: !ailments.refusesConnections) {
        case .opensConnection:
            connectionsMade += 1
            let connection = ServerConnection(number: connectionsMade, peer: peer)
            connections.append(connection, number: connectionsMade)
            connectionsByPeer[peer] = connectionsMade
            drive(connectionsMade, .received(segment), in: &turn)
        case .answered(let answer, let wireBytes):
            transmit(answer, wireBytes: wireBytes, to: peer, in: &turn)
        case .dropped:
            break
        }
    }

    /// Whether what a client signals is heard here.
    ///
    /// - Parameters:
    ///   - source: The client's end of its connection.
    ///   - now: When it would arrive.
    /// - Returns: Whether a process is there that heeds the connection.
    func hearsSignals(from source: SocketAddress, at now: Instant) -> Bool {
        isUp(at: now) && !ailments.isSilent && connectionsByPeer[source] != nil
    }

    /// Answers for a process that is not there: its machine resets streams and keeps silent otherwise.
    func refuse(_ packet: Packet, in turn: inout Turn<RoomServerEffect>) {
        guard !isDark, packet.destination == signalSocket,
            case .stream(let segment) = packet.content,
            case .answered(let answer, let wireBytes) = StreamConnection.stray(
                segment,
                isListening: false
            )
        else { return }
        transmit(answer, wireBytes: wireBytes, to: packet.source, in: &turn)
    }

    /// Throws a connection away as a host does whose process has ended: the other end is reset.
    mutating func reset(_ number: UInt32, in turn: inout Turn<RoomServerEffect>) {
        drive(number, .abort, in: &turn)
    }

    mutating func wakeConnection(_ number: UInt32, in turn: inout Turn<RoomServerEffect>) {
        drive(number, nil, in: &turn)
        release(number, in: &turn)
        guard let place = connections.place(of: number),
            case .starting(let start) = connections[place].stage, start.readyAt <= turn.now
        else { return }
        finish(start, on: number, in: &turn)
    }

    /// Says something to whoever is at the other end, unless the server has fallen silent.
    mutating func send(
        _ response: SignalResponse,
        on number: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard !ailments.isSilent, let place = connections.place(of: number) else { return }
        if connections[place].hold != nil {
            guard response.isFirstWord else {
                connections[place].hold?.messages.append(response)
                return
            }
            connections[place].hold?.until = turn.now
        }
        drive(number, .send(response.message), in: &turn)
        release(number, in: &turn)
    }

    /// Says what was held, if it need not be held any more.
    private mutating func release(_ number: UInt32, in turn: inout Turn<RoomServerEffect>) {
        guard let place = connections.place(of: number), let hold = connections[place].hold,
            turn.now >= hold.until
        else { return }
        connections[place].hold = nil
        for message in hold.messages {
            send(message, on: number, in: &turn)
        }
    }

    /// Closes a connection once everything said has left; the participant is not told that it lost it.
    mutating func hangUp(_ number: UInt32, in turn: inout Turn<RoomServerEffect>) {
        guard let place = connections.place(of: number) else { return }
        connections[place].stage = .closing
        guard !ailments.isSilent else { return }
        drive(number, .close, in: &turn)
    }

    /// Gives the stream an event, or wakes it, and performs what it orders; what was delivered is acted on
    /// afterwards.
    private mutating func drive(
        _ number: UInt32,
        _ event: StreamEvent?,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = connections.place(of: number) else { return }
        let peer = connections[place].peer
        var requests: [SignalRequest] = []
        var isOver = false
        for effect in connections[place].stream.drive(event, at: turn.now) {
            switch effect {
            case .transmit(let segment, let wireBytes):
                transmit(segment, wireBytes: wireBytes, to: peer, in: &turn)
            case .delivered(let message):
                if let request = message.content as? SignalRequest { requests.append(request) }
            case .closed:
                isOver = true
            case .opened:
                break
            }
        }
        for request in requests where !ailments.isSilent || !request.wantsAnswer {
            take(request, on: number, in: &turn)
        }
        if isOver {
            forgetConnection(number, in: &turn)
        }
    }

    /// The other side closed, or is gone.
    private mutating func forgetConnection(
        _ number: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let connection = connections.remove(number) else { return }
        connectionsByPeer[connection.peer] = nil
        switch connection.stage {
        case .joined(let participant):
            loseSignal(of: participant, by: number, in: &turn)
        case .starting(let start):
            guard let resumed = start.resumed else { return }
            loseSignal(of: resumed, by: number, in: &turn)
        case .accepted, .closing:
            break
        }
    }

    /// What the other end says, by how far the connection has come.
    private mutating func take(
        _ request: SignalRequest,
        on number: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = connections.place(of: number) else { return }
        switch connections[place].stage {
        case .accepted:
            guard case .join(let token, let resuming) = request else { return }
            begin(token, isResume: resuming != nil, on: number, in: &turn)
        case .joined(let participant):
            take(request, from: participant, on: number, in: &turn)
        case .starting, .closing:
            break
        }
    }

    private func transmit(
        _ segment: StreamSegment,
        wireBytes: Int,
        to peer: SocketAddress,
        in turn: inout Turn<RoomServerEffect>
    ) {
        let packet = Packet(from: signalSocket, to: peer, wireBytes: wireBytes, .stream(segment))
        turn.order(.transmit(packet))
    }
}

extension SignalRequest {
    /// Whether the server would have to say something: one that has fallen silent does not even begin.
    fileprivate var wantsAnswer: Bool {
        switch self {
        case .mute, .leave: false
        case .join, .offer, .answer, .addTrack, .syncState, .ping: true
        }
    }
}

extension SignalResponse {
    /// Whether the server says it first on a connection.
    fileprivate var isFirstWord: Bool {
        switch self {
        case .refused, .join, .reconnect, .leave: true
        case .offer, .answer, .trackPublished, .participants, .mute, .refreshToken, .pong: false
        }
    }
}
