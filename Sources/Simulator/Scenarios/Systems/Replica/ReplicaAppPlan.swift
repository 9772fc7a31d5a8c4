public import ReplicaChanges
public import ReplicaSync

/// The app with a replica of its user's database on a phone.
public struct ReplicaAppPlan: AppSettings {
    /// The name of its system.
    public static let system = "replica"
    /// The versions of the app, each with the schema of the same number.
    static let versionRange: ClosedRange<Int64> = 1...3

    /// The user whose database it is.
    public var user = ""
    /// Whether the user is signed in when the story begins.
    public var isSignedIn = true
    /// The app's version when the story begins.
    public var schemaVersion = 1
    /// The configuration, with the schema of that version.
    public var configuration = ReplicaConfiguration()

    /// The app with its default figures.
    public init() {}

    /// The schema of one of the app's versions: reflections, and from version 2 on routines.
    public static func schema(version: Int) -> ReplicaSchema {
        ReplicaSchema(versions: Array(steps.prefix(version)))
    }

    private static let steps: [[ReplicaSchema.Step]] = [
        [
            .createTable(
                "reflection",
                [ReplicaSchema.Column("words", .text), ReplicaSchema.Column("written", .integer)]
            )
        ],
        [
            .addColumn(
                "reflection",
                ReplicaSchema.Column("mood", .text, standard: .text(""))
            ),
            .createTable(
                "routine",
                [ReplicaSchema.Column("title", .text), ReplicaSchema.Column("minute", .integer)]
            ),
        ],
        [
            .addColumn(
                "reflection",
                ReplicaSchema.Column("shared", .integer, standard: .integer(0))
            )
        ],
    ]
}

/// The server that replicas need besides the app's own: what keeps every user's database.
public struct ReplicaServicesPlan: Tunable {
    /// How long after it was taken a change may be lost: 10 s.
    ///
    /// Bunny's hosting of libSQL uploads what it has as often.
    public var durabilityDelay: Duration = .seconds(10)
    /// How long a database's token lives: an hour, an assumption.
    public var tokenTimeToLive: Duration = .seconds(3_600)
    /// How many changes a log keeps at most: 4,096, an assumption.
    ///
    /// That hosting uploads as many frames at once, which does not say how far back a log goes.
    public var logChangesMax = 4_096

    /// The name in the trace of what keeps the databases.
    public static let databaseName = "database"
    /// The names of the servers in the trace.
    public static let componentNames = [databaseName]

    /// Servers that work.
    public init() {}
}

extension WorldPlan {
    /// The figures of the server that replicas need.
    public var replicaServices: ReplicaServicesPlan {
        get { shared[ReplicaServicesPlan.self] }
        set { shared[ReplicaServicesPlan.self] = newValue }
    }
}
