import AppCoordination
import AppServer
import Models
import SansIO
import Scenarios

/// A request of the app to its own server: a name lookup, TCP, TLS, one exchange.
final class APICall: Host {
    /// Its number among all that were ever made on the app.
    let number: UInt32
    let operation: OperationID
    let request: any APIOrder
    let source: SocketAddress
    @exclusivity(unchecked) var seat: Seat<StreamConnection>
    unowned(unsafe) let app: any APIUser
    /// Whether it is under way.
    var isOpen = true

    init(
        _ request: any APIOrder,
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
protocol APIOrder {
    /// The request as it goes over the wire.
    var httpMessage: StreamMessage { get }
}

/// How a request ended.
enum HTTPResponseOrLoss {
    case response(HTTPResponse)
    /// The connection is gone.
    case lost
    /// There is no address to ask from.
    case offline
}
