import KodamaEvidence

/// What an invite cannot be made without.
enum InviteLack: Int64, Sendable, CaseIterable {
    /// The app does not run, or is held.
    case app
    /// The app is in no group.
    case group
}

/// A user wanted to make an invite, and there was none to make: whoever it was for gets nothing.
struct InviteUnmade: TraceForm {
    static let kind = TraceKind(.intercom, 31)
    static let text = TraceFormText(
        "invite.unmade",
        .milestone,
        "A user wanted to make an invite, and the app did not run or was in no group.",
        .words("lack", InviteLack.self)
    )
    /// What was missing.
    var lack: TraceWord<InviteLack>
}
