import SansIO

extension SignalClient {
    /// Acts on what the server says; nothing if the connection was closed meanwhile.
    mutating func deliver(
        _ message: StreamMessage,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let response = message.content as? SignalResponse else { return }
        switch state {
        case .disconnected, .offline, .opening:
            break
        case .joining:
            answer(response, at: now, into: &effects)
        case .connected:
            if case .pong = response { pings.pong() }
            pings.heard(at: now)
            effects.append(.received(response))
        }
    }

    /// The server's first words decide the attempt.
    private mutating func answer(
        _ response: SignalResponse,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch response {
        case .refused(let statusCode):
            fail(.refused(statusCode: statusCode), at: now, into: &effects)
        case .leave(let request):
            fail(.leave(request), at: now, into: &effects)
        case .join(let answer):
            pings.start(
                interval: answer.pingInterval,
                timeout: answer.pingTimeout,
                at: now
            )
            begin(with: response, at: now, into: &effects)
        case .reconnect:
            if !forgetsPingsAfterResume { pings.restart(at: now) }
            begin(with: response, at: now, into: &effects)
        case .offer, .answer, .trackPublished, .participants, .mute, .refreshToken, .pong:
            effects.append(.received(response))
        }
    }

    private mutating func begin(
        with response: SignalResponse,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        state = .connected
        effects.append(.connected(response))
        let waiting = queue
        queue = []
        for request in waiting {
            drive(.send(request.message), at: now, into: &effects)
        }
    }

    /// Pings when it is time, and gives up on a connection that does not answer.
    mutating func ping(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if pings.isDead(at: now) {
            close(at: now, into: &effects)
            effects.append(.lost(.signalPingTimeout))
        } else if let number = pings.next(at: now) {
            drive(.send(SignalRequest.ping(number: number).message), at: now, into: &effects)
        }
    }
}
