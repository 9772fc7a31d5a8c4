public import SansIO

/// A group as it is shown: everything but its secret (S-GRP-002).
public struct GroupRecord: Sendable, Equatable {
    /// Which group.
    public var id: GroupID
    /// What people call it.
    public var name: DisplayName?
    /// When this phone came to know it; whole seconds count.
    public var created: WallTime
    /// When it was last talked in; whole seconds count.
    public var lastUsed: WallTime?

    /// Describes a group.
    public init(
        id: GroupID,
        name: DisplayName? = nil,
        created: WallTime,
        lastUsed: WallTime? = nil
    ) {
        self.id = id
        self.name = name
        self.created = created
        self.lastUsed = lastUsed
    }
}

/// Somebody with whom this phone has been in a group.
public struct MemberRecord: Sendable, Equatable {
    /// Who.
    public var id: MemberID
    /// What the member is called, if it ever said so.
    public var name: DisplayName?
    /// When the member was last seen in any group; whole seconds count.
    public var lastSeen: WallTime

    /// Describes a member.
    public init(id: MemberID, name: DisplayName? = nil, lastSeen: WallTime) {
        self.id = id
        self.name = name
        self.lastSeen = lastSeen
    }
}
