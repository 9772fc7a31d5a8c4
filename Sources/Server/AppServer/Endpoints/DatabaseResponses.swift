public import ReplicaChanges
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

extension ReplicaPage {
    /// Reads the body of a 200 to an exchange; `nil` if it is anything else, or a piece with gaps.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8),
            let generation = json["generation"]?.string, !generation.isEmpty,
            let from = json["from"]?.integer, from >= 0,
            let through = json["through"]?.integer,
            let durable = json["durable"]?.integer, let applied = json["applied"]?.integer,
            case .array(let array)? = json["changes"], let hasMore = json["more"]?.bool
        else { return nil }
        var last = from
        var changes: [LoggedChange] = []
        for said in array {
            guard let change = LoggedChange(said), change.position > 0,
                change.position - 1 == last
            else { return nil }
            last = change.position
            changes.append(change)
        }
        guard last == through else { return nil }
        self.init(
            generation: generation,
            from: from,
            through: through,
            durable: durable,
            applied: applied,
            changes: changes,
            hasMore: hasMore
        )
    }
}

extension SnapshotPage {
    /// Reads the body of a 200 to a request for a snapshot; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8),
            let generation = json["generation"]?.string, !generation.isEmpty,
            let position = json["position"]?.integer, let applied = json["applied"]?.integer,
            let schema = json.schema, case .array(let array)? = json["rows"],
            let next = json["next"], next == .null || next.string != nil
        else { return nil }
        let rows = array.compactMap(ReplicaChange.init).filter { $0.kind == .insert }
        guard rows.count == array.count else { return nil }
        self.init(
            generation: generation,
            position: position,
            applied: applied,
            schema: schema,
            rows: rows,
            next: next.string
        )
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
