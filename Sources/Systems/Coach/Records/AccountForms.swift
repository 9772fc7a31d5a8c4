import KodamaEvidence

struct StoreOpened: TraceForm {
    static let kind = TraceKind(.coach, 40)
    static let text = TraceFormText(
        "account.store-opened",
        .milestone,
        "A process opens the coach's store, and finds so many reports in it.",
        "account",
        "reports",
        "missing"
    )
    var account: Int64
    var reports: Int64
    /// How many of those that this phone has kept before it does not find.
    var missing: Int64
}

/// From here on nothing may be lost: the store has it.
struct ReportKept: TraceForm {
    static let kind = TraceKind(.coach, 41)
    static let text = TraceFormText(
        "account.report-kept",
        .milestone,
        "The store keeps a reflection, or an event for analytics, and its outbox holds it.",
        "account",
        "report",
        "reflection"
    )
    var account: Int64
    /// The report's number among all of the account, from 1.
    var report: Int64
    var isReflection: TraceFlag
}

/// A stretch without the agent is over, and the phone has what the agent's memory is to be told of it.
struct SummaryKept: TraceForm {
    static let kind = TraceKind(.coach, 48)
    static let text = TraceFormText(
        "account.summary-kept",
        .milestone,
        "The phone keeps a summary of what was talked about without the agent, to be sent.",
        "account",
        "report"
    )
    var account: Int64
    /// Its number among all reports of the account, from 1.
    var report: Int64
}

struct ReportSettled: TraceForm {
    static let kind = TraceKind(.coach, 42)
    static let text = TraceFormText(
        "account.settled",
        .milestone,
        "The store marks a report of an outbox, which the server has taken or rejects.",
        "account",
        "report",
        "taken"
    )
    var account: Int64
    var report: Int64
    var isTaken: TraceFlag
}

/// What the server has; the truth, whatever the phone learns of it.
struct ReportCounted: TraceForm {
    static let kind = TraceKind(.coach, 43)
    static let text = TraceFormText(
        "account.counted",
        .milestone,
        "The app's own server now has a report of an account so many times.",
        "account",
        "report",
        "times"
    )
    var account: Int64
    var report: Int64
    var times: Int64
}

/// What the server says to the phone, whatever the app makes of it.
struct LimitMet: TraceForm {
    static let kind = TraceKind(.coach, 49)
    static let text = TraceFormText(
        "account.limit-met",
        .milestone,
        "The app's own server refuses something: the user has done it as often as they may.",
        "account",
        .words("use", LimitedUse.self)
    )
    var account: Int64
    var use: TraceWord<LimitedUse>
}

struct LimitsShown: TraceForm {
    static let kind = TraceKind(.coach, 54)
    static let text = TraceFormText(
        "account.limits-shown",
        .milestone,
        "The app shows which usage limits are reached, as bits by their number.",
        "account",
        "kinds"
    )
    var account: Int64
    /// The bits of the uses whose limit is reached, by the numbers of `LimitedUse`.
    var kinds: Int64
}

/// What a user may do only so often (AN-20).
enum LimitedUse: Int64, Sendable, CaseIterable {
    case voiceClones, reflections, metrics, wakeLinks
}
