import KodamaEvidence

/// A device's app joined its group.
struct GroupJoined: TraceForm {
    static let kind = TraceKind(.intercom, 0)
    static let text = TraceFormText(
        "group.joined",
        .milestone,
        "A device's app joined group number `group`; devices of one number hear each other.",
        "group"
    )
    /// The group's number; devices of one number hear each other.
    var group: Int64
}

/// Who an app's user is in its group, by the order in which members own it.
struct MemberIdentified: TraceForm {
    static let kind = TraceKind(.intercom, 28)
    static let text = TraceFormText(
        "group.identified",
        .milestone,
        "A device's app is in its group as the member of this number; the smallest of those present owns.",
        "number"
    )
    /// The upper 63 bits of the member's id: of those present the smallest owns the group (S-OWN-002).
    var number: Int64
}

struct GroupLeft: TraceForm {
    static let kind = TraceKind(.intercom, 1)
    static let text = TraceFormText(
        "group.left",
        .milestone,
        "A device's app left its group.",
        "group"
    )
    /// The group's number; devices of one number hear each other.
    var group: Int64
}

/// A device's app in a group is held by the system, or runs again.
struct GroupHeld: TraceForm {
    static let kind = TraceKind(.intercom, 35)
    static let text = TraceFormText(
        "group.held",
        .control,
        "The process of a device's app in a group is held, and its screen stands still; or it runs again.",
        "held"
    )
    /// Whether it is held from now on.
    var isHeld: TraceFlag
}

/// Why a phone cannot use a group.
enum GroupTrouble: Int64, Sendable, CaseIterable {
    /// The keychain did not take the group's secret.
    case secretNotKept
    /// The keychain has no secret of the group, or a broken one.
    case secretMissing
    /// The keychain cannot be read.
    case secretUnavailable
    /// One was to be made by somebody who is in another.
    case inAnother
}

/// A group that the user chose could not be opened, or one that was made or entered was not kept.
///
/// Or none was made: whoever is in one has to leave it first.
struct GroupUnopened: TraceForm {
    static let kind = TraceKind(.intercom, 30)
    static let text = TraceFormText(
        "group.unopened",
        .milestone,
        "A group that the user chose was not opened, or one that was made or entered was not kept.",
        .words("trouble", GroupTrouble.self)
    )
    /// Why.
    var trouble: TraceWord<GroupTrouble>
}
