import KodamaEvidence

/// A primary has a write; the subject is the app that made it, none where the web did.
struct PrimaryTook: TraceForm {
    /// The write's number, or 0 for what no user of the story wrote.
    var write: Int64
    /// Its place in the primary's log.
    var position: Int64
    /// Whose primary it is: the number of its user among those who have one, 0 where one does.
    var database: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 6) }

    /// Its text.
    static let text = TraceFormText(
        "primary.took",
        .control,
        ["write", "position", "database"],
        "A primary has a write; the subject is the app that made it, none where the web did."
    )

    /// Makes the values of a record.
    init(write: Int64, position: Int64, database: Int64 = 0) {
        self.write = write
        self.position = position
        self.database = database
    }
}

/// A primary is at a version of the schema; the subject is its user's first app.
struct PrimaryMigrated: TraceForm {
    /// The version.
    var version: Int64
    /// Whose primary it is: the number of its user among those who have one, 0 where one does.
    var database: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 7) }

    /// Its text.
    static let text = TraceFormText(
        "primary.migrated",
        .milestone,
        ["version", "database"],
        "A primary is at a version of the schema; the subject is its user's first app."
    )

    /// Makes the values of a record.
    init(version: Int64, database: Int64 = 0) {
        self.version = version
        self.database = database
    }
}

/// A primary failed and has lost the end of its log; the subject is its user's first app.
struct PrimaryRolledBack: TraceForm {
    /// The position to which it has the log still.
    var through: Int64
    /// Whose primary it is: the number of its user among those who have one, 0 where one does.
    var database: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 8) }

    /// Its text.
    static let text = TraceFormText(
        "primary.rolled-back",
        .milestone,
        ["through", "database"],
        "A primary failed and has lost the end of its log; the subject is its user's first app."
    )

    /// Makes the values of a record.
    init(through: Int64, database: Int64 = 0) {
        self.through = through
        self.database = database
    }
}
