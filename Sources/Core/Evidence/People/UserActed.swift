/// A user did something.
///
/// The subject is the app that it was done to from outside, where the phone has several, and an
/// intercom that is muted, since a session's user does the same.
public struct UserActed: TraceForm {
    /// What was done.
    public var action: TraceWord<UserAct>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.people, 40) }

    /// Its text.
    public static let text = TraceFormText(
        "user.acted",
        .milestone,
        [.words("action", UserAct.self)],
        "The user of the device did something."
    )

    /// Makes the values of a record.
    @inlinable
    public init(action: UserAct) {
        self.action = TraceWord(action)
    }
}
