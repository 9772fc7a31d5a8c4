import ReplicaChanges
import SansIO
import TextFormats

/// What can be asked of one database: `/db/ID/…`.
struct DatabaseEndpoint: Equatable {
    enum Verb: String {
        case sync, snapshot, schema

        var method: String {
            switch self {
            case .snapshot: "GET"
            case .sync, .schema: "POST"
            }
        }
    }

    /// The longest body that is read: as much as a page of the log holds, an assumption.
    ///
    /// A change that is longer is never taken, nor is any behind it. Only a body that comes with
    /// the database's token is read.
    static let bodyBytesMax = 65_536

    let database: String
    let verb: Verb

    /// Takes a path apart; `nil` if it is none of a database's.
    init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "db", parts[2].isName(upTo: 64),
            let verb = Verb(rawValue: parts[3])
        else { return nil }
        self.init(parts[2], verb)
    }

    init(_ database: String, _ verb: Verb) {
        self.database = database
        self.verb = verb
    }

    var path: String { "/db/" + RequestTarget.encode(database) + "/" + verb.rawValue }
}

extension APIServer {
    /// `GET /api/me/database` (RP-01): where the user's own database is, and a token that opens it.
    mutating func databaseCredential(
        _ request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let user = try session(of: request, at: now).user
        let primary = primaries.primary(of: user)
        let token = try databaseToken(for: primary, at: now)
        return .object(of: [
            ("database", .string(primary.database)), ("token", .string(token)),
        ])
    }

    /// Answers what is asked of one database, by whoever has a token for it.
    mutating func database(
        _ endpoint: DatabaseEndpoint,
        _ request: HTTPRequest,
        _ target: RequestTarget,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let user = try owner(of: endpoint.database, opening: request, at: now)
        try users.count(.database, by: user, on: nil, at: now)
        switch endpoint.verb {
        case .sync:
            let exchange = try ReplicaExchange(body(of: request))
            return try primaries.exchange(exchange, of: user, under: settings, at: now)
        case .snapshot:
            return try snapshot(target, of: user)
        case .schema:
            guard let schema = try ReplicaSchema(body(of: request)) else {
                throw .badRequest("versions are no lists of steps")
            }
            return try primaries.migrate(to: schema, of: user, under: settings, at: now)
        }
    }

    private func snapshot(_ target: RequestTarget, of user: UserName) throws(APIFault) -> JSON {
        let replicas = target["replica"]
        guard replicas.count == 1, let replica = replicas.first, replica.isName(upTo: 64) else {
            throw .badReplica
        }
        let cursors = target["after"]
        let name = cursors.first.flatMap(RowName.init(cursor:))
        guard cursors.count == (name == nil ? 0 : 1) else {
            throw .badRequest("after is nothing that was given as next")
        }
        return try primaries.snapshot(of: user, for: replica, after: name)
    }
}
