public import ReplicaSync

/// An app has opened the file that its rows are in, or cannot.
public struct ReplicaOpened: TraceForm {
    /// How it found the file.
    public var opening: TraceWord<ReplicaOpening>
    /// How many changes its outbox keeps for the primary.
    public var unsent: Int64
    /// Which primary it replicates: its user's number, 0 where there is one only.
    public var database: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.replica, 1) }

    /// Its text.
    public static let text = TraceFormText(
        "replica.opened",
        .milestone,
        [.words("opening", ReplicaOpening.self), "unsent", "database"],
        "An app has opened the file that its rows are in, or cannot."
    )

    /// Makes the values of a record.
    @inlinable
    public init(opening: ReplicaOpening, unsent: Int64, database: Int64 = 0) {
        self.opening = TraceWord(opening)
        self.unsent = unsent
        self.database = database
    }
}

/// What the user wrote is in the app's file, and the user was told so.
public struct ReplicaWritten: TraceForm {
    /// The write's number.
    public var write: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.replica, 3) }

    /// Its text.
    public static let text = TraceFormText(
        "replica.written",
        .control,
        ["write"],
        "What the user wrote is in the app's file, and the user was told so."
    )

    /// Makes the values of a record.
    @inlinable
    public init(write: Int64) {
        self.write = write
    }
}

/// An app told its user that a write is not in its file.
public struct ReplicaWriteRefused: TraceForm {
    /// The write's number.
    public var write: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.replica, 4) }

    /// Its text.
    public static let text = TraceFormText(
        "replica.unwritten",
        .milestone,
        ["write"],
        "An app told its user that a write is not in its file."
    )

    /// Makes the values of a record.
    @inlinable
    public init(write: Int64) {
        self.write = write
    }
}

/// The user wanted to see the rows, and the app showed them or could not.
public struct ReplicaRead: TraceForm {
    /// How many rows it showed.
    public var rows: Int64
    /// Whether it could, with all that its user wrote in it and the primary does not have yet.
    public var isServed: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.replica, 5) }

    /// Its text.
    public static let text = TraceFormText(
        "replica.read",
        .control,
        ["rows", "served"],
        "The user wanted to see the rows, and the app showed them or could not."
    )

    /// Makes the values of a record.
    @inlinable
    public init(rows: Int64, isServed: Bool) {
        self.rows = rows
        self.isServed = TraceFlag(isServed)
    }
}

/// The rows of an app and of its primary are the same from now on, or are not.
///
/// The world compares them from outside: first when the app first opens its file, then whenever
/// that changes.
public struct ReplicaSides: TraceForm {
    /// Whether they are the same.
    public var isEqual: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.replica, 9) }

    /// Its text.
    public static let text = TraceFormText(
        "replica.sides",
        .control,
        ["equal"],
        "The rows of an app and of its primary are the same from now on, or are not."
    )

    /// Makes the values of a record.
    @inlinable
    public init(isEqual: Bool) {
        self.isEqual = TraceFlag(isEqual)
    }
}

/// An app shows how its replica stands.
public struct ReplicaStatusShown: TraceForm {
    /// What it shows.
    public var status: TraceWord<ShownReplicaStatus>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.replica, 10) }

    /// Its text.
    public static let text = TraceFormText(
        "replica.status-shown",
        .control,
        [.words("status", ShownReplicaStatus.self)],
        "An app shows how its replica stands."
    )

    /// Makes the values of a record.
    @inlinable
    public init(status: ReplicaStatus) {
        self.status = TraceWord(ShownReplicaStatus(status))
    }
}

/// At the end of the run an app's file keeps a write for the primary.
public struct ReplicaKept: TraceForm {
    /// The write's number.
    public var write: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.replica, 11) }

    /// Its text.
    public static let text = TraceFormText(
        "replica.kept",
        .control,
        ["write"],
        "At the end of the run an app's file keeps a write for the primary."
    )

    /// Makes the values of a record.
    @inlinable
    public init(write: Int64) {
        self.write = write
    }
}

/// An app made a request of its replica to the app's server.
public struct ReplicaAsked: TraceForm {
    /// What it asked for.
    public var request: TraceWord<ReplicaRequestKind>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.replica, 15) }

    /// Its text.
    public static let text = TraceFormText(
        "replica.asked",
        .media,
        [.words("request", ReplicaRequestKind.self)],
        "An app made a request of its replica to the app's server."
    )

    /// Makes the values of a record.
    @inlinable
    public init(request: ReplicaRequestKind) {
        self.request = TraceWord(request)
    }
}
