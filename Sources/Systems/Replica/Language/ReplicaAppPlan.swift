import KodamaLanguage
import ReplicaChanges
import ReplicaSync

/// The app with a replica of its user's database on a phone.
package struct ReplicaAppPlan: AppSettings {
    /// The name of its system.
    static let system = "replica"
    /// The versions of the app, each with the schema of the same number.
    static let versionRange: ClosedRange<Int64> = 1...3

    /// The user whose database it is.
    var user = ""
    /// Whether the user is signed in when the story begins.
    var isSignedIn = true
    /// The app's version when the story begins.
    var schemaVersion = 1
    /// The configuration, with the schema of that version.
    var configuration = ReplicaConfiguration()
    /// What the phone's disk is like.
    var disk = ReplicaDiskTiming()

    /// The app with its default figures.
    init() {}

    /// The schema of one of the app's versions: reflections, and from version 2 on routines.
    static func schema(version: Int) -> ReplicaSchema {
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

/// How long the app's file takes for what it is given.
struct ReplicaDiskTiming: Tunable {
    /// How long a transaction that takes a page of the log or of a snapshot holds the file: no time, as the rest of
    /// what a phone's processor does.
    var transactionTime: Duration = .zero

    /// A disk that takes no time.
    init() {}
}

/// The server that replicas need besides the app's own: what keeps every user's database.
struct ReplicaServicesPlan: Tunable {
    /// How long after it was taken a change may be lost: 10 s.
    ///
    /// Bunny's hosting of libSQL uploads what it has as often.
    var durabilityDelay: Duration = .seconds(10)
    /// How long a database's token lives: an hour, an assumption.
    var tokenTimeToLive: Duration = .seconds(3_600)
    /// How many changes a log keeps at most: 4,096, an assumption.
    ///
    /// That hosting uploads as many frames at once, which does not say how far back a log goes.
    var logChangesMax = 4_096

    /// The name in the trace of what keeps the databases.
    static let databaseName = "database"
    /// The names of the servers in the trace.
    static let componentNames = [databaseName]

    /// Servers that work.
    init() {}
}

extension WorldPlan {
    /// The figures of the server that replicas need.
    var replicaServices: ReplicaServicesPlan {
        get { shared[ReplicaServicesPlan.self] }
        set { shared[ReplicaServicesPlan.self] = newValue }
    }
}
