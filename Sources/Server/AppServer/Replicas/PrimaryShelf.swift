public import ReplicaChanges
public import SansIO
import TextFormats

/// The users' own databases, one for each who has asked for theirs (RP-01).
///
/// They are the server's memory, not a file's: whoever runs the server keeps them with it.
public struct PrimaryShelf: Sendable {
    /// By the bytes of their users' names.
    private var primaries: [[UInt8]: Primary] = [:]
    /// Whose each database is.
    private var owners: [String: String] = [:]
    private var news: [PrimaryNews] = []
    private var entropy: ServerEntropy

    init(entropy: ServerEntropy) {
        self.entropy = entropy
    }

    /// Names are told apart by bytes: Swift takes two spellings of an accented letter for the same.
    private static func key(_ user: String) -> [UInt8] { Array(user.utf8) }

    /// What happened to the databases since this was asked last, in order.
    ///
    /// Ask after every request, and after each fault.
    public mutating func takeNews() -> [PrimaryNews] {
        defer { news = [] }
        return news
    }

    /// Every row of a user's database as the insert that makes it, in the order of tables and keys.
    public func rows(of user: String) -> [ReplicaChange] {
        primaries[Self.key(user)]?.state.rows.rows(after: nil).map(\.insert) ?? []
    }

    /// Drops the whole log of a user's database, as a server does that is short of space.
    ///
    /// Replicas that do not have it all need the rows themselves.
    public mutating func trim(_ user: String) {
        primaries[Self.key(user)]?.trim(to: 0)
    }

    /// The machine of a user's database fails: what was not durable is gone.
    ///
    /// - Parameters:
    ///   - user: Whose database it is; nothing happens if they have none.
    ///   - now: The server's clock.
    public mutating func fail(_ user: String, at now: WallTime) {
        let key = Self.key(user)
        guard primaries[key] != nil else { return }
        let generation = entropy.name()
        primaries[key]?.fail(at: now, next: generation)
        news.append(.rolledBack(user: user, through: primaries[key]?.state.position ?? 0))
    }

    /// Has the tokens that were given for a user's database so far refused.
    public mutating func expireTokens(of user: String) {
        primaries[Self.key(user)]?.expireTokens()
    }

    /// The user's own database; made on first asking.
    mutating func primary(of user: String) -> Primary {
        let key = Self.key(user)
        if let known = primaries[key] { return known }
        let primary = Primary(database: entropy.name(), generation: entropy.name())
        primaries[key] = primary
        owners[primary.database] = user
        return primary
    }

    /// The user whose database this is, and how often its tokens were taken back.
    func owner(of database: String) -> (user: String, tokenSeries: Int)? {
        guard let user = owners[database], let primary = primaries[Self.key(user)] else {
            return nil
        }
        return (user, primary.tokenSeries)
    }

    mutating func exchange(
        _ exchange: ReplicaExchange,
        of user: String,
        under settings: APIServerSettings,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let key = Self.key(user)
        guard let done = try primaries[key]?.exchange(exchange, under: settings, at: now) else {
            throw .unauthorized
        }
        news += done.taken.map { PrimaryNews.took(user: user, $0) }
        return done.answer
    }

    func snapshot(
        of user: String,
        for replica: String,
        after name: RowName?
    ) throws(APIFault) -> JSON {
        guard let primary = primaries[Self.key(user)] else { throw .unauthorized }
        return primary.snapshot(for: replica, after: name)
    }

    mutating func migrate(
        to schema: ReplicaSchema,
        of user: String,
        under settings: APIServerSettings,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let key = Self.key(user)
        guard let versions = try primaries[key]?.migrate(to: schema, under: settings, at: now)
        else { throw .unauthorized }
        news += versions.map { PrimaryNews.migrated(user: user, version: $0) }
        return .object(of: [("schema", .integer(Int64(schema.versions.count)))])
    }
}

/// Something that happened to a user's database.
public enum PrimaryNews: Sendable, Equatable {
    /// A replica's change was taken into the log.
    case took(user: String, LoggedChange)
    /// The schema was brought to this version.
    case migrated(user: String, version: Int)
    /// Its machine failed: all behind this position is gone, and the schema may be an older one.
    case rolledBack(user: String, through: Int64)
}
