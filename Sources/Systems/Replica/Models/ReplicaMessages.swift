import AppServer
import KodamaNetwork
import KodamaPhone
import ReplicaChanges
import ReplicaSync

// The mirror of what `URLSession` and `Codable` do between a replica and its primary.

extension ReplicaRequest {
    /// The request as it goes to the app's server.
    var http: HTTPRequest {
        switch self {
        case .credential(let session):
            return .databaseCredential(bearer: session)
        case .sync(let exchange, let credential):
            return .sync(exchange, database: credential.database, token: credential.token)
        case .snapshot(let replica, let cursor, let credential):
            return .snapshot(
                for: replica,
                after: cursor,
                database: credential.database,
                token: credential.token
            )
        case .migrate(let schema, let credential):
            return .migrate(to: schema, database: credential.database, token: credential.token)
        }
    }
}

extension ReplicaAnswer {
    /// Reads what the server answered to a request.
    init(_ response: HTTPResponse, to request: ReplicaRequest) {
        switch response.statusCode {
        case 200:
            self = Self(body: response.body, to: request) ?? .malformed
        case 401:
            self = .unauthorized
        case 409:
            let schema = DatabaseSchemaResponse(json: response.body)
            if let schema, schema.isRefusal {
                self = .schemaDiffers(schema.schema)
            } else {
                self = .refused(statusCode: 409)
            }
        case 410 where FaultResponse(json: response.body)?.isSnapshotNeeded == true:
            self = .snapshotNeeded
        case 422:
            let response = ChangesRefusedResponse(json: response.body)
            self = response.map { .changesRefused($0.refusals) } ?? .refused(statusCode: 422)
        default:
            let statusCode = response.statusCode
            self = response.retryAfter.map(Self.busy) ?? .refused(statusCode: statusCode)
        }
    }

    private init?(body: String, to request: ReplicaRequest) {
        switch request {
        case .credential:
            guard let response = DatabaseCredentialResponse(json: body) else { return nil }
            self = .credential(
                ReplicaCredential(database: response.database, token: response.token)
            )
        case .sync:
            guard let page = ReplicaPage(json: body) else { return nil }
            self = .page(page)
        case .snapshot:
            guard let page = SnapshotPage(json: body) else { return nil }
            self = .snapshot(page)
        case .migrate:
            guard let response = DatabaseSchemaResponse(json: body), !response.isRefusal else {
                return nil
            }
            self = .migrated(schema: response.schema)
        }
    }
}
