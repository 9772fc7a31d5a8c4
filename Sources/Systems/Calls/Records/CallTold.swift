import KodamaEvidence

/// The app says something of a call, and whether all that it says of it is right (VP-08).
struct CallTold: TraceForm {
    /// The call's number.
    var call: Int64
    /// What it says.
    var event: TraceWord<CallTelling>
    /// Whether the call's identities, the other party, their name and whether there are pictures are
    /// there, and are those that the server has.
    var isRight: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 19) }

    /// Its text.
    static let text = TraceFormText(
        "call.told",
        .control,
        ["call", .words("event", CallTelling.self), "right"],
        "The app says something of a call; right if identities, party, name and pictures are the call's."
    )

    /// Makes the values of a record.
    init(call: Int64, event: CallTelling, isRight: Bool) {
        self.call = call
        self.event = TraceWord(event)
        self.isRight = TraceFlag(isRight)
    }
}
