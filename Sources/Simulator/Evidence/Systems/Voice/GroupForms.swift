/// A device's app joined its group.
public struct GroupJoined: TraceForm {
    /// The group's number; devices of one number hear each other.
    public var group: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.voice, 0) }

    /// Its text.
    public static let text = TraceFormText(
        "group.joined",
        .milestone,
        ["group"],
        "A device's app joined group number `group`; devices of one number hear each other."
    )

    /// Makes the values of a record.
    @inlinable
    public init(group: Int64) {
        self.group = group
    }
}

/// A device's app left its group.
public struct GroupLeft: TraceForm {
    /// The group's number; devices of one number hear each other.
    public var group: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.voice, 1) }

    /// Its text.
    public static let text = TraceFormText(
        "group.left",
        .milestone,
        ["group"],
        "A device's app left its group."
    )

    /// Makes the values of a record.
    @inlinable
    public init(group: Int64) {
        self.group = group
    }
}
