import KodamaEvidence
import SansIO

/// A guest marked something that it wants measured.
struct GuestMarked: TraceForm {
    /// What.
    var mark: TraceWord<GuestMark>
    /// How much: nanoseconds of a time, or a number.
    var amount: Int64

    static let kind = TraceKind(.guest, 0)
    static let text = TraceFormText(
        "guest.marked",
        .control,
        "A guest marks a time, in nanoseconds, or a number that it wants measured.",
        .words("mark", GuestMark.self),
        "amount"
    )
}

/// A guest's writes are on the disk.
struct WritesSynced: TraceForm {
    /// How many there were since the last time.
    var writes: Int64
    /// How many keys are stored now.
    var keys: Int64

    static let kind = TraceKind(.guest, 1)
    static let text = TraceFormText(
        "guest.synced",
        .control,
        "A guest's writes since the last time are on the disk.",
        "writes",
        "keys"
    )
}

/// The end of its process lost a guest's writes.
struct WritesLost: TraceForm {
    /// How many writes were not synced.
    var writes: Int64

    static let kind = TraceKind(.guest, 2)
    static let text = TraceFormText(
        "guest.writes-lost",
        .milestone,
        "A guest's process ended with writes that it had not synced.",
        "writes"
    )
}

/// The user tells a guest something.
struct GuestTold: TraceForm {
    /// Counts what the guest was told, from 1.
    var number: Int64

    static let kind = TraceKind(.guest, 3)
    static let text = TraceFormText(
        "guest.told",
        .milestone,
        "The timeline tells a guest something, in words that the guest knows.",
        "number"
    )
}

/// A guest asks a server.
struct GuestRequested: TraceForm {
    /// The request's number among the guest's, from 1.
    var request: Int64

    static let kind = TraceKind(.guest, 4)
    static let text = TraceFormText(
        "guest.requested",
        .control,
        "A guest asks a server over HTTP.",
        "request"
    )
}

/// A guest's request ended.
struct GuestAnswered: TraceForm {
    /// The request's number among the guest's.
    var request: Int64
    /// The HTTP status, or why there is none.
    var outcome: TraceWord<RequestFailure>

    static let kind = TraceKind(.guest, 5)
    static let text = TraceFormText(
        "guest.answered",
        .control,
        "A server answered a guest's request with a status, or the request failed.",
        "request",
        .words("outcome", RequestFailure.self)
    )
}

/// Why a guest's request brought no HTTP status; below every status.
enum RequestFailure: Int64, Sendable, CaseIterable {
    /// The phone had no address to ask from.
    case offline
    /// The connection broke, or was refused.
    case lost
    /// The guest's time-out passed.
    case timedOut
}

/// The phone's notification centre did something about a notification of a guest's.
struct GuestNotified: TraceForm {
    /// What.
    var fate: TraceWord<NotificationFate>

    static let kind = TraceKind(.guest, 6)
    static let text = TraceFormText(
        "guest.notified",
        .milestone,
        "A notification of a guest's was shown, dropped, or tapped.",
        .words("fate", NotificationFate.self)
    )
}

/// What becomes of a guest's notification.
enum NotificationFate: Int64, Sendable, CaseIterable {
    /// It came to the user.
    case shown
    /// It was dropped: more than 64 waited.
    case overLimit
    /// It was dropped: the user does not allow notifications.
    case notAllowed
    /// The user tapped it.
    case tapped
}
