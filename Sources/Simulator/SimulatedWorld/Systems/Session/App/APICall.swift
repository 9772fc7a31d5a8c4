import AppCoordination
import AppServer
import IncomingCalls
import Models
import RealtimeVoice
import ReplicaSync
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
    unowned(unsafe) let app: any APIUser
    /// Whether it is under way.
    var isOpen = true

    init(
        _ request: APIOrder,
        _ operation: OperationID,
        number: UInt32,
        from source: SocketAddress,
        of app: any APIUser,
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
    /// Something about the user's own database.
    case replica(ReplicaRequest)

    /// The request as it goes over the wire.
    var httpMessage: StreamMessage {
        switch self {
        case .account(let request): request.httpMessage
        case .calls(let request, let credentials): request.httpMessage(credentials)
        case .replica(let request): request.httpMessage
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
