import AppCoordination
package import AppServer
import KodamaLanguage
package import KodamaNetwork
import KodamaPhone
package import KodamaWorld
package import SansIO

/// A request of the app to its own server: a name lookup, TCP, TLS, one exchange.
package final class APICall: Host {
    /// Its number among all that were ever made on the app.
    package let number: UInt32
    package let operation: OperationID
    package let request: any APIOrder
    package let source: SocketAddress
    @exclusivity(unchecked) package var seat: Seat<StreamConnection>
    package unowned(unsafe) let app: any APIUser
    /// Whether it is under way.
    package var isOpen = true

    package init(
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

    package var isAwake: Bool { isOpen && app.phase != .suspended }

    package func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(of: self, at: instant, on: &stage)
    }

    package func perform(_ effect: StreamEffect, on stage: inout Stage) {
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
package protocol APIOrder {
    /// The request as it goes over the wire.
    var httpMessage: StreamMessage { get }
}

/// How a request ended.
package enum HTTPResponseOrLoss {
    case response(HTTPResponse)
    /// The connection is gone.
    case lost
    /// There is no address to ask from.
    case offline
}
