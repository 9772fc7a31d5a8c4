import KodamaEvidence
import SansIO

/// What the user does about a nudge; the truth, whatever the app learns of it.
enum NudgeDeed: Int64, Sendable, CaseIterable {
    case misses, ignores, taps, breaksOff, tapsBreadcrumb, reopens, staysAway, takesCall
}

/// How far a nudge got, as the app sees it.
enum ShownReach: Int64, Sendable, CaseIterable {
    case unopened, opened, done
}

struct DistractionNoticed: TraceForm {
    static let kind = TraceKind(.coach, 20)
    static let text = TraceFormText(
        "nudge.distraction",
        .milestone,
        "The user is distracted, and the phone has noticed.",
        "nudged"
    )
    /// Whether the app nudges; else it has done so enough, or may not.
    var isNudged: TraceFlag
}

struct NudgeCame: TraceForm {
    static let kind = TraceKind(.coach, 21)
    static let text = TraceFormText(
        "nudge.came",
        .milestone,
        "A nudge came to the phone's screen, or only to its list.",
        "number",
        "shown"
    )
    var number: Int64
    var isShown: TraceFlag
}

struct NudgeActed: TraceForm {
    static let kind = TraceKind(.coach, 22)
    static let text = TraceFormText(
        "nudge.acted",
        .milestone,
        "The user does something about a nudge.",
        .words("deed", NudgeDeed.self)
    )
    var deed: TraceWord<NudgeDeed>
}

struct InstructionDone: TraceForm {
    static let kind = TraceKind(.coach, 23)
    static let text = TraceFormText(
        "nudge.done",
        .milestone,
        "The user has done what an intervention asked for."
    )
}

struct InterventionBegan: TraceForm {
    static let kind = TraceKind(.coach, 25)
    static let text = TraceFormText(
        "nudge.began",
        .milestone,
        "The first word of an intervention is heard.",
        "number",
        "online"
    )
    /// The nudge; 0 where the user called by the phrase.
    var number: Int64
    /// Whether the agent says it.
    var isOnline: TraceFlag
}

struct InterventionEnded: TraceForm {
    static let kind = TraceKind(.coach, 26)
    static let text = TraceFormText(
        "nudge.over",
        .milestone,
        "The app ends an intervention, and the user is to go back.",
        "done"
    )
    /// Whether what it asked for was done.
    var isDone: TraceFlag
}

struct NudgeEnded: TraceForm {
    static let kind = TraceKind(.coach, 24)
    static let text = TraceFormText(
        "nudge.ended",
        .milestone,
        "A nudge is over for the app.",
        "number",
        .words("reach", ShownReach.self),
        "back"
    )
    var number: Int64
    var reach: TraceWord<ShownReach>
    /// Whether the app saw its user go back to where they came from.
    var isBack: TraceFlag
}
