import KodamaEvidence
import ReplicaSync

struct ReplicaOpened: TraceForm {
    static let kind = TraceKind(.replica, 1)
    static let text = TraceFormText(
        "replica.opened",
        .milestone,
        "An app has opened the file that its rows are in, or cannot.",
        .words("opening", ReplicaOpening.self),
        "unsent",
        "database"
    )
    /// How it found the file.
    var opening: TraceWord<ReplicaOpening>
    /// How many changes its outbox keeps for the primary.
    var unsent: Int64
    /// Which primary it replicates: its user's number, 0 where there is one only.
    var database: Int64 = 0
}

struct ReplicaWritten: TraceForm {
    static let kind = TraceKind(.replica, 3)
    static let text = TraceFormText(
        "replica.written",
        .control,
        "What the user wrote is in the app's file, and the user was told so.",
        "write"
    )
    /// The write's number.
    var write: Int64
}

struct ReplicaWriteRefused: TraceForm {
    static let kind = TraceKind(.replica, 4)
    static let text = TraceFormText(
        "replica.unwritten",
        .milestone,
        "An app told its user that a write is not in its file.",
        "write"
    )
    /// The write's number.
    var write: Int64
}

struct ReplicaRead: TraceForm {
    static let kind = TraceKind(.replica, 5)
    static let text = TraceFormText(
        "replica.read",
        .control,
        "The user wanted to see the rows, and the app showed them or could not.",
        "rows",
        "served"
    )
    /// How many rows it showed.
    var rows: Int64
    /// Whether it could, with all that its user wrote in it and the primary does not have yet.
    var isServed: TraceFlag
}

/// The rows of an app and of its primary are the same from now on, or are not.
///
/// The world compares them from outside: first when the app first opens its file, then whenever
/// that changes.
struct ReplicaSides: TraceForm {
    static let kind = TraceKind(.replica, 9)
    static let text = TraceFormText(
        "replica.sides",
        .control,
        "The rows of an app and of its primary are the same from now on, or are not.",
        "equal"
    )
    /// Whether they are the same.
    var isEqual: TraceFlag
}

struct ReplicaStatusShown: TraceForm {
    static let kind = TraceKind(.replica, 10)
    static let text = TraceFormText(
        "replica.status-shown",
        .control,
        "An app shows how its replica stands.",
        .words("status", ShownReplicaStatus.self)
    )
    /// What it shows.
    var status: TraceWord<ShownReplicaStatus>
    init(status: ReplicaStatus) {
        self.status = TraceWord(ShownReplicaStatus(status))
    }
}

struct ReplicaKept: TraceForm {
    static let kind = TraceKind(.replica, 11)
    static let text = TraceFormText(
        "replica.kept",
        .control,
        "At the end of the run an app's file keeps a write for the primary.",
        "write"
    )
    /// The write's number.
    var write: Int64
}

struct ReplicaAsked: TraceForm {
    static let kind = TraceKind(.replica, 15)
    static let text = TraceFormText(
        "replica.asked",
        .media,
        "An app made a request of its replica to the app's server.",
        .words("request", ReplicaRequestKind.self)
    )
    /// What it asked for.
    var request: TraceWord<ReplicaRequestKind>
}
