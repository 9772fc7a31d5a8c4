import AppCoordination
import AppServer
import IncomingCalls
import Models
import RealtimeVoice
import SansIO
import Scenarios

/// A request of the app to its own server: a name lookup, TCP, TLS, one exchange.
final class APICall: Host {
    /// Its number among all that were ever made on the app.
    let number: UInt32
    let operation: OperationID
    let request: APIOrder
    let source: SocketAddress
    @exclusivity(unchecked) var seat: Seat<StreamConnection>
    unowned(unsafe) let app: any RoomUser
    /// Whether it is under way.
    var isOpen = true

    init(
        _ request: APIOrder,
        _ operation: OperationID,
        number: UInt32,
        from source: SocketAddress,
        of app: any RoomUser,
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
        app.scheduleWake(of: self, at: instant, on: &stage)
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
            app.finish(self, .response(response), on: &stage)
        case .closed:
            app.finish(self, .lost, on: &stage)
        }
    }
}

/// What an app asks of its own server.
enum APIOrder: Equatable {
    /// A token or a login.
    case account(APIRequest)
    /// Something about calls.
    case calls(CallRequest, CallCredentials)

    /// The request as it goes over the wire.
    var httpMessage: StreamMessage {
        switch self {
        case .account(let request): request.httpMessage
        case .calls(let request, let credentials): request.httpMessage(credentials)
        }
    }
}

/// How a request ended.
enum HTTPResponseOrLoss {
    case response(HTTPResponse)
    /// The connection is gone.
    case lost
    /// There is no address to ask from.
    case offline
}

extension RoomUser {
    /// Sends a request of the app to its own server.
    func call(_ request: APIOrder, _ operation: OperationID, on stage: inout Stage) {
        let address = phone.addresses.first
        let source = SocketAddress(
            address: address ?? NetworkAddress(host: phone.host, interface: 0, lease: 0),
            port: firstPort + RoomPorts.firstRequest + UInt64(callCount)
        )
        if address != nil { callCount += 1 }
        let call = APICall(
            request,
            operation,
            number: callCount,
            from: source,
            of: self,
            at: stage.now
        )
        guard address != nil else { return heard(.offline, to: call, on: &stage) }
        calls.append(call)
        call.tell(.open, on: &stage)
        call.tell(.send(request.httpMessage), on: &stage)
    }

    /// Gives the app the answer to a request, which is over with it.
    func finish(_ call: APICall, _ response: HTTPResponseOrLoss, on stage: inout Stage) {
        endCall(call.operation)
        heard(response, to: call, on: &stage)
    }

    /// Lets go of a request's connection.
    func endCall(_ operation: OperationID) {
        for call in calls where call.operation == operation { call.isOpen = false }
        calls.removeAll { !$0.isOpen }
    }

    /// Ends all requests, with their process.
    func endCalls() {
        for call in calls { call.isOpen = false }
        calls.removeAll()
    }
}
