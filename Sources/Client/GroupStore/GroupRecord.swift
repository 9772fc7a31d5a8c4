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

/// A member that this phone has been in a group with.
public struct MemberRecord: Sendable, Equatable {
    /// The member's id.
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

/// An unused invite that the user made to a group.
public struct InviteRecord: Sendable, Equatable {
    /// When it was made; whole seconds count.
    public var made: WallTime
    /// When it expires, if it does; whole seconds count.
    public var expires: WallTime?

    /// Describes an invite.
    public init(made: WallTime, expires: WallTime? = nil) {
        self.made = made
        self.expires = expires
    }

    /// For how long its guest may still come.
    ///
    /// A clock that was set back makes the wait no longer than it was at first.
    ///
    /// - Parameters:
    ///   - now: What the phone's clock shows.
    ///   - patience: How long a guest is waited for at most.
    /// - Returns: That time; `nil` if it is over.
    public func remaining(at now: WallTime, patience: Duration) -> Duration? {
        let elapsed = max(0, now.secondsSince1970 - made.secondsSince1970)
        var seconds = patience.components.seconds - elapsed
        if let expires { seconds = min(seconds, expires.secondsSince1970 - now.secondsSince1970) }
        return seconds > 0 ? .seconds(seconds) : nil
    }
}
