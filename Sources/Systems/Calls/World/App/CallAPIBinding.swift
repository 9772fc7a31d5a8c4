import AppServer
import IncomingCalls
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld

// What the calling app asks of its server, as packets.

/// A request about calls, with what it shows of who asks.
struct CallOrder: APIOrder {
    let request: CallRequest
    let credentials: CallCredentials

    var httpMessage: StreamMessage { request.http(credentials).message }
}

extension CallAnswer {
    /// What became of a request.
    init(_ response: HTTPResponseOrLoss, to request: CallRequest) {
        switch response {
        case .response(let response): self.init(response, to: request)
        case .lost, .offline: self = .failed
        }
    }
}
