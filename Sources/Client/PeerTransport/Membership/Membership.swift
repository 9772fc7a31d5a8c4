public import SansIO

/// Lists the members of the group, as this phone sees it, and its owner (S-GRP-001, S-OWN-002…004).
///
/// Every phone keeps its own list, so two members can talk without asking a third. Repeated hellos
/// make the lists agree. A member is known by its id, which its session proved, and not by its stream:
/// a member that starts again takes the seat that it had, even in a full group, and is heard at once.
///
/// The member with the smallest id owns the group (S-OWN-002); when it leaves, the next does
/// (S-OWN-003), and announces it in a claim that lists the members. Without an owner everything goes on
/// (S-OWN-004).
///
/// Lists can disagree where several come to the last seat at once. Seats are given by rank, which is
/// the same on all phones: the earlier arrival, and within the same second the smaller id.
/// A member that is told that the group is full waits a second for the others' answers. Then that of the
/// first by rank counts, the owner's where all came together. Refused, it withdraws, and the user
/// reads why; kept, it goes on asking those who had no seat for it, until one is free.
public struct Membership: StateMachine {
    /// How often hellos and claims go out, and how long a member may be silent.
    public struct Configuration: Sendable, Equatable {
        /// How many members this phone lets the group have; 2 to 6.
        public var capacity = GroupSize.membersMax
        /// From hello to hello until the other side has shown that it knows this phone; 0.1 to 5 s.
        public var helloRetry = Duration.milliseconds(500)
        /// From hello to hello, and from claim to claim, after that; 1 to 60 s.
        public var helloPeriod = Duration.seconds(5)
        /// The silence after which a member is dropped; at least three periods.
        ///
        /// Radio tells of a loss 5 to 30 s late, or never (D-09); when four hellos and twenty pings were
        /// missed by every path it need not be waited for. As long as radio tells of none, hellos go on: where
        /// packets pass again before either side's radio has noticed anything, nothing else would.
        public var silenceMax = Duration.seconds(20)
        /// How often a goodbye is said, the first time included; 1 to 10.
        ///
        /// A goodbye is answered only by closing the connection; where all are lost, a card stands
        /// for `silenceMax`. IGMP tells of a change twice by its robustness variable, which is to be
        /// raised where more is lost (RFC 3376, section 8.1): where radio alone is left and loses 30 %,
        /// three goodbyes leave eleven cards of 400 standing, five leave one.
        public var goodbyes = 5
        /// From goodbye to goodbye, so that the last is said before 2 s are over; 0.1 to 2 s.
        ///
        /// Longer than the mean loss burst of a phone on the move, 21 packets of 20 ms (Gilbert–Elliott fit to
        /// the LTE driving traces of Winstein, Sivaraman and Balakrishnan, NSDI 2013), so that one burst rarely
        /// eats two; RFC 3261 (T1) repeats as soon.
        public var goodbyePeriod = Duration.milliseconds(450)
        /// How often a hello is repeated, `helloRetry` apart, that says that the microphone is off,
        /// or on again; 0 to 9.
        ///
        /// It has no answer either, and while a card is wrong, for a whole `helloPeriod`, a user
        /// talks to a member that doesn't hear.
        public var muteRepeats = 2
        /// How long answers are waited for after the first that the group is full; 0 to 10 s.
        public var decisionDelay = Duration.seconds(1)

        /// Makes the values above.
        public init() {}
    }

    /// The most sessions that are kept: those of members, and as many of candidates.
    public static let peersMax = 16
    /// Hello to and news of every peer, a claim to every member, goodbyes.
    public static var effectsPerCallMax: Int { 3 * peersMax + 8 }

    let limits: Limits
    /// By whose invite this phone came, if it followed one.
    let inviter: MemberID?
    var own: Member
    /// Ascending by id.
    var peers: [Peer] = []
    /// The streams that said goodbye last.
    var departed: [DepartedStream] = []
    /// Whether the user left or this phone was refused, and all others have been told so.
    public internal(set) var isFinished = false
    /// The owner of the group.
    public internal(set) var owner: MemberID
    /// The goodbyes that are still to be said, once this phone leaves, and when the next one is.
    var goodbyesLeft: Int?
    var goodbyeDue: Int64?
    var revision = SerialNumber(0)
    /// Since when there has been a group, in nanoseconds; `nil` before this phone met anybody.
    var begunNanoseconds: Int64?
    /// How old the group was when this phone came, in seconds.
    var arrival = Tenure.unknown
    /// The greatest claim number heard of.
    var greatestTerm = SerialNumber(0)
    var claimDue: Int64?
    /// When the answers are counted that say whether this phone may stay.
    var decisionDue: Int64?

    /// Makes the list of a phone that is alone.
    ///
    /// - Parameters:
    ///   - configuration: How patient it is; each value MUST lie in its range.
    ///   - own: This phone's member.
    ///   - inviter: The member whose invite it followed, if any: that member waits for its guest.
    ///   - former: The list that the same stream had before, if any. The new one counts on from its numbers:
    ///     a member that missed every goodbye would take lower ones for old.
    public init(
        configuration: Configuration = Configuration(),
        own: Member,
        invitedBy inviter: MemberID? = nil,
        after former: Membership? = nil
    ) {
        limits = Limits(configuration)
        self.inviter = inviter
        self.own = own
        owner = own.id
        guard let former else { return }
        (revision, greatestTerm) = (former.revision.advanced(by: 1), former.greatestTerm)
    }

    /// Whether this phone leaves: nothing that comes counts any more.
    public var isLeaving: Bool { goodbyesLeft != nil }

    /// The other members, ascending by id.
    public var others: [Member] { peers.compactMap(\.member) }

    /// How many members the group may have: the least that any member allows.
    public var capacity: Int {
        peers.reduce(limits.capacity) { $1.member == nil ? $0 : min($0, $1.capacity) }
    }

    /// The earliest hello, claim, decision, or end of a member's permitted silence.
    public var deadline: Deadline? {
        guard !isLeaving else {
            return goodbyeDue.map { Deadline(Instant(nanoseconds: $0), "goodbye") }
        }
        var deadline: Deadline?
        func consider(_ nanoseconds: Int64?, _ reason: StaticString) {
            let other = nanoseconds.map { Deadline(Instant(nanoseconds: $0), reason) }
            deadline = Deadline.earliest(deadline, other)
        }
        for peer in peers {
            consider(peer.helloDue, "hello")
            consider(silenceDue(of: peer), "silence")
        }
        consider(claimDue, "claim")
        consider(decisionDue, "count answers")
        return deadline
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        guard !isLeaving else { return }
        switch event {
        case .memberProven(let id): meet(id, at: turn.now)
        case .messageReceived(.hello(let hello), let id):
            receive(hello, from: id, in: &turn)
        case .messageReceived(.goodbye(let goodbye), let id):
            receive(goodbye, from: id, in: &turn)
        case .messageReceived(.ownerClaim(let claim), let id):
            receive(claim, from: id, at: turn.now)
        case .messageReceived: return
        case .streamHeard(let streamID, let id):
            hear(streamID, from: id, in: &turn)
        case .memberHeard(let id):
            guard let index = index(of: id) else { return }
            let wasSilent = peers[index].isSilent
            peers[index].hear(at: turn.now.nanoseconds)
            guard wasSilent else { return }
        case .memberLost(let id): remove(id, .lost, in: &turn)
        case .muteChanged(let isMuted): mute(isMuted, at: turn.now)
        case .leave: return leave(in: &turn)
        }
        settle(in: &turn)
    }

    /// Sends what is due, and frees the seats of members that have been silent too long.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        guard !isLeaving else { return sayGoodbye(in: &turn) }
        for peer in peers where silenceDue(of: peer) ?? .max <= turn.now.nanoseconds {
            fallSilent(peer.id, in: &turn)
        }
        if let due = decisionDue, due <= turn.now.nanoseconds { decide(in: &turn) }
        guard !isLeaving else { return }
        settle(in: &turn)
    }

    /// Sends the hellos and the claim that are due, after the owner is known.
    mutating func settle(in turn: inout Turn<Effect>) {
        determineOwner(in: &turn)
        for index in peers.indices where peers[index].helloDue <= turn.now.nanoseconds {
            let id = peers[index].id
            turn.order(.send(.hello(hello(to: id, at: turn.now)), to: id))
            let pause = pauseAfterHello(to: index)
            peers[index].helloDue = turn.now.nanoseconds + pause
        }
        claimIfDue(in: &turn)
    }

    /// The time from a hello to the next one, for which fewer may be left to repeat.
    private mutating func pauseAfterHello(to index: Int) -> Int64 {
        if peers[index].repeatsLeft > 0 {
            peers[index].repeatsLeft -= 1
            return limits.helloRetryNanoseconds
        }
        let isSettled =
            peers[index].knowsThisPhone || peers[index].hasTurnedAway || peers[index].isSilent
        return isSettled ? limits.helloPeriodNanoseconds : limits.helloRetryNanoseconds
    }

    private func hello(to id: MemberID, at now: Instant) -> Hello {
        Hello(
            member: own.id,
            streamID: own.streamID,
            revision: revision,
            tenure: tenure(at: now),
            capacity: limits.capacity,
            isMuted: own.isMuted,
            isGuest: id == inviter,
            members: memberIDs,
            name: own.name
        )
    }

    /// This phone's member and all others, ascending.
    var memberIDs: [MemberID] { (others.map(\.id) + [own.id]).sorted() }

    /// When somebody's silence will have been too long; `nil` where it has.
    func silenceDue(of peer: Peer) -> Int64? {
        peer.isSilent ? nil : peer.heardNanoseconds + limits.silenceMaxNanoseconds
    }
}

extension Membership {
    /// A configuration in nanoseconds, checked.
    struct Limits: Sendable, Equatable, BitwiseCopyable {
        let capacity: Int
        let helloRetryNanoseconds: Int64
        let helloPeriodNanoseconds: Int64
        let silenceMaxNanoseconds: Int64
        let goodbyes: Int
        let goodbyePeriodNanoseconds: Int64
        let muteRepeats: Int
        let decisionDelayNanoseconds: Int64

        init(_ configuration: Configuration) {
            capacity = configuration.capacity
            helloRetryNanoseconds = configuration.helloRetry.wholeNanoseconds
            helloPeriodNanoseconds = configuration.helloPeriod.wholeNanoseconds
            silenceMaxNanoseconds = configuration.silenceMax.wholeNanoseconds
            goodbyes = configuration.goodbyes
            goodbyePeriodNanoseconds = configuration.goodbyePeriod.wholeNanoseconds
            muteRepeats = configuration.muteRepeats
            decisionDelayNanoseconds = configuration.decisionDelay.wholeNanoseconds
            precondition(
                (GroupSize.membersMin...GroupSize.membersMax).contains(capacity)
                    && (100_000_000...5_000_000_000).contains(helloRetryNanoseconds)
                    && (1_000_000_000...60_000_000_000).contains(helloPeriodNanoseconds)
                    && silenceMaxNanoseconds >= 3 * helloPeriodNanoseconds
                    && (1...10).contains(goodbyes)
                    && (100_000_000...2_000_000_000).contains(goodbyePeriodNanoseconds)
                    && (0...9).contains(muteRepeats)
                    && (0...10_000_000_000).contains(decisionDelayNanoseconds),
                "a membership setting lies outside its range: \(configuration)"
            )
        }
    }
}
