/// A user did something.
///
/// The subject is the app that it was done to from outside, where the phone has several, and an
/// intercom that is muted, since a session's user does the same.
public struct UserActed: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.people, 40) }
    /// What it is called.
    public static let text = TraceFormText(
        "user.acted",
        .milestone,
        "The user of the device did something.",
        .words("action", UserAct.self)
    )
    /// What was done.
    public var action: TraceWord<UserAct>

    /// Makes the values of a record.
    public init(action: UserAct) {
        self.action = TraceWord(action)
    }
}
