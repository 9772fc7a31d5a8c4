import KodamaEvidence

/// A primary has set the write aside that it took last: it was made on a row that another replica has
/// made anew; the subject is the app that made it.
struct PrimarySetAside: TraceForm {
    /// Whose primary it is: the number of its user among those who have one, 0 where one does.
    var database: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 16) }

    /// Its text.
    static let text = TraceFormText(
        "primary.set-aside",
        .milestone,
        ["database"],
        "A primary sets the write aside that it took last, made on a row that another made anew."
    )

    /// Makes the values of a record.
    init(database: Int64 = 0) {
        self.database = database
    }
}

/// The primary of an app failed: what the app had taken from it and is there no more.
struct ReplicaReadsUndone: TraceForm {
    /// How many changes by others.
    var changes: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 17) }

    /// Its text.
    static let text = TraceFormText(
        "replica.reads-undone",
        .milestone,
        ["changes"],
        "The primary of an app failed and has lost changes by others that the app had taken."
    )

    /// Makes the values of a record.
    init(changes: Int64) {
        self.changes = changes
    }
}
