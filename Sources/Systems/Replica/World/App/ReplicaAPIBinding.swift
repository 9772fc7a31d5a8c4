import AppServer
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import ReplicaSync

// What a replica asks of its server, as packets.

extension ReplicaRequest: APIOrder {
    /// The request as it goes over the wire.
    var httpMessage: StreamMessage { http.message }

    /// What the trace calls it.
    var kind: ReplicaRequestKind {
        switch self {
        case .credential: .credential
        case .sync: .sync
        case .snapshot: .snapshot
        case .migrate: .migrate
        }
    }
}

extension ReplicaAnswer {
    /// What became of a request.
    init(_ response: HTTPResponseOrLoss, to request: ReplicaRequest) {
        switch response {
        case .response(let response): self.init(response, to: request)
        case .lost, .offline: self = .failed
        }
    }
}
