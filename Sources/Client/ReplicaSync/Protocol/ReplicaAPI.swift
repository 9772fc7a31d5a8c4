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

/// What a replica says and asks in one exchange.
public struct ReplicaExchange: Sendable, Equatable {
    /// The replica's name, made when its file was.
    public var replica: String
    /// The version of its schema.
    public var schema: Int
    /// The generation of the primary that it follows.
    public var generation: String
    /// How far it has the primary's log.
    public var position: Int64
    /// Changes of its own, in the order of their numbers.
    public var changes: [UnsentChange]

    /// Makes an exchange.
    public init(
        replica: String,
        schema: Int,
        generation: String,
        position: Int64,
        changes: [UnsentChange]
    ) {
        self.replica = replica
        self.schema = schema
        self.generation = generation
        self.position = position
        self.changes = changes
    }
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
    /// 410: the log does not reach back so far, or it is another generation's.
    case snapshotNeeded
    /// 401: the token, or the session, is not valid any more.
    case unauthorized
    /// Any other status.
    case refused(statusCode: Int)
    /// 200 with a body that is not what was asked for.
    case malformed
    /// No answer: no network, a time-out or a broken connection.
    case failed
}

/// A piece of the primary's log.
public struct ReplicaPage: Sendable, Equatable {
    /// The generation of the primary's log.
    public var generation: String
    /// The position that it follows on.
    public var from: Int64
    /// The position of its last change, or `from`.
    public var through: Int64
    /// What the primary would not lose if it failed now: everything to this position.
    public var durable: Int64
    /// The highest number of this replica's changes that are in the log, 0 for none; all below are as well.
    public var applied: Int64
    /// The changes, one for each position; those of this replica's own among them.
    public var changes: [LoggedChange]
    /// Whether the log goes on behind it.
    public var hasMore: Bool

    /// Makes a piece of a log.
    public init(
        generation: String,
        from: Int64,
        through: Int64,
        durable: Int64,
        applied: Int64,
        changes: [LoggedChange],
        hasMore: Bool
    ) {
        self.generation = generation
        self.from = from
        self.through = through
        self.durable = durable
        self.applied = applied
        self.changes = changes
        self.hasMore = hasMore
    }
}

/// Rows of the primary, in the order of their tables and keys.
///
/// The log goes on while pages are read. Whoever has them all follows it from the first page's position:
/// what a page already had of it is set once more.
public struct SnapshotPage: Sendable, Equatable {
    /// The generation of the primary's log.
    public var generation: String
    /// The log's position when the page was made.
    public var position: Int64
    /// The highest number of this replica's changes in the log at that position.
    public var applied: Int64
    /// The version of the schema.
    public var schema: Int
    /// The rows, each as the insert that makes it.
    public var rows: [ReplicaChange]
    /// What to ask for the next page with; `nil` behind the last one.
    public var next: String?

    /// Makes a page.
    public init(
        generation: String,
        position: Int64,
        applied: Int64,
        schema: Int,
        rows: [ReplicaChange],
        next: String?
    ) {
        self.generation = generation
        self.position = position
        self.applied = applied
        self.schema = schema
        self.rows = rows
        self.next = next
    }
}
