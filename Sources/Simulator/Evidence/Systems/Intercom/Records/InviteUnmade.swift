/// What an invite cannot be made without.
public enum InviteLack: Int64, Sendable, CaseIterable {
    /// The app does not run, or is held.
    case app
    /// The app is in no group.
    case group
}

/// A user wanted to make an invite, and there was none to make: whoever it was for gets nothing.
public struct InviteUnmade: TraceForm {
    /// What was missing.
    public var lack: TraceWord<InviteLack>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 31) }

    /// Its text.
    public static let text = TraceFormText(
        "invite.unmade",
        .milestone,
        [.words("lack", InviteLack.self)],
        "A user wanted to make an invite, and the app did not run or was in no group."
    )

    /// Makes the values of a record.
    @inlinable
    public init(lack: InviteLack) {
        self.lack = TraceWord(lack)
    }
}
