import KodamaEvidence

struct PrimaryTook: TraceForm {
    static let kind = TraceKind(.replica, 6)
    static let text = TraceFormText(
        "primary.took",
        .control,
        "A primary has a write; the subject is the app that made it, none where the web did.",
        "write",
        "position",
        "database"
    )
    /// The write's number, or 0 for what no user of the story wrote.
    var write: Int64
    /// Its place in the primary's log.
    var position: Int64
    /// Whose primary it is: the number of its user among those who have one, 0 where one does.
    var database: Int64 = 0
}

struct PrimaryMigrated: TraceForm {
    static let kind = TraceKind(.replica, 7)
    static let text = TraceFormText(
        "primary.migrated",
        .milestone,
        "A primary is at a version of the schema; the subject is its user's first app.",
        "version",
        "database"
    )
    var version: Int64
    /// Whose primary it is: the number of its user among those who have one, 0 where one does.
    var database: Int64 = 0
}

struct PrimaryRolledBack: TraceForm {
    static let kind = TraceKind(.replica, 8)
    static let text = TraceFormText(
        "primary.rolled-back",
        .milestone,
        "A primary failed and has lost the end of its log; the subject is its user's first app.",
        "through",
        "database"
    )
    /// The position to which it has the log still.
    var through: Int64
    /// Whose primary it is: the number of its user among those who have one, 0 where one does.
    var database: Int64 = 0
}
