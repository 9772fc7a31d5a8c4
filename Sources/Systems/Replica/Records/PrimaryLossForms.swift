import KodamaEvidence

/// A primary has set the write aside that it took last: it was made on a row that another replica has
/// made anew; the subject is the app that made it.
struct PrimarySetAside: TraceForm {
    static let kind = TraceKind(.replica, 16)
    static let text = TraceFormText(
        "primary.set-aside",
        .milestone,
        "A primary sets the write aside that it took last, made on a row that another made anew.",
        "database"
    )
    /// Whose primary it is: the number of its user among those who have one, 0 where one does.
    var database: Int64 = 0
}

struct PrimaryRefused: TraceForm {
    static let kind = TraceKind(.replica, 19)
    static let text = TraceFormText(
        "primary.refused",
        .milestone,
        "A primary refuses a write for ever; the subject is the app that hands it over.",
        "write",
        "database"
    )
    /// The write's number, or 0 for what no user of the story wrote.
    var write: Int64
    /// Whose primary it is: the number of its user among those who have one, 0 where one does.
    var database: Int64 = 0
}

struct ReplicaRefusalTold: TraceForm {
    static let kind = TraceKind(.replica, 20)
    static let text = TraceFormText(
        "replica.refusal-told",
        .milestone,
        "An app has set a write aside that the primary refuses, and tells its user.",
        "write"
    )
    /// The write's number.
    var write: Int64
}

/// The primary of an app failed: counts what the app had taken from it and is there no more.
struct ReplicaReadsUndone: TraceForm {
    static let kind = TraceKind(.replica, 17)
    static let text = TraceFormText(
        "replica.reads-undone",
        .milestone,
        "The primary of an app failed and has lost changes by others that the app had taken.",
        "changes"
    )
    /// How many changes by others.
    var changes: Int64
}
