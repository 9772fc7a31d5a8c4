import KodamaEvidence
import SansIO

/// What the user does about a nudge; the truth, whatever the app learns of it.
enum NudgeDeed: Int64, Sendable, CaseIterable {
    case misses, ignores, taps, breaksOff, tapsBreadcrumb, reopens, staysAway
}

/// How far a nudge got, as the app sees it.
enum ShownReach: Int64, Sendable, CaseIterable {
    case unopened, opened, done
}

/// The user is distracted, and the phone has noticed.
struct DistractionNoticed: TraceForm {
    /// Whether the app nudges; else it has done so enough, or may not.
    var isNudged: TraceFlag

    static var kind: TraceKind { TraceKind(.coach, 20) }
    static let text = TraceFormText(
        "nudge.distraction",
        .milestone,
        ["nudged"],
        "The user is distracted, and the phone has noticed."
    )
}

/// A nudge came to the phone's screen, or only to its list.
struct NudgeCame: TraceForm {
    var number: Int64
    var isShown: TraceFlag

    static var kind: TraceKind { TraceKind(.coach, 21) }
    static let text = TraceFormText(
        "nudge.came",
        .milestone,
        ["number", "shown"],
        "A nudge came to the phone's screen, or only to its list."
    )
}

/// The user does something about a nudge.
struct NudgeActed: TraceForm {
    var deed: TraceWord<NudgeDeed>

    static var kind: TraceKind { TraceKind(.coach, 22) }
    static let text = TraceFormText(
        "nudge.acted",
        .milestone,
        [.words("deed", NudgeDeed.self)],
        "The user does something about a nudge."
    )
}

/// The user has done what an intervention asked for.
struct InstructionDone: TraceForm {
    static var kind: TraceKind { TraceKind(.coach, 23) }
    static let text = TraceFormText(
        "nudge.done",
        .milestone,
        [],
        "The user has done what an intervention asked for."
    )
}

/// A nudge is over for the app.
struct NudgeEnded: TraceForm {
    var number: Int64
    var reach: TraceWord<ShownReach>
    /// Whether the app saw its user go back to where they came from.
    var isBack: TraceFlag

    static var kind: TraceKind { TraceKind(.coach, 24) }
    static let text = TraceFormText(
        "nudge.ended",
        .milestone,
        ["number", .words("reach", ShownReach.self), "back"],
        "A nudge is over for the app."
    )
}
