import KodamaEvidence

/// An app says that its file was damaged, and what it could save of it.
struct ReplicaDamageReported: TraceForm {
    /// How many writes for the primary it saved.
    var saved: Int64
    /// Whether it says that these were all.
    var isComplete: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 2) }

    /// Its text.
    static let text = TraceFormText(
        "replica.damage-told",
        .milestone,
        ["saved", "complete"],
        "An app says that its file was damaged, and what it could save of it."
    )

    /// Makes the values of a record.
    init(saved: Int64, isComplete: Bool) {
        self.saved = saved
        self.isComplete = TraceFlag(isComplete)
    }
}

/// An app's file was damaged from outside.
struct ReplicaFileDamaged: TraceForm {
    /// How many changes it kept that the primary did not have.
    var unsent: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 12) }

    /// Its text.
    static let text = TraceFormText(
        "replica.file-damaged",
        .milestone,
        ["unsent"],
        "An app's file was damaged from outside."
    )

    /// Makes the values of a record.
    init(unsent: Int64) {
        self.unsent = unsent
    }
}

/// The token of the database lies in an app's file.
struct ReplicaTokenFound: TraceForm {
    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 13) }

    /// Its text.
    static let text = TraceFormText(
        "replica.token-found",
        .milestone,
        [],
        "The token of the database lies in an app's file."
    )

    /// Makes the values of a record.
    init() {}
}

/// Which tables and columns an app's file has when it has been opened.
struct ReplicaSchemaSeen: TraceForm {
    /// The version of the schema that the file says it has.
    var version: Int64
    /// Whether it has all that this version has, and nothing of a later one.
    var isWhole: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 14) }

    /// Its text.
    static let text = TraceFormText(
        "replica.schema-seen",
        .control,
        ["version", "whole"],
        "Which tables and columns an app's file has when it has been opened."
    )

    /// Makes the values of a record.
    init(version: Int64, isWhole: Bool) {
        self.version = version
        self.isWhole = TraceFlag(isWhole)
    }
}
