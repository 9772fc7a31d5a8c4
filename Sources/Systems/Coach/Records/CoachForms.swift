import KodamaEvidence
import SansIO

/// The time has come at which the user wants to be woken, by true time.
struct MorningDue: TraceForm {
    /// The morning's number on this phone, from 1.
    var morning: Int64
    /// How many sounds the system has for it.
    var armed: Int64
    /// What the app told its user last of how it will wake them.
    var route: TraceWord<WakeRoute>
    /// Whether the phone is on.
    var isPhoneOn: TraceFlag

    static var kind: TraceKind { TraceKind(.coach, 1) }
    static let text = TraceFormText(
        "coach.morning-due",
        .milestone,
        ["morning", "armed", .words("route", WakeRoute.self, orNone: true), "phone_on"],
        "The time has come at which the user wants to be woken."
    )
}

/// The app tells its user how it will wake them, or that it cannot.
struct RouteShown: TraceForm {
    var route: TraceWord<WakeRoute>

    static var kind: TraceKind { TraceKind(.coach, 2) }
    static let text = TraceFormText(
        "coach.route-shown",
        .milestone,
        [.words("route", WakeRoute.self, orNone: true)],
        "The app tells its user how it will wake them, or that it cannot."
    )
}

/// The system has fired a sound that the app had armed.
struct EntryFired: TraceForm {
    /// When it was due.
    var scheduled: Instant
    var route: TraceWord<WakeRoute>
    /// Which rung of its ladder it is, from 0.
    var rung: Int64

    static var kind: TraceKind { TraceKind(.coach, 3) }
    static let text = TraceFormText(
        "coach.fired",
        .milestone,
        ["scheduled_ns", .words("route", WakeRoute.self), "rung"],
        "The system has fired a sound that the app had armed."
    )
}

/// A sound that the app had armed did not come, and nothing on the phone says so.
struct EntryLost: TraceForm {
    var loss: TraceWord<EntryLoss>
    /// Which rung of its ladder it is, from 0.
    var rung: Int64

    static var kind: TraceKind { TraceKind(.coach, 4) }
    static let text = TraceFormText(
        "coach.lost",
        .milestone,
        [.words("loss", EntryLoss.self), "rung"],
        "A sound that the app had armed did not come, and nothing on the phone says so."
    )
}

/// The sleeper's ear gets a sound of the phone from now on, or none.
struct SoundHeard: TraceForm {
    /// How loud it is, A-weighted; 0 for none.
    var levelDecibels: Int64

    static var kind: TraceKind { TraceKind(.coach, 5) }
    static let text = TraceFormText(
        "coach.heard",
        .control,
        ["level_dba"],
        "The sleeper's ear gets a sound of the phone from now on, or none."
    )
}

/// The sleeper does something.
struct SleeperActed: TraceForm {
    var deed: TraceWord<SleeperDeed>

    static var kind: TraceKind { TraceKind(.coach, 6) }
    static let text = TraceFormText(
        "coach.sleeper-acted",
        .milestone,
        [.words("deed", SleeperDeed.self)],
        "The sleeper does something."
    )
}

/// The first word of a line of the guide is heard.
struct LineBegan: TraceForm {
    /// The step, from 0.
    var step: Int64
    var isRepetition: TraceFlag
    /// Whether the phone's own voice says it.
    var isOffline: TraceFlag

    static var kind: TraceKind { TraceKind(.coach, 7) }
    static let text = TraceFormText(
        "coach.line",
        .milestone,
        ["step", "repetition", "offline"],
        "The first word of a line of the guide is heard."
    )
}

/// The sleeper lets a question pass, or says something.
struct SleeperReplied: TraceForm {
    var reply: TraceWord<SleeperReply>

    static var kind: TraceKind { TraceKind(.coach, 8) }
    static let text = TraceFormText(
        "coach.replied",
        .control,
        [.words("reply", SleeperReply.self)],
        "The sleeper answers a question, or lets it pass."
    )
}

/// A morning is over for the app.
struct MorningEnded: TraceForm {
    var outcome: TraceWord<ShownOutcome>

    static var kind: TraceKind { TraceKind(.coach, 9) }
    static let text = TraceFormText(
        "coach.morning-ended",
        .milestone,
        [.words("outcome", ShownOutcome.self)],
        "A morning is over for the app."
    )
}

/// The app keeps a fact for its analytics.
struct FactKept: TraceForm {
    var fact: TraceWord<AnalyticsFact>

    static var kind: TraceKind { TraceKind(.coach, 10) }
    static let text = TraceFormText(
        "coach.fact",
        .control,
        [.words("fact", AnalyticsFact.self)],
        "The app keeps a fact for its analytics."
    )
}

/// The phone goes off, or comes on again.
struct PhonePowered: TraceForm {
    var isOn: TraceFlag

    static var kind: TraceKind { TraceKind(.coach, 11) }
    static let text = TraceFormText(
        "coach.phone-power",
        .milestone,
        ["on"],
        "The phone goes off, or comes on again."
    )
}

/// The user changes what the app may do to wake them.
struct GrantChanged: TraceForm {
    var route: TraceWord<WakeRoute>
    var isGranted: TraceFlag

    static var kind: TraceKind { TraceKind(.coach, 12) }
    static let text = TraceFormText(
        "coach.grant",
        .milestone,
        [.words("route", WakeRoute.self), "granted"],
        "The user changes what the app may do to wake them."
    )
}
