import KodamaEvidence

struct ReplicaDamageReported: TraceForm {
    static let kind = TraceKind(.replica, 2)
    static let text = TraceFormText(
        "replica.damage-told",
        .milestone,
        "An app says that its file was damaged, and what it could save of it.",
        "saved",
        "complete"
    )
    /// How many writes for the primary it saved.
    var saved: Int64
    /// Whether it says that these were all.
    var isComplete: TraceFlag
}

struct ReplicaFileDamaged: TraceForm {
    static let kind = TraceKind(.replica, 12)
    static let text = TraceFormText(
        "replica.file-damaged",
        .milestone,
        "An app's file was damaged from outside.",
        "unsent"
    )
    /// How many changes it kept that the primary did not have.
    var unsent: Int64
}

struct ReplicaEndedLocked: TraceForm {
    static let kind = TraceKind(.replica, 18)
    static let text = TraceFormText(
        "replica.ended-locked",
        .milestone,
        "The system ends an app that was to be suspended while its file was locked."
    )
}

struct ReplicaTokenFound: TraceForm {
    static let kind = TraceKind(.replica, 13)
    static let text = TraceFormText(
        "replica.token-found",
        .milestone,
        "The token of the database lies in an app's file."
    )
}

struct ReplicaSchemaSeen: TraceForm {
    static let kind = TraceKind(.replica, 14)
    static let text = TraceFormText(
        "replica.schema-seen",
        .control,
        "Which tables and columns an app's file has when it has been opened.",
        "version",
        "whole"
    )
    /// The version of the schema that the file says it has.
    var version: Int64
    /// Whether it has all that this version has, and nothing of a later one.
    var isWhole: TraceFlag
}
