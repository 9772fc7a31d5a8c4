import TextFormats

/// The body of a 200 to a request for a database's credential (RP-01).
public struct DatabaseCredentialResponse: Sendable, Equatable {
    /// The database.
    public var database: String
    /// What opens it, to be sent as Bearer.
    public var token: String

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8),
            let database = json["database"]?.string, !database.isEmpty,
            let token = json["token"]?.string, !token.isEmpty
        else { return nil }
        self.database = database
        self.token = token
    }
}

/// The body of a 200 to an exchange: a piece of the log (RP-04).
public struct DatabaseSyncResponse: Sendable, Equatable {
    /// The generation of the log.
    public var generation: String
    /// The position that the piece follows on.
    public var from: Int64
    /// The position of its last change, or `from`.
    public var through: Int64
    /// Everything to this position would outlive a failure.
    public var durable: Int64
    /// The highest number of the asking replica's changes that are in the log.
    public var applied: Int64
    /// The changes, one for each position.
    public var changes: [PrimaryEntry]
    /// Whether the log goes on behind them.
    public var hasMore: Bool

    /// Reads a body; `nil` if it is anything else, or a piece with gaps.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8),
            let generation = json["generation"]?.string, !generation.isEmpty,
            let from = json["from"]?.integer, from >= 0,
            let through = json["through"]?.integer,
            let durable = json["durable"]?.integer, let applied = json["applied"]?.integer,
            case .array(let array)? = json["changes"], let hasMore = json["more"]?.bool
        else { return nil }
        var last = from
        changes = []
        for said in array {
            guard let change = PrimaryEntry(said), change.position > 0,
                change.position - 1 == last
            else { return nil }
            last = change.position
            changes.append(change)
        }
        guard last == through else { return nil }
        self.generation = generation
        self.from = from
        self.through = through
        self.durable = durable
        self.applied = applied
        self.hasMore = hasMore
    }
}

/// The body of a 200 to a request for a snapshot: a page of rows.
public struct DatabaseSnapshotResponse: Sendable, Equatable {
    /// The generation of the log.
    public var generation: String
    /// The log's position when the page was made.
    public var position: Int64
    /// The highest number of the asking replica's changes in the log at that position.
    public var applied: Int64
    /// The version of the schema.
    public var schema: Int
    /// The rows, each as the insert that makes it.
    public var rows: [PrimaryChange]
    /// What to ask for the next page with; `nil` behind the last one.
    public var next: String?

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8),
            let generation = json["generation"]?.string, !generation.isEmpty,
            let position = json["position"]?.integer, let applied = json["applied"]?.integer,
            let schema = json.schema, case .array(let array)? = json["rows"],
            let next = json["next"], next == .null || next.string != nil
        else { return nil }
        rows = array.compactMap(PrimaryChange.init).filter { $0.kind == .insert }
        guard rows.count == array.count else { return nil }
        self.generation = generation
        self.position = position
        self.applied = applied
        self.schema = schema
        self.next = next.string
    }
}

/// The schema's version (RP-05): the body of a 200 to a migration, and of a 409 where schemas differ.
public struct DatabaseSchemaResponse: Sendable, Equatable {
    /// The version.
    public var schema: Int
    /// Whether it is a refusal.
    public var isRefusal: Bool

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8), let schema = json.schema,
            json["error"] == nil || json["error"]?.string == "schema"
        else { return nil }
        self.schema = schema
        isRefusal = json["error"] != nil
    }
}

extension FaultResponse {
    /// Whether the log can not be followed from where the replica is.
    public var isSnapshotNeeded: Bool { error == "snapshot_needed" }
}

extension JSON {
    /// The member `schema`: the number of a version, or 0.
    fileprivate var schema: Int? {
        guard let version = self["schema"]?.integer, version >= 0 else { return nil }
        return Int(exactly: version)
    }
}
