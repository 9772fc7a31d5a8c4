import AppCoordination
import AppServer
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios

/// A request of the app to its own server: a name lookup, TCP, TLS, one exchange.
final class APICall: Host {
    /// Its number among all that were ever made on the app.
    let number: UInt32
    let operation: OperationID
    let request: APIRequest
    let source: SocketAddress
    @exclusivity(unchecked) var seat: Seat<StreamConnection>
    unowned(unsafe) let app: SessionApp
    /// Whether it is under way.
    var isOpen = true

    init(
        _ request: APIRequest,
        _ operation: OperationID,
        number: UInt32,
        from source: SocketAddress,
        of app: SessionApp,
        at now: Instant
    ) {
        self.number = number
        self.operation = operation
        self.request = request
        self.source = source
        self.app = app
        seat = Seat(StreamConnection(role: .client, looksUp: true), at: now)
    }

    var isAwake: Bool { isOpen && app.phase != .suspended }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(.requestWake, number, at: instant, on: &stage)
    }

    func perform(_ effect: StreamEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let segment, let wireBytes):
            let packet = Packet(
                from: source,
                to: app.api.socket,
                wireBytes: wireBytes,
                .stream(segment)
            )
            stage.send(packet)
        case .opened:
            break
        case .delivered(let message):
            guard let response = message.content as? HTTPResponse else { return }
            app.answer(APIAnswer(response, to: request), operation, on: &stage)
        case .closed:
            app.answer(.failed(.connectionLost), operation, on: &stage)
        }
    }
}

extension SessionApp {
    /// Sends a request of the app to its own server.
    func call(_ request: APIRequest, _ operation: OperationID, on stage: inout Stage) {
        note(TokenRequested(operation: Int64(operation.number)), on: &stage)
        guard let address = phone.addresses.first else {
            return answer(.failed(.offline), operation, on: &stage)
        }
        let source = SocketAddress(
            address: address,
            port: firstPort + Self.firstRequestPort + UInt64(callCount)
        )
        callCount += 1
        let call = APICall(
            request,
            operation,
            number: callCount,
            from: source,
            of: self,
            at: stage.now
        )
        calls.append(call)
        call.tell(.open, on: &stage)
        call.tell(.send(request.httpMessage), on: &stage)
    }

    /// Gives the app the answer to a request, which is over with it.
    func answer(_ answer: APIAnswer, _ operation: OperationID, on stage: inout Stage) {
        endCall(operation)
        process?.tell(.apiAnswered(operation, answer), on: &stage)
    }

    /// Lets go of a request's connection.
    func endCall(_ operation: OperationID) {
        for call in calls where call.operation == operation { call.isOpen = false }
        calls.removeAll { !$0.isOpen }
    }
}
