import KodamaEvidence
import KodamaNetwork
import KodamaPhone

/// An attempt of a room object begins.
struct AttemptBegan: TraceForm {
    static let kind = TraceKind(.session, 33)
    static let text = TraceFormText(
        "attempt.began",
        .milestone,
        "Attempt `number` begins.",
        "room",
        "number",
        .words("kind", AttemptKind.self)
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// The attempt, from 1 within its connect or reconnect.
    var number: Int64
    /// What is attempted.
    var attempt: TraceWord<AttemptKind>
}

/// The signal connection of an attempt is up.
struct AttemptSignalled: TraceForm {
    static let kind = TraceKind(.session, 34)
    static let text = TraceFormText(
        "attempt.signalled",
        .control,
        "The server answered the attempt's join or resume.",
        "room"
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
}

/// The media of an attempt is up.
struct AttemptConnected: TraceForm {
    static let kind = TraceKind(.session, 35)
    static let text = TraceFormText(
        "attempt.connected",
        .control,
        "The attempt's primary transport is connected.",
        "room"
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
}

/// An attempt of a room object ended.
struct AttemptEnded: TraceForm {
    static let kind = TraceKind(.session, 36)
    static let text = TraceFormText(
        "attempt.ended",
        .milestone,
        "The attempt ended: well, or with an AttemptFailure.",
        "room",
        .words("failure", AttemptFailure.self, orNone: true)
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// What it failed of, or none.
    var failure: TraceWord<AttemptFailure>
}

/// A room object waits before its next attempt.
struct AttemptWaiting: TraceForm {
    static let kind = TraceKind(.session, 37)
    static let text = TraceFormText(
        "attempt.waiting",
        .control,
        "The next attempt begins after duration_ns.",
        "room",
        "duration_ns"
    )
    /// The room object's number on its phone, from 1.
    var room: Int64
    /// How long it waits, in nanoseconds.
    var durationNanoseconds: Int64
}
