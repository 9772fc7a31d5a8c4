import KodamaEvidence

struct StoreOpened: TraceForm {
    static let kind = TraceKind(.coach, 40)
    static let text = TraceFormText(
        "account.store-opened",
        .milestone,
        "A process opens the coach's store, and finds so many records in it.",
        "account",
        "reflections",
        "events"
    )
    var account: Int64
    var reflections: Int64
    var events: Int64
}

/// From here on nothing may be lost: the store has it.
struct ReportKept: TraceForm {
    static let kind = TraceKind(.coach, 41)
    static let text = TraceFormText(
        "account.report-kept",
        .milestone,
        "The store keeps a reflection, or an event for analytics, and its outbox holds it.",
        "account",
        "reflection"
    )
    var account: Int64
    var isReflection: TraceFlag
}

struct ReportsSettled: TraceForm {
    static let kind = TraceKind(.coach, 42)
    static let text = TraceFormText(
        "account.settled",
        .milestone,
        "The store marks reports of an outbox, which the server has taken or rejects.",
        "account",
        "reflection",
        "taken",
        "rejected"
    )
    var account: Int64
    var isReflection: TraceFlag
    var taken: Int64
    var rejected: Int64
}

/// What the server has; the truth, whatever the phone learns of it.
struct ReportsCounted: TraceForm {
    static let kind = TraceKind(.coach, 43)
    static let text = TraceFormText(
        "account.counted",
        .milestone,
        "The app's own server has so many reflections and events of an account.",
        "account",
        "reflections",
        "events"
    )
    var account: Int64
    var reflections: Int64
    var events: Int64
}
