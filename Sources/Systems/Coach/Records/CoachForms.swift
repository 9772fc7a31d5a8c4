import KodamaEvidence
import SansIO

/// The time has come at which the user wants to be woken, by true time.
struct MorningDue: TraceForm {
    static let kind = TraceKind(.coach, 1)
    static let text = TraceFormText(
        "coach.morning-due",
        .milestone,
        "The time has come at which the user wants to be woken.",
        "morning",
        "armed",
        .words("route", WakeRoute.self, orNone: true),
        "phone_on"
    )
    /// The morning's number on this phone, from 1.
    var morning: Int64
    /// How many sounds the system has for it.
    var armed: Int64
    /// What the app told its user last of how it will wake them.
    var route: TraceWord<WakeRoute>
    /// Whether the phone is on.
    var isPhoneOn: TraceFlag
}

/// The time of a further wake has come for a user whom an earlier one has got up, or has in its guide.
struct WakeUnneeded: TraceForm {
    static let kind = TraceKind(.coach, 15)
    static let text = TraceFormText(
        "coach.wake-unneeded",
        .milestone,
        "The time of a further wake has come, and the user is up already, or in the guide.",
        "wake"
    )
    /// Which wake, from 1.
    var wake: Int64
}

struct RouteShown: TraceForm {
    static let kind = TraceKind(.coach, 2)
    static let text = TraceFormText(
        "coach.route-shown",
        .milestone,
        "The app tells its user how it will wake them, or that it cannot.",
        .words("route", WakeRoute.self, orNone: true)
    )
    var route: TraceWord<WakeRoute>
}

struct EntryFired: TraceForm {
    static let kind = TraceKind(.coach, 3)
    static let text = TraceFormText(
        "coach.fired",
        .milestone,
        "The system has fired a sound that the app had armed.",
        "scheduled_ns",
        .words("route", WakeRoute.self),
        "rung",
        .words("sound", FiredSound.self)
    )
    /// When it was due.
    var scheduled: Instant
    var route: TraceWord<WakeRoute>
    /// Which rung of its ladder it is, from 0.
    var rung: Int64
    /// What the system plays for it.
    var sound: TraceWord<FiredSound>
}

struct EntryLost: TraceForm {
    static let kind = TraceKind(.coach, 4)
    static let text = TraceFormText(
        "coach.lost",
        .milestone,
        "A sound that the app had armed did not come, and nothing on the phone says so.",
        .words("loss", EntryLoss.self),
        "rung"
    )
    var loss: TraceWord<EntryLoss>
    /// Which rung of its ladder it is, from 0.
    var rung: Int64
}

struct SoundHeard: TraceForm {
    static let kind = TraceKind(.coach, 5)
    static let text = TraceFormText(
        "coach.heard",
        .control,
        "The sleeper's ear gets a sound of the phone from now on, or none.",
        "level_dba"
    )
    /// How loud it is, A-weighted; 0 for none.
    var levelDecibels: Int64
}

struct SleeperActed: TraceForm {
    static let kind = TraceKind(.coach, 6)
    static let text = TraceFormText(
        "coach.sleeper-acted",
        .milestone,
        "The sleeper does something.",
        .words("deed", SleeperDeed.self)
    )
    var deed: TraceWord<SleeperDeed>
}

struct LineBegan: TraceForm {
    static let kind = TraceKind(.coach, 7)
    static let text = TraceFormText(
        "coach.line",
        .milestone,
        "The first word of a line of the guide is heard.",
        "step",
        "repetition",
        "offline"
    )
    /// The step, from 0.
    var step: Int64
    var isRepetition: TraceFlag
    /// Whether the phone's own voice says it.
    var isOffline: TraceFlag
}

/// The sleeper lets a question pass, or says something.
struct SleeperReplied: TraceForm {
    static let kind = TraceKind(.coach, 8)
    static let text = TraceFormText(
        "coach.replied",
        .control,
        "The sleeper answers a question, or lets it pass.",
        .words("reply", SleeperReply.self)
    )
    var reply: TraceWord<SleeperReply>
}

struct MorningEnded: TraceForm {
    static let kind = TraceKind(.coach, 9)
    static let text = TraceFormText(
        "coach.morning-ended",
        .milestone,
        "A morning is over for the app.",
        .words("outcome", ShownOutcome.self)
    )
    var outcome: TraceWord<ShownOutcome>
}

struct FactKept: TraceForm {
    static let kind = TraceKind(.coach, 10)
    static let text = TraceFormText(
        "coach.fact",
        .control,
        "The app keeps a fact for its analytics.",
        .words("fact", AnalyticsFact.self)
    )
    var fact: TraceWord<AnalyticsFact>
}

struct PhonePowered: TraceForm {
    static let kind = TraceKind(.coach, 11)
    static let text = TraceFormText(
        "coach.phone-power",
        .milestone,
        "The phone goes off, or comes on again.",
        "on"
    )
    var isOn: TraceFlag
}

/// The agent and the user hear each other from now on, or do not any more; the truth.
struct AgentVoiceChanged: TraceForm {
    static let kind = TraceKind(.coach, 13)
    static let text = TraceFormText(
        "coach.agent-voice",
        .milestone,
        "The agent and the user hear each other from now on, or do not any more.",
        "there",
        "awaited"
    )
    var isThere: TraceFlag
    /// Whether a line of the guide was to be said, or was being said.
    var isAwaited: TraceFlag
}

/// The microphone works for the app or not, and a conversation goes on or not.
struct ListeningChanged: TraceForm {
    static let kind = TraceKind(.coach, 14)
    static let text = TraceFormText(
        "coach.listening",
        .control,
        "The microphone works for the app or not, and a conversation is wanted or not.",
        "open",
        "wanted"
    )
    var isOpen: TraceFlag
    var isWanted: TraceFlag
}

/// The user stops talking in a conversation that belongs to no morning and no nudge; the truth.
struct TalkLeft: TraceForm {
    static let kind = TraceKind(.coach, 16)
    static let text = TraceFormText(
        "coach.talk-left",
        .milestone,
        "The user has talked with the agent for no morning and no nudge, and hangs up or just stops.",
        "hangs_up"
    )
    var hangsUp: TraceFlag
}

struct GrantChanged: TraceForm {
    static let kind = TraceKind(.coach, 12)
    static let text = TraceFormText(
        "coach.grant",
        .milestone,
        "The user changes what the app may do to wake them.",
        .words("route", WakeRoute.self),
        "granted"
    )
    var route: TraceWord<WakeRoute>
    var isGranted: TraceFlag
}
