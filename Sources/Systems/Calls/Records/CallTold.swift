import KodamaEvidence

/// The app says something of a call, and whether all that it says of it is right (VP-08).
struct CallTold: TraceForm {
    static let kind = TraceKind(.calls, 19)
    static let text = TraceFormText(
        "call.told",
        .control,
        "The app says something of a call; right if identities, party, name and pictures are the call's.",
        "call",
        .words("event", CallTelling.self),
        "right"
    )
    var call: Int64
    /// What it says.
    var event: TraceWord<CallTelling>
    /// Whether the call's identities, the other party, their name and whether there are pictures are
    /// there, and are those that the server has.
    var isRight: TraceFlag
}
