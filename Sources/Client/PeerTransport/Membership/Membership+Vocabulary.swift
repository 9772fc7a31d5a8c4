public import SansIO

/// A member as others see it.
public struct Member: Sendable, Equatable {
    /// The member's id.
    public var id: MemberID
    /// The stream that its voice has; another one after each start.
    public var streamID: UInt32
    /// What it is called, if it says so.
    public var name: DisplayName?
    /// Whether its microphone is off.
    public var isMuted: Bool
    /// Whether it came by an invite of this phone's user.
    public var isGuest: Bool

    /// Describes a member.
    public init(
        id: MemberID,
        streamID: UInt32,
        name: DisplayName? = nil,
        isMuted: Bool = false,
        isGuest: Bool = false
    ) {
        self.id = id
        self.streamID = streamID
        self.name = name
        self.isMuted = isMuted
        self.isGuest = isGuest
    }
}

/// Why this phone is not let into a group, for people to read.
public enum MembershipRefusal: Sendable, Equatable, CustomStringConvertible {
    /// As many are in as may be.
    case groupFull(capacity: Int)

    /// What is wrong and what helps, in one sentence.
    public var description: String {
        switch self {
        case .groupFull(let capacity):
            "this group is full: \(capacity) are in it, and no more can be; join when one has left, "
                + "or make another group"
        }
    }
}

extension Membership {
    /// A fact about the group.
    ///
    /// The session that opened a message has proven its sender.
    public enum Event: Sendable, Equatable {
        /// A session with this member of the group is established, the first or another one.
        case memberProven(MemberID)
        /// A message came; what is no hello, goodbye or claim is ignored.
        case messageReceived(ControlMessage, from: MemberID)
        /// Voice of this stream came; before the hello that tells of it, if that was lost.
        case streamHeard(UInt32, from: MemberID)
        /// Something else authentic came, such as a pong; it need not be told more than once a second.
        case memberHeard(MemberID)
        /// No path to the member is left, so that hellos reach it no more.
        case memberLost(MemberID)
        /// The user's microphone was turned off or on.
        case muteChanged(Bool)
        /// The user leaves the group.
        case leave
    }

    /// An order to the transport, or news for the app.
    public enum Effect: Sendable, Equatable {
        /// Send this to the member, by every path that is up.
        case send(ControlMessage, to: MemberID)
        /// A member joined.
        case joined(Member)
        /// A member started again: its voice now has another stream, and nothing of the former counts.
        case restarted(Member, formerStreamID: UInt32)
        /// A member has another name, or another microphone state.
        case changed(Member)
        /// A member is no longer in.
        case left(MemberID, Departure)
        /// A member was told that the group is full.
        case turnedAway(MemberID)
        /// This phone is not let in, and has withdrawn.
        case refused(MembershipRefusal)
        /// Another member owns the group.
        case ownerChanged(MemberID)
    }

    /// Why a member is no longer in.
    public enum Departure: UInt8, Sendable, Hashable, CaseIterable {
        /// It said goodbye.
        case goodbye = 0
        /// No path to it is left.
        case lost = 1
        /// Nothing was heard of it for long.
        case silent = 2
        /// Its seat here is another's, or this phone has none there.
        ///
        /// It may have one a moment later: the sessions with it stay.
        case unseated = 3
    }

    /// A stream whose member said goodbye; hellos of it up to this number are old when they come late.
    struct DepartedStream: Sendable, Equatable {
        let id: MemberID
        let streamID: UInt32
        let revision: SerialNumber
    }

    /// Somebody with whom a session is established.
    struct Peer: Sendable, Equatable {
        let id: MemberID
        /// What it said of itself; `nil` while it is not in.
        var member: Member?
        /// The number of its latest hello of the present stream.
        var revision: SerialNumber?
        /// The streams that it had before; what they say is old.
        var formerStreamIDs: [UInt32] = []
        /// When it was last heard of, in nanoseconds.
        private(set) var heardNanoseconds: Int64
        /// Whether that is too long ago for a seat; it is greeted now and then all the same.
        private(set) var isSilent = false
        /// When the next hello goes out, and whether it is known that the last ones arrived.
        var helloDue: Int64
        var knowsThisPhone = false
        /// How many hellos more follow one another soon, since this phone was muted or unmuted.
        var repeatsLeft = 0
        /// How old the group was when it came, in seconds.
        var arrival = Tenure.unknown
        /// How many members it lets the group have, and whom it counts in.
        var capacity = GroupSize.membersMax
        var listed: [MemberID] = []
        /// Whether it said that the group is full.
        var hasTurnedAway = false
        /// The number of its latest claim.
        var term: SerialNumber?

        init(id: MemberID, heardNanoseconds: Int64, helloDue: Int64) {
            (self.id, self.heardNanoseconds) = (id, heardNanoseconds)
            self.helloDue = helloDue
        }

        /// It is there; who was silent before is to know at once that this phone is, too.
        mutating func hear(at nanoseconds: Int64) {
            heardNanoseconds = nanoseconds
            guard isSilent else { return }
            isSilent = false
            helloDue = nanoseconds
        }

        /// Nothing has come of it for long: the next hello goes out then.
        mutating func fallSilent(until nextHello: Int64) {
            isSilent = true
            hasTurnedAway = false
            helloDue = nextHello
        }
    }
}
