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
