import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

struct CallPlaced: TraceForm {
    static let kind = TraceKind(.calls, 8)
    static let text = TraceFormText(
        "call.placed",
        .milestone,
        "The app server has a call of the app from now on.",
        "call"
    )
    var call: Int64
}

struct CallRinging: TraceForm {
    static let kind = TraceKind(.calls, 9)
    static let text = TraceFormText(
        "call.ringing",
        .milestone,
        "The call screen of a phone rings for a call.",
        "call"
    )
    var call: Int64
}

struct CallRingEnded: TraceForm {
    static let kind = TraceKind(.calls, 10)
    static let text = TraceFormText(
        "call.ring-ended",
        .milestone,
        "The call screen rings no more.",
        "call",
        .words("end", RingEnd.self)
    )
    var call: Int64
    var end: TraceWord<RingEnd>
}

struct CallTaken: TraceForm {
    static let kind = TraceKind(.calls, 11)
    static let text = TraceFormText(
        "call.taken",
        .milestone,
        "The app server has the answer to a call; the subject is the app that called.",
        "call"
    )
    var call: Int64
}

struct CallOver: TraceForm {
    static let kind = TraceKind(.calls, 12)
    static let text = TraceFormText(
        "call.over",
        .milestone,
        "The app server knows that a call is over; the subject is the app that called.",
        "call",
        .words("reason", CallEnding.self)
    )
    var call: Int64
    /// Why.
    var reason: TraceWord<CallEnding>
}

struct CallConnected: TraceForm {
    static let kind = TraceKind(.calls, 13)
    static let text = TraceFormText(
        "call.connected",
        .milestone,
        "The app says that both sides of a call are joined.",
        "call"
    )
    var call: Int64
}

struct CallEnded: TraceForm {
    static let kind = TraceKind(.calls, 14)
    static let text = TraceFormText(
        "call.ended",
        .milestone,
        "The app says that a call is over.",
        "call",
        .words("reason", CallEnding.self)
    )
    var call: Int64
    /// Why.
    var reason: TraceWord<CallEnding>
}

struct CallVoiceFlowing: TraceForm {
    static let kind = TraceKind(.calls, 15)
    static let text = TraceFormText(
        "call.voice-flowing",
        .control,
        "The subject's voice is heard at the phone from then on.",
        "call",
        "heard_ns"
    )
    var call: Int64
    /// When its first sample is heard.
    var heard: Instant
}

struct CallVoiceStopped: TraceForm {
    static let kind = TraceKind(.calls, 16)
    static let text = TraceFormText(
        "call.voice-stopped",
        .control,
        "The subject's voice is heard at the phone no more.",
        "call"
    )
    var call: Int64
}

struct MissedCallShown: TraceForm {
    static let kind = TraceKind(.calls, 17)
    static let text = TraceFormText(
        "call.missed-shown",
        .milestone,
        "The phone shows a notice of a missed call.",
        "call"
    )
    var call: Int64
}
