import KodamaEvidence

/// A device's app joined its group.
struct GroupJoined: TraceForm {
    /// The group's number; devices of one number hear each other.
    var group: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 0) }

    /// Its text.
    static let text = TraceFormText(
        "group.joined",
        .milestone,
        ["group"],
        "A device's app joined group number `group`; devices of one number hear each other."
    )

    /// Makes the values of a record.
    init(group: Int64) {
        self.group = group
    }
}

/// Who an app's user is in its group, by the order in which members own it.
struct MemberIdentified: TraceForm {
    /// The upper 63 bits of the member's id: of those present the smallest owns the group (S-OWN-002).
    var number: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 28) }

    /// Its text.
    static let text = TraceFormText(
        "group.identified",
        .milestone,
        ["number"],
        "A device's app is in its group as the member of this number; the smallest of those present owns."
    )

    /// Makes the values of a record.
    init(number: Int64) {
        self.number = number
    }
}

/// A device's app left its group.
struct GroupLeft: TraceForm {
    /// The group's number; devices of one number hear each other.
    var group: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 1) }

    /// Its text.
    static let text = TraceFormText(
        "group.left",
        .milestone,
        ["group"],
        "A device's app left its group."
    )

    /// Makes the values of a record.
    init(group: Int64) {
        self.group = group
    }
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
    /// Why.
    var trouble: TraceWord<GroupTrouble>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 30) }

    /// Its text.
    static let text = TraceFormText(
        "group.unopened",
        .milestone,
        [.words("trouble", GroupTrouble.self)],
        "A group that the user chose was not opened, or one that was made or entered was not kept."
    )

    /// Makes the values of a record.
    init(trouble: GroupTrouble) {
        self.trouble = TraceWord(trouble)
    }
}
