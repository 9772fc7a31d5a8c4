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

/// That a primary refuses a change for ever: handed over again it would be refused again.
public struct ChangeRefusal: Sendable, Equatable {
    /// The change's number.
    public var sequence: Int64
    /// Why, in words that an app can keep and show.
    public var reason: String

    /// Refuses a change.
    public init(sequence: Int64, reason: String) {
        self.sequence = sequence
        self.reason = reason
    }
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
    ///
    /// Changes behind it can be read and go away again, if the primary fails, until whoever made them hands
    /// them over once more; reads are monotonic up to here only.
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
/// The log goes on while pages are read. A replica that has them all follows it from the first page's position:
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
