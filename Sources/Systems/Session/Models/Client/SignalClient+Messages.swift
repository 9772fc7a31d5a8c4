import KodamaNetwork
import KodamaPhone
import SansIO

extension SignalClient {
    /// Acts on what the server says; nothing if the connection was closed meanwhile.
    mutating func deliver(_ message: StreamMessage, in turn: inout Turn<Effect>) {
        guard let response = message.content as? SignalResponse else { return }
        switch state {
        case .disconnected, .offline, .opening:
            break
        case .joining:
            answer(response, in: &turn)
        case .connected:
            if case .pong = response { pings.pong() }
            pings.heard(at: turn.now)
            turn.order(.received(response))
        }
    }

    /// The server's first words decide the attempt.
    private mutating func answer(_ response: SignalResponse, in turn: inout Turn<Effect>) {
        switch response {
        case .refused(let statusCode):
            fail(.refused(statusCode: statusCode), in: &turn)
        case .leave(let request):
            fail(.leave(request), in: &turn)
        case .join(let answer):
            pings.start(interval: answer.pingInterval, timeout: answer.pingTimeout, at: turn.now)
            begin(with: response, in: &turn)
        case .reconnect:
            if !forgetsPingsAfterResume { pings.restart(at: turn.now) }
            begin(with: response, in: &turn)
        case .offer, .answer, .trackPublished, .participants, .mute, .refreshToken, .pong:
            turn.order(.received(response))
        }
    }

    private mutating func begin(with response: SignalResponse, in turn: inout Turn<Effect>) {
        state = .connected
        turn.order(.connected(response))
        let waiting = queue
        queue = []
        for request in waiting {
            drive(.send(request.message), in: &turn)
        }
    }

    /// Pings when it is time, and gives up on a connection that does not answer.
    mutating func ping(in turn: inout Turn<Effect>) {
        if pings.isDead(at: turn.now) {
            close(in: &turn)
            turn.order(.lost(.signalPingTimeout))
        } else if let number = pings.next(at: turn.now) {
            drive(.send(SignalRequest.ping(number: number).message), in: &turn)
        }
    }
}
