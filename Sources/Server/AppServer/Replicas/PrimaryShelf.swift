public import ReplicaChanges
public import SansIO
import TextFormats

/// The users' own databases, one for each who has asked for theirs (RP-01).
///
/// They are the server's memory, not a file's: whoever runs the server keeps them with it.
public struct PrimaryShelf: Sendable {
    private var primaries: [UserName: Primary] = [:]
    /// Whose each database is.
    private var owners: [String: UserName] = [:]
    private var news: [PrimaryNews] = []
    private var entropy: ServerEntropy

    init(entropy: ServerEntropy) {
        self.entropy = entropy
    }

    /// What happened to the databases since this was asked last, in order.
    ///
    /// Ask after every request, and after each fault.
    public mutating func takeNews() -> [PrimaryNews] {
        defer { news = [] }
        return news
    }

    /// Every row of a user's database as the insert that makes it, in the order of tables and keys.
    public func rows(of user: String) -> [ReplicaChange] {
        primaries[UserName(user)]?.state.rows.rows(after: nil).map(\.insert) ?? []
    }

    /// Drops the whole log of a user's database, as a server does that is short of space.
    ///
    /// Replicas that do not have it all need the rows themselves.
    public mutating func trim(_ user: String) {
        primaries[UserName(user)]?.trim(to: 0)
    }

    /// The machine of a user's database fails: what was not durable is gone.
    ///
    /// - Parameters:
    ///   - user: Whose database it is; nothing happens if they have none.
    ///   - now: The server's clock.
    public mutating func fail(_ user: String, at now: WallTime) {
        let key = UserName(user)
        guard primaries[key] != nil else { return }
        let generation = entropy.name()
        primaries[key]?.fail(at: now, next: generation)
        news.append(.rolledBack(user: user, through: primaries[key]?.state.position ?? 0))
    }

    /// Has changes of a row of a user's database refused from now on, as by a rule of the server's own.
    ///
    /// - Parameters:
    ///   - key: The row's key, in whichever table.
    ///   - user: Whose database it is; made if they have none.
    public mutating func close(_ key: String, of user: String) {
        _ = primary(of: UserName(user))
        primaries[UserName(user)]?.close(key)
    }

    /// Has the tokens that were given for a user's database so far refused.
    public mutating func expireTokens(of user: String) {
        expireTokens(of: UserName(user))
    }

    mutating func expireTokens(of user: UserName) {
        primaries[user]?.expireTokens()
    }

    /// The user's own database; made on first asking.
    mutating func primary(of user: UserName) -> Primary {
        if let known = primaries[user] { return known }
        let primary = Primary(database: entropy.name(), generation: entropy.name())
        primaries[user] = primary
        owners[primary.database] = user
        return primary
    }

    /// The user whose database this is, and how often its tokens were taken back.
    func owner(of database: String) -> (user: UserName, tokenSeries: Int)? {
        guard let user = owners[database], let primary = primaries[user] else {
            return nil
        }
        return (user, primary.tokenSeries)
    }

    mutating func exchange(
        _ exchange: ReplicaExchange,
        of user: UserName,
        under settings: APIServerSettings,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let done: (taken: [Primary.Taken], answer: JSON)?
        do throws(APIFault) {
            done = try primaries[user]?.exchange(exchange, under: settings, at: now)
        } catch {
            if case .changesRefused(let refusals) = error {
                let numbers = refusals.map(\.sequence)
                news += exchange.changes.filter { numbers.contains($0.sequence) }
                    .map { .refused(user: user.text, by: exchange.replica, $0) }
            }
            throw error
        }
        guard let done else { throw .unauthorized }
        news += done.taken.map { taken in
            taken.setAside.map { .setAside(user: user.text, taken.entry, asked: $0) }
                ?? .took(user: user.text, taken.entry)
        }
        return done.answer
    }

    func snapshot(
        of user: UserName,
        for replica: String,
        after name: RowName?
    ) throws(APIFault) -> JSON {
        guard let primary = primaries[user] else { throw .unauthorized }
        return primary.snapshot(for: replica, after: name)
    }

    mutating func migrate(
        to schema: ReplicaSchema,
        of user: UserName,
        under settings: APIServerSettings,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        guard let versions = try primaries[user]?.migrate(to: schema, under: settings, at: now)
        else { throw .unauthorized }
        news += versions.map { PrimaryNews.migrated(user: user.text, version: $0) }
        return .object(of: [("schema", .integer(Int64(schema.versions.count)))])
    }
}

/// Something that happened to a user's database.
public enum PrimaryNews: Sendable, Equatable {
    /// A replica's change was taken into the log.
    case took(user: String, LoggedChange)
    /// A replica's change was set aside, since it was made on a row that another has made anew: the
    /// log has what that row is.
    case setAside(user: String, LoggedChange, asked: ReplicaChange)
    /// A change of a replica is refused for ever.
    case refused(user: String, by: String, UnsentChange)
    /// The schema was brought to this version.
    case migrated(user: String, version: Int)
    /// Its machine failed: all behind this position is gone, and the schema may be an older one.
    case rolledBack(user: String, through: Int64)
}
