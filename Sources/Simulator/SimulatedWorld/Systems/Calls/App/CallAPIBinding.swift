import AppServer
import IncomingCalls
import Models

// What the calling app asks of its server, as packets.

extension CallRequest {
    /// The request as it goes over the wire.
    func httpMessage(_ credentials: CallCredentials) -> StreamMessage {
        let request = http(credentials)
        return StreamMessage(request, byteCount: request.byteCount)
    }
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
