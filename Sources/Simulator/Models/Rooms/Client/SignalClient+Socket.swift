import SansIO

extension SignalClient {
    /// Runs the current socket and acts on what it orders.
    mutating func drive(
        _ event: StreamEvent,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard socket != nil else { return }
        socket?.stream.handle(event, at: now, into: &streamEffects)
        routeStream(at: now, into: &effects)
    }

    mutating func wakeSockets(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if socket != nil {
            socket?.stream.wake(at: now, into: &streamEffects)
            routeStream(at: now, into: &effects)
        }
        for place in closing.indices {
            closing[place].stream.wake(at: now, into: &streamEffects)
            relayTransmissions(of: closing[place].source, into: &effects)
        }
        closing.removeAll(where: \.stream.isFinished)
    }

    /// A segment goes to its socket; one that belongs to none is answered as a host does.
    mutating func receive(
        _ packet: Packet,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard case .stream(let segment) = packet.content else { return }
        if socket?.source == packet.destination {
            return drive(.received(segment), at: now, into: &effects)
        }
        if let place = closing.firstIndex(where: { $0.source == packet.destination }) {
            closing[place].stream.handle(.received(segment), at: now, into: &streamEffects)
            relayTransmissions(of: closing[place].source, into: &effects)
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
        effects.append(.transmit(reset))
    }

    mutating func fail(
        _ address: NetworkAddress,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        closing.removeAll { $0.source.address == address }
        guard socket?.source.address == address else { return }
        drive(.fail, at: now, into: &effects)
    }

    /// Acts on what the current socket ordered, and on what that leads to.
    private mutating func routeStream(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        while !streamEffects.effects.isEmpty {
            let source = socket?.source
            let ordered = streamEffects.effects
            streamEffects.removeAll()
            for effect in ordered {
                switch effect {
                case .transmit(let segment, let bytes):
                    transmit(segment, bytes, from: source, into: &effects)
                case .opened:
                    join(at: now)
                case .delivered(let message):
                    deliver(message, at: now, into: &effects)
                case .closed(let closure):
                    socket = nil
                    end(closure, at: now, into: &effects)
                }
            }
        }
    }

    /// Sends what a closing socket still has to say, and hears no more of it.
    mutating func relayTransmissions(
        of source: SocketAddress,
        into effects: inout EffectBuffer<Effect>
    ) {
        for case .transmit(let segment, let bytes) in streamEffects.effects {
            transmit(segment, bytes, from: source, into: &effects)
        }
        streamEffects.removeAll()
    }

    private func transmit(
        _ segment: StreamSegment,
        _ bytes: Int,
        from source: SocketAddress?,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let source else { return }
        let packet = Packet(from: source, to: server, wireBytes: bytes, .stream(segment))
        effects.append(.transmit(packet))
    }

    private mutating func join(at now: Instant) {
        guard case .opening(let request, _) = state else { return }
        state = .joining(until: now.advanced(by: joinTimeout))
        socket?.stream.handle(.send(request.message), at: now, into: &streamEffects)
    }

    private mutating func end(
        _ closure: StreamClosure,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch state {
        case .disconnected:
            break
        case .offline, .opening, .joining:
            fail(closure == .reset ? .socketReset : .socketBroken, at: now, into: &effects)
        case .connected:
            close(at: now, into: &effects)
            effects.append(.lost(.signalClosed))
        }
    }
}
