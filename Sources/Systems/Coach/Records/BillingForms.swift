import KodamaEvidence
import SansIO

/// Until when a user has a right to access; the truth, which only the billing service knows.
struct RightChanged: TraceForm {
    static let kind = TraceKind(.coach, 44)
    static let text = TraceFormText(
        "account.right",
        .milestone,
        "The billing service has charged, or could not: until when the user has a right to access.",
        "account",
        "due_until_ns",
        "ends_ns"
    )
    var account: Int64
    /// The first instant at which the user need not have access.
    var isDueUntil: Instant
    /// The first instant at which the user must not have access.
    var ends: Instant
}

struct BillingReach: TraceForm {
    static let kind = TraceKind(.coach, 45)
    static let text = TraceFormText(
        "account.billing",
        .milestone,
        "The billing service goes down, or is back.",
        "account",
        "up"
    )
    var account: Int64
    var isUp: TraceFlag
}

struct AccessShown: TraceForm {
    static let kind = TraceKind(.coach, 46)
    static let text = TraceFormText(
        "account.access",
        .milestone,
        "The app shows whether its user has access, which is new in this process.",
        "account",
        .words("status", ShownAccess.self)
    )
    var account: Int64
    var status: TraceWord<ShownAccess>
}

struct AccessUsed: TraceForm {
    static let kind = TraceKind(.coach, 47)
    static let text = TraceFormText(
        "account.used",
        .milestone,
        "The user talks with the app, in the evening or in the morning, and has access or not.",
        "account",
        "access"
    )
    var account: Int64
    var hasAccess: TraceFlag
}

/// What the app shows of a subscription.
enum ShownAccess: Int64, Sendable, CaseIterable {
    case none, trial, paid, grace, ended

    /// Whether it means access.
    var isEntitled: Bool { self == .trial || self == .paid || self == .grace }
}
