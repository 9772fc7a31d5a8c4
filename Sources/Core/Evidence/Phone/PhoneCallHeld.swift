/// A phone call was put on hold, or ended, for another call.
///
/// That the user is called, and ends the call, `user.acted` says; this is how a phone call ends
/// otherwise.
public struct PhoneCallHeld: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 22) }
    /// What it is called.
    public static let text = TraceFormText(
        "phone.call.held",
        .milestone,
        "The user took up a call during a phone call, which is on hold or over from then on."
    )

    /// Makes the values of a record.
    @inlinable
    public init() {}
}
