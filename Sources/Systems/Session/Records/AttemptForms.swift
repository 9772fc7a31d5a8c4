import KodamaEvidence
import KodamaNetwork
import KodamaPhone

/// An attempt of a room object begins.
struct AttemptBegan: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// The attempt, from 1 within its connect or reconnect.
    var number: Int64
    /// What is attempted.
    var attempt: TraceWord<AttemptKind>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 33) }

    /// Its text.
    static let text = TraceFormText(
        "attempt.began",
        .milestone,
        ["room", "number", .words("kind", AttemptKind.self)],
        "Attempt `number` begins."
    )

    /// Makes the values of a record.
    init(room: Int64, number: Int64, attempt: AttemptKind) {
        self.room = room
        self.number = number
        self.attempt = TraceWord(attempt)
    }
}

/// The signal connection of an attempt is up.
struct AttemptSignalled: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 34) }

    /// Its text.
    static let text = TraceFormText(
        "attempt.signalled",
        .control,
        ["room"],
        "The server answered the attempt's join or resume."
    )

    /// Makes the values of a record.
    init(room: Int64) {
        self.room = room
    }
}

/// The media of an attempt is up.
struct AttemptConnected: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 35) }

    /// Its text.
    static let text = TraceFormText(
        "attempt.connected",
        .control,
        ["room"],
        "The attempt's primary transport is connected."
    )

    /// Makes the values of a record.
    init(room: Int64) {
        self.room = room
    }
}

/// An attempt of a room object ended.
struct AttemptEnded: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// What it failed of, or none.
    var failure: TraceWord<AttemptFailure>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 36) }

    /// Its text.
    static let text = TraceFormText(
        "attempt.ended",
        .milestone,
        ["room", .words("failure", AttemptFailure.self, orNone: true)],
        "The attempt ended: well, or with an AttemptFailure."
    )

    /// Makes the values of a record.
    init(room: Int64, failure: AttemptFailure?) {
        self.room = room
        self.failure = TraceWord(failure)
    }
}

/// A room object waits before its next attempt.
struct AttemptWaiting: TraceForm {
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// How long it waits, in nanoseconds.
    var durationNanoseconds: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 37) }

    /// Its text.
    static let text = TraceFormText(
        "attempt.waiting",
        .control,
        ["room", "duration_ns"],
        "The next attempt begins after duration_ns."
    )

    /// Makes the values of a record.
    init(room: Int64, durationNanoseconds: Int64) {
        self.room = room
        self.durationNanoseconds = durationNanoseconds
    }
}
