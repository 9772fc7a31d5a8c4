import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios

/// A request of the app to its own server: a name lookup, TCP, TLS, one exchange.
final class APICall: Host {
    /// Its number among all that were ever made on the phone.
    let number: UInt32
    let operation: OperationID
    let request: APIRequest
    let source: SocketAddress
    @exclusivity(unchecked) var seat: Seat<StreamConnection>
    unowned(unsafe) let phone: SessionPhone
    /// Whether it is under way.
    var isOpen = true

    init(
        _ request: APIRequest,
        _ operation: OperationID,
        number: UInt32,
        from source: SocketAddress,
        on phone: SessionPhone,
        at now: Instant
    ) {
        self.number = number
        self.operation = operation
        self.request = request
        self.source = source
        self.phone = phone
        seat = Seat(StreamConnection(role: .client, looksUp: true), at: now)
    }

    var isAwake: Bool { isOpen && phone.process != .suspended }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        phone.scheduleWake(.requestWake, number, at: instant, on: &stage)
    }

    func perform(_ effect: StreamEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let segment, let wireBytes):
            let packet = Packet(
                from: source,
                to: phone.api.socket,
                wireBytes: wireBytes,
                .stream(segment)
            )
            phone.transmit(packet, on: &stage)
        case .opened:
            break
        case .delivered(let message):
            guard case .httpResponse(let response) = message.content else { return }
            phone.answer(APIAnswer(response, to: request), operation, on: &stage)
        case .closed:
            phone.answer(.failed(.connectionLost), operation, on: &stage)
        }
    }
}

extension SessionPhone {
    /// Sends a request of the app to its own server.
    func call(_ request: APIRequest, _ operation: OperationID, on stage: inout Stage) {
        note(TokenRequested(operation: Int64(operation.number)), on: &stage)
        guard let address = addresses.first else {
            return answer(.failed(.offline), operation, on: &stage)
        }
        let source = SocketAddress(
            address: address,
            port: Self.firstRequestPort + UInt64(callCount)
        )
        callCount += 1
        let call = APICall(
            request,
            operation,
            number: callCount,
            from: source,
            on: self,
            at: stage.now
        )
        calls.append(call)
        call.tell(.open, on: &stage)
        call.tell(.send(request.httpMessage), on: &stage)
    }

    /// Gives the app the answer to a request, which is over with it.
    func answer(_ answer: APIAnswer, _ operation: OperationID, on stage: inout Stage) {
        endCall(operation)
        app?.tell(.apiAnswered(operation, answer), on: &stage)
    }

    /// Lets go of a request's connection.
    func endCall(_ operation: OperationID) {
        for call in calls where call.operation == operation { call.isOpen = false }
        calls.removeAll { !$0.isOpen }
    }
}
