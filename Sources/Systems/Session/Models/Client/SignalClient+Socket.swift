import KodamaNetwork
import KodamaPhone
import SansIO

extension SignalClient {
    /// Runs the current socket and acts on what it orders.
    mutating func drive(_ event: StreamEvent, in turn: inout Turn<Effect>) {
        guard socket != nil else { return }
        streamEffects += socket?.stream.drive(event, at: turn.now) ?? []
        routeStream(in: &turn)
    }

    mutating func wakeSockets(in turn: inout Turn<Effect>) {
        if socket != nil {
            streamEffects += socket?.stream.drive(nil, at: turn.now) ?? []
            routeStream(in: &turn)
        }
        for place in closing.indices {
            streamEffects += closing[place].stream.drive(nil, at: turn.now)
            relayTransmissions(of: closing[place].source, in: &turn)
        }
        closing.removeAll(where: \.stream.isFinished)
    }

    /// A segment goes to its socket; one that belongs to none is answered as a host does.
    mutating func receive(_ packet: Packet, in turn: inout Turn<Effect>) {
        guard case .stream(let segment) = packet.content else { return }
        if socket?.source == packet.destination {
            return drive(.received(segment), in: &turn)
        }
        if let place = closing.firstIndex(where: { $0.source == packet.destination }) {
            streamEffects += closing[place].stream.drive(.received(segment), at: turn.now)
            relayTransmissions(of: closing[place].source, in: &turn)
            if closing[place].stream.isFinished { closing.remove(at: place) }
            return
        }
        guard case .answered(let answer, let bytes) = StreamConnection.stray(segment) else {
            return
        }
        let reset = Packet(
            from: packet.destination,
            to: packet.source,
            wireBytes: bytes,
            .stream(answer)
        )
        turn.order(.transmit(reset))
    }

    mutating func fail(_ address: NetworkAddress, in turn: inout Turn<Effect>) {
        closing.removeAll { $0.source.address == address }
        guard socket?.source.address == address else { return }
        drive(.fail, in: &turn)
    }

    /// Acts on what the current socket ordered, and on what that leads to.
    private mutating func routeStream(in turn: inout Turn<Effect>) {
        while !streamEffects.isEmpty {
            let source = socket?.source
            let ordered = streamEffects
            streamEffects.removeAll()
            for effect in ordered {
                switch effect {
                case .transmit(let segment, let bytes):
                    transmit(segment, bytes, from: source, in: &turn)
                case .opened:
                    join(at: turn.now)
                case .delivered(let message):
                    deliver(message, in: &turn)
                case .closed(let closure):
                    socket = nil
                    end(closure, in: &turn)
                }
            }
        }
    }

    /// Sends what a closing socket still has to say, and hears no more of it.
    mutating func relayTransmissions(of source: SocketAddress, in turn: inout Turn<Effect>) {
        for case .transmit(let segment, let bytes) in streamEffects {
            transmit(segment, bytes, from: source, in: &turn)
        }
        streamEffects.removeAll()
    }

    private func transmit(
        _ segment: StreamSegment,
        _ bytes: Int,
        from source: SocketAddress?,
        in turn: inout Turn<Effect>
    ) {
        guard let source else { return }
        let packet = Packet(from: source, to: server, wireBytes: bytes, .stream(segment))
        turn.order(.transmit(packet))
    }

    private mutating func join(at now: Instant) {
        guard case .opening(let request, let opened) = state else { return }
        // The upgrade, which belongs to the socket's time, and the join's own are one exchange here.
        state = .joining(until: max(opened, now.advanced(by: joinTimeout)))
        streamEffects += socket?.stream.drive(.send(request.message), at: now) ?? []
    }

    private mutating func end(_ closure: StreamClosure, in turn: inout Turn<Effect>) {
        switch state {
        case .disconnected:
            break
        case .offline, .opening, .joining:
            fail(closure == .reset ? .socketReset : .socketBroken, in: &turn)
        case .connected:
            close(in: &turn)
            turn.order(.lost(.signalClosed))
        }
    }
}
