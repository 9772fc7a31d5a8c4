import KodamaEvidence
import ReplicaSync

/// An app has opened the file that its rows are in, or cannot.
struct ReplicaOpened: TraceForm {
    /// How it found the file.
    var opening: TraceWord<ReplicaOpening>
    /// How many changes its outbox keeps for the primary.
    var unsent: Int64
    /// Which primary it replicates: its user's number, 0 where there is one only.
    var database: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 1) }

    /// Its text.
    static let text = TraceFormText(
        "replica.opened",
        .milestone,
        [.words("opening", ReplicaOpening.self), "unsent", "database"],
        "An app has opened the file that its rows are in, or cannot."
    )

    /// Makes the values of a record.
    init(opening: ReplicaOpening, unsent: Int64, database: Int64 = 0) {
        self.opening = TraceWord(opening)
        self.unsent = unsent
        self.database = database
    }
}

/// What the user wrote is in the app's file, and the user was told so.
struct ReplicaWritten: TraceForm {
    /// The write's number.
    var write: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 3) }

    /// Its text.
    static let text = TraceFormText(
        "replica.written",
        .control,
        ["write"],
        "What the user wrote is in the app's file, and the user was told so."
    )

    /// Makes the values of a record.
    init(write: Int64) {
        self.write = write
    }
}

/// An app told its user that a write is not in its file.
struct ReplicaWriteRefused: TraceForm {
    /// The write's number.
    var write: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 4) }

    /// Its text.
    static let text = TraceFormText(
        "replica.unwritten",
        .milestone,
        ["write"],
        "An app told its user that a write is not in its file."
    )

    /// Makes the values of a record.
    init(write: Int64) {
        self.write = write
    }
}

/// The user wanted to see the rows, and the app showed them or could not.
struct ReplicaRead: TraceForm {
    /// How many rows it showed.
    var rows: Int64
    /// Whether it could, with all that its user wrote in it and the primary does not have yet.
    var isServed: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 5) }

    /// Its text.
    static let text = TraceFormText(
        "replica.read",
        .control,
        ["rows", "served"],
        "The user wanted to see the rows, and the app showed them or could not."
    )

    /// Makes the values of a record.
    init(rows: Int64, isServed: Bool) {
        self.rows = rows
        self.isServed = TraceFlag(isServed)
    }
}

/// The rows of an app and of its primary are the same from now on, or are not.
///
/// The world compares them from outside: first when the app first opens its file, then whenever
/// that changes.
struct ReplicaSides: TraceForm {
    /// Whether they are the same.
    var isEqual: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 9) }

    /// Its text.
    static let text = TraceFormText(
        "replica.sides",
        .control,
        ["equal"],
        "The rows of an app and of its primary are the same from now on, or are not."
    )

    /// Makes the values of a record.
    init(isEqual: Bool) {
        self.isEqual = TraceFlag(isEqual)
    }
}

/// An app shows how its replica stands.
struct ReplicaStatusShown: TraceForm {
    /// What it shows.
    var status: TraceWord<ShownReplicaStatus>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 10) }

    /// Its text.
    static let text = TraceFormText(
        "replica.status-shown",
        .control,
        [.words("status", ShownReplicaStatus.self)],
        "An app shows how its replica stands."
    )

    /// Makes the values of a record.
    init(status: ReplicaStatus) {
        self.status = TraceWord(ShownReplicaStatus(status))
    }
}

/// At the end of the run an app's file keeps a write for the primary.
struct ReplicaKept: TraceForm {
    /// The write's number.
    var write: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 11) }

    /// Its text.
    static let text = TraceFormText(
        "replica.kept",
        .control,
        ["write"],
        "At the end of the run an app's file keeps a write for the primary."
    )

    /// Makes the values of a record.
    init(write: Int64) {
        self.write = write
    }
}

/// An app made a request of its replica to the app's server.
struct ReplicaAsked: TraceForm {
    /// What it asked for.
    var request: TraceWord<ReplicaRequestKind>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.replica, 15) }

    /// Its text.
    static let text = TraceFormText(
        "replica.asked",
        .media,
        [.words("request", ReplicaRequestKind.self)],
        "An app made a request of its replica to the app's server."
    )

    /// Makes the values of a record.
    init(request: ReplicaRequestKind) {
        self.request = TraceWord(request)
    }
}
