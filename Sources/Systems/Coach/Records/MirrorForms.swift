import KodamaEvidence

/// What counts from here on: the edit must reach the account's other phones, unless a later one replaces it.
struct FieldEdited: TraceForm {
    static let kind = TraceKind(.coach, 50)
    static let text = TraceFormText(
        "mirror.edited",
        .milestone,
        "The user of a phone sets a field of the account's records, or a report adds one.",
        "account",
        "field",
        "edit",
        "clock"
    )
    var account: Int64
    /// The field's number among all of the account.
    var field: Int64
    /// The edit's number among all of the account, from 1.
    var edit: Int64
    /// What decides between concurrent edits: the phone's clock, but later than what was seen, in 2⁻¹⁶ ms.
    var clock: Int64
}

struct FieldHeld: TraceForm {
    static let kind = TraceKind(.coach, 51)
    static let text = TraceFormText(
        "mirror.held",
        .milestone,
        "A phone has an edit of a field from the mirror.",
        "account",
        "field",
        "edit"
    )
    var account: Int64
    var field: Int64
    var edit: Int64
}

struct MirrorReach: TraceForm {
    static let kind = TraceKind(.coach, 52)
    static let text = TraceFormText(
        "mirror.reach",
        .milestone,
        "A phone of an account reaches the mirror, or does not any more; off counts as not.",
        "account",
        "reachable"
    )
    var account: Int64
    var isReachable: TraceFlag
}

struct MirrorSynced: TraceForm {
    static let kind = TraceKind(.coach, 53)
    static let text = TraceFormText(
        "mirror.synced",
        .milestone,
        "A phone has given the mirror so many records and taken so many, or was told to wait.",
        "account",
        "given",
        "taken",
        "limited"
    )
    var account: Int64
    var given: Int64
    var taken: Int64
    var isLimited: TraceFlag
}
