public import ReplicaChanges
public import SansIO

/// A request of a replica to the server.
public enum ReplicaRequest: Sendable, Equatable {
    /// `GET /api/me/database`, with the login's session token (RP-01).
    case credential(session: String)
    /// `POST /db/ID/sync`: hands over changes and asks for others.
    case sync(ReplicaExchange, ReplicaCredential)
    /// `GET /db/ID/snapshot`: the rows themselves, a page at a time.
    case snapshot(replica: String, after: String?, ReplicaCredential)
    /// `POST /db/ID/schema`: brings the primary to this schema, if it is at an older version.
    case migrate(ReplicaSchema, ReplicaCredential)
}

/// How the server answered.
public enum ReplicaAnswer: Sendable, Equatable {
    /// 200 to a request for a credential.
    case credential(ReplicaCredential)
    /// 200 to an exchange.
    case page(ReplicaPage)
    /// 200 to a request for a snapshot.
    case snapshot(SnapshotPage)
    /// 200 to a migration: the primary's version now.
    case migrated(schema: Int)
    /// 409: the primary's schema has another version, this one.
    case schemaDiffers(Int)
    /// 422: the primary refuses these of the changes for ever, and took none.
    case changesRefused([ChangeRefusal])
    /// 410: the log does not reach back so far, or it is another generation's.
    case snapshotNeeded
    /// 401: the token, or the session, is not valid any more.
    case unauthorized
    /// 429 or 503: the next request is taken after this time (`Retry-After`).
    case busy(RetryAfter)
    /// Any other status.
    case refused(statusCode: Int)
    /// 200 with a body that is not what was asked for.
    case malformed
    /// No answer: no network, a time-out or a broken connection.
    case failed
}
