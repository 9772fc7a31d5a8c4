import KodamaLanguage

/// What is done in the app with a replica, or to its file.
enum ReplicaAppAct: SystemAct {
    /// Its user writes.
    case write(ReplicaWrite)
    /// Its user looks at the rows.
    case read
    /// Its user wants to have what the primary has.
    case sync
    /// Its user signs out.
    case signOut
    /// Its user signs in again.
    case signIn
    /// Another user signs in to the same app.
    case signInAsGuest
    /// The phone gets this version of the app: its process ends, and the next launch has it.
    case update(version: Int)
    /// Its file is damaged, which shows at the next launch.
    case damage(FileDamage)
    /// Its process ends in the middle of the next migration of its file.
    case interruptMigration
}

/// A write to the replicated tables.
struct ReplicaWrite: Sendable, Equatable {
    /// What is written.
    enum Kind: String, Sendable, CaseIterable {
        /// A row that was not there.
        case new
        /// Other words in a row.
        case edit
        /// The end of a row.
        case delete
    }

    /// What is written.
    var kind: Kind
    /// The row's key; `nil` for a new row of any key.
    ///
    /// What is edited or deleted is then the last row that was written at the same place: in the
    /// app of the same phone, or by the same user on the web.
    var row: String?

    /// How many of them a plan may have.
    static let countMax = 100_000

    /// Writes to a row.
    init(kind: Kind, row: String? = nil) {
        self.kind = kind
        self.row = row
    }
}

/// What befalls a replica's file.
enum FileDamage: String, Sendable, CaseIterable {
    /// Its header is zeroed: it is no database any more.
    case header
    /// Its end is cut off.
    case cut
    /// A page in the middle holds nonsense.
    case page
    /// What it keeps for the primary is nonsense, the rest is whole.
    case outbox
    /// One bit of a trigger's name is flipped.
    case trigger
    /// One bit of an index is flipped.
    case index
    /// One bit of what the file says of itself is flipped.
    case state
}

/// What is done to a user's primary, by the web or by chance.
enum PrimaryAct: SystemAct {
    /// The user writes on the web.
    case write(user: String, ReplicaWrite)
    /// It drops its log; only the rows stay.
    case trim(user: String)
    /// It fails, and loses what was not durable.
    case fail(user: String)
    /// No token that was given for it is good any more.
    case expireTokens(user: String)
    /// It refuses changes to a row from now on, as by a rule of the server's own.
    case close(user: String, row: String)
    /// It is brought to a version of the schema, as by a newer web or phone.
    case migrate(user: String, version: Int)
}
