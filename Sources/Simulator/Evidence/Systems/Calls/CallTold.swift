/// The app says something of a call, and whether all that it says of it is right (VP-08).
public struct CallTold: TraceForm {
    /// The call's number.
    public var call: Int64
    /// What it says.
    public var event: TraceWord<CallTelling>
    /// Whether the call's identities, the other party, their name and whether there are pictures are
    /// there, and are those that the server has.
    public var isRight: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.calls, 19) }

    /// Its text.
    public static let text = TraceFormText(
        "call.told",
        .control,
        ["call", .words("event", CallTelling.self), "right"],
        "The app says something of a call; right if identities, party, name and pictures are the call's."
    )

    /// Makes the values of a record.
    @inlinable
    public init(call: Int64, event: CallTelling, isRight: Bool) {
        self.call = call
        self.event = TraceWord(event)
        self.isRight = TraceFlag(isRight)
    }
}
