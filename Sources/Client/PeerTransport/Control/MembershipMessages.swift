public import SansIO

/// How many members a group may have (S-GRP-001).
public enum GroupSize {
    /// The least that make a group.
    public static let membersMin = 2
    /// The most that the app offers; the radio itself ends at eight peers.
    public static let membersMax = 6
}

/// When a member joined a group, in seconds of the group's age.
///
/// Each phone sends its own, so that all read the same number: what others worked out from
/// delays and clocks of their own would differ.
public struct Tenure: Sendable, Equatable, BitwiseCopyable {
    /// Stands for the arrival of a member that hasn't met another yet.
    public static let unknown = UInt16.max
    /// Ages beyond this one, 18 hours, count as it.
    static let ageMax = UInt16.max - 1

    /// How old the group was when the sender came.
    public var arrival: UInt16
    /// How old the group is.
    public var groupAge: UInt16

    /// Makes a tenure; without arguments that of a member that hasn't met another.
    public init(arrival: UInt16 = Self.unknown, groupAge: UInt16 = 0) {
        (self.arrival, self.groupAge) = (arrival, groupAge)
    }
}

/// A member's description of itself, which it repeats to every other.
public struct Hello: Sendable, Equatable {
    /// The sender.
    public var member: MemberID
    /// The stream that the sender's voice has; another one than before says that it started again.
    public var streamID: UInt32
    /// Counts the changes of one stream's hellos, so that an old one that comes late changes nothing.
    public var revision: SerialNumber
    /// When the sender came into the group.
    public var tenure: Tenure
    /// How many members the sender lets the group have; 2 to 6.
    public var capacity: Int
    /// Whether the sender's microphone is off.
    public var isMuted: Bool
    /// Whether the sender came by an invite of the receiver's.
    public var isGuest: Bool
    /// The members that the sender counts as present, itself among them; ascending.
    public var members: [MemberID]
    /// What the sender is called, if it says so.
    public var name: DisplayName?

    /// The most members that one hello lists.
    static let membersMax = GroupSize.membersMax
    static let fixedByteCount = 36

    /// Makes a hello.
    ///
    /// `members` MUST ascend and be six at most.
    public init(
        member: MemberID,
        streamID: UInt32,
        revision: SerialNumber,
        tenure: Tenure = Tenure(),
        capacity: Int = GroupSize.membersMax,
        isMuted: Bool = false,
        isGuest: Bool = false,
        members: [MemberID],
        name: DisplayName? = nil
    ) {
        precondition(
            (GroupSize.membersMin...GroupSize.membersMax).contains(capacity)
                && members.count <= Self.membersMax && members.isAscending,
            "a hello lists up to six members in ascending order: \(members), \(capacity)"
        )
        self.member = member
        self.streamID = streamID
        self.revision = revision
        self.tenure = tenure
        self.capacity = capacity
        self.isMuted = isMuted
        self.isGuest = isGuest
        self.members = members
        self.name = name
    }
}

/// The end of what two members have with each other.
///
/// Without it a refused peer cannot tell a refusal from a lost link, and tries again for ever.
public struct Goodbye: Sendable, Equatable {
    /// Why a member ends it.
    public enum Reason: UInt8, Sendable, Hashable, CaseIterable {
        /// The user left the group.
        case left = 0
        /// The group has as many members as it may have.
        case groupFull = 1
    }

    /// Why.
    public var reason: Reason
    /// How many members the sender lets the group have; 2 to 6.
    public var capacity: Int
    /// When the sender came into the group.
    public var tenure: Tenure
    /// The stream that the sender's voice has.
    public var streamID: UInt32
    /// The number of the sender's last hello: a receiver that has a later one knows that the sender came back.
    public var revision: SerialNumber

    /// Makes a goodbye.
    public init(
        _ reason: Reason,
        capacity: Int = GroupSize.membersMax,
        tenure: Tenure = Tenure(),
        streamID: UInt32,
        revision: SerialNumber
    ) {
        precondition(
            (GroupSize.membersMin...GroupSize.membersMax).contains(capacity),
            "a group has 2 to 6 members, not \(capacity)"
        )
        self.reason = reason
        self.capacity = capacity
        self.tenure = tenure
        self.streamID = streamID
        self.revision = revision
    }
}

/// A member's claim to own the group, and so to decide where members disagree (S-OWN-004).
public struct OwnerClaim: Sendable, Equatable {
    /// Counts the claims of the group: each new owner's number exceeds every number that it heard.
    public var term: SerialNumber
    /// The owner, which is the sender.
    public var owner: MemberID
    /// The members that the owner counts, itself among them; ascending.
    public var members: [MemberID]

    /// Makes a claim.
    ///
    /// `members` MUST ascend, hold the owner and be six at most.
    public init(term: SerialNumber, owner: MemberID, members: [MemberID]) {
        precondition(
            members.count <= GroupSize.membersMax && members.isAscending
                && members.contains(owner),
            "a claim lists the owner and up to five more in ascending order: \(members)"
        )
        self.term = term
        self.owner = owner
        self.members = members
    }
}

extension MemberID {
    /// How many bytes an id has on the wire.
    static let byteCount = 16
}

extension [MemberID] {
    /// Whether each id is greater than the one before.
    var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
