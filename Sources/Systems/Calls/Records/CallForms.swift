import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

/// The app server has a call of the app from now on.
struct CallPlaced: TraceForm {
    /// The call's number.
    var call: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 8) }

    /// Its text.
    static let text = TraceFormText(
        "call.placed",
        .milestone,
        ["call"],
        "The app server has a call of the app from now on."
    )

    /// Makes the values of a record.
    init(call: Int64) {
        self.call = call
    }
}

/// The call screen of a phone rings for a call.
struct CallRinging: TraceForm {
    /// The call's number.
    var call: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 9) }

    /// Its text.
    static let text = TraceFormText(
        "call.ringing",
        .milestone,
        ["call"],
        "The call screen of a phone rings for a call."
    )

    /// Makes the values of a record.
    init(call: Int64) {
        self.call = call
    }
}

/// The call screen rings no more.
struct CallRingEnded: TraceForm {
    /// The call's number.
    var call: Int64
    /// How.
    var end: TraceWord<RingEnd>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 10) }

    /// Its text.
    static let text = TraceFormText(
        "call.ring-ended",
        .milestone,
        ["call", .words("end", RingEnd.self)],
        "The call screen rings no more."
    )

    /// Makes the values of a record.
    init(call: Int64, end: RingEnd) {
        self.call = call
        self.end = TraceWord(end)
    }
}

/// The app server has the answer to a call; the subject is the app that called.
struct CallTaken: TraceForm {
    /// The call's number.
    var call: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 11) }

    /// Its text.
    static let text = TraceFormText(
        "call.taken",
        .milestone,
        ["call"],
        "The app server has the answer to a call; the subject is the app that called."
    )

    /// Makes the values of a record.
    init(call: Int64) {
        self.call = call
    }
}

/// The app server knows that a call is over; the subject is the app that called.
struct CallOver: TraceForm {
    /// The call's number.
    var call: Int64
    /// Why.
    var reason: TraceWord<CallEnding>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 12) }

    /// Its text.
    static let text = TraceFormText(
        "call.over",
        .milestone,
        ["call", .words("reason", CallEnding.self)],
        "The app server knows that a call is over; the subject is the app that called."
    )

    /// Makes the values of a record.
    init(call: Int64, reason: CallEnding) {
        self.call = call
        self.reason = TraceWord(reason)
    }
}

/// The app says that both sides of a call are joined.
struct CallConnected: TraceForm {
    /// The call's number.
    var call: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 13) }

    /// Its text.
    static let text = TraceFormText(
        "call.connected",
        .milestone,
        ["call"],
        "The app says that both sides of a call are joined."
    )

    /// Makes the values of a record.
    init(call: Int64) {
        self.call = call
    }
}

/// The app says that a call is over.
struct CallEnded: TraceForm {
    /// The call's number.
    var call: Int64
    /// Why.
    var reason: TraceWord<CallEnding>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 14) }

    /// Its text.
    static let text = TraceFormText(
        "call.ended",
        .milestone,
        ["call", .words("reason", CallEnding.self)],
        "The app says that a call is over."
    )

    /// Makes the values of a record.
    init(call: Int64, reason: CallEnding) {
        self.call = call
        self.reason = TraceWord(reason)
    }
}

/// The subject's voice is heard at the phone from then on.
struct CallVoiceFlowing: TraceForm {
    /// The call's number.
    var call: Int64
    /// When its first sample is heard.
    var heard: Instant

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 15) }

    /// Its text.
    static let text = TraceFormText(
        "call.voice-flowing",
        .control,
        ["call", "heard_ns"],
        "The subject's voice is heard at the phone from then on."
    )

    /// Makes the values of a record.
    init(call: Int64, heard: Instant) {
        self.call = call
        self.heard = heard
    }
}

/// The subject's voice is heard at the phone no more.
struct CallVoiceStopped: TraceForm {
    /// The call's number.
    var call: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 16) }

    /// Its text.
    static let text = TraceFormText(
        "call.voice-stopped",
        .control,
        ["call"],
        "The subject's voice is heard at the phone no more."
    )

    /// Makes the values of a record.
    init(call: Int64) {
        self.call = call
    }
}

/// The phone shows a notice of a missed call.
struct MissedCallShown: TraceForm {
    /// The call's number.
    var call: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 17) }

    /// Its text.
    static let text = TraceFormText(
        "call.missed-shown",
        .milestone,
        ["call"],
        "The phone shows a notice of a missed call."
    )

    /// Makes the values of a record.
    init(call: Int64) {
        self.call = call
    }
}
