import GroupSecurity
import PeerTransport
import SansIO

/// The group that the app is in, and what is known of it.
struct GroupState: Sendable, Equatable {
    let credential: GroupCredential
    /// Who has been in the group, now or before, this phone's member left out.
    ///
    /// Of those who are out, who was seen last comes first.
    private(set) var known: [KnownMember]
    /// Until when guests who were invited from here are waited for, ascending.
    private var guestsDue: [Instant] = []
    /// Those of the known who said goodbye or lost their seat, and have not come back.
    var departed: [FormerMember] = []
    private(set) var membership: Membership
    private var membershipDeadline: Deadline?
    var links: [GroupLink] = []
    /// Those who are in, ascending by id.
    var peers: [GroupPeer] = []
    /// When the Internet is looked at for those who are missing, or once more after a failure.
    var searchDue: Instant?
    /// Whether it is being looked at for them, be it that it failed and is asked for again.
    var isSearching = false
    var isInternetConnected = false
    /// Whether it could not be brought up when it was asked for last.
    private(set) var hasInternetFailed = false
    /// When an attempt after a failure counts as no failure.
    private(set) var doubtEnd: Instant?
    /// When it was asked for last.
    private(set) var internetAsked: Instant?
    /// Who was lost from the match and has not been met in it since.
    private var parted: [MemberID] = []
    /// Whether a connection of the match was lost before it was proven.
    private var hasLostUnproven = false
    /// When those of them who are missing are asked for anew.
    var newMatchDue: Instant?
    /// The earliest deadline of all that is here, as of the last call that could move one: who talks asks
    /// for it after every frame.
    private(set) var deadline: Deadline?

    init(
        _ credential: GroupCredential,
        known: [KnownMember],
        membership: Membership,
        searchDue: Instant
    ) {
        (self.credential, self.known) = (credential, known)
        (self.membership, self.searchDue) = (membership, searchDue)
        membershipDeadline = membership.deadline
        settleDeadline()
    }

    /// Looks up the deadlines again.
    mutating func settleDeadline() {
        var earliest = Deadline.earliest(
            membershipDeadline,
            searchDue.map { Deadline($0, "search") }
        )
        let doubt = doubtEnd.map { Deadline($0, "Internet there") }
        let guest = guestsDue.first.map { Deadline($0, "no guest came") }
        earliest = Deadline.earliest(earliest, Deadline.earliest(doubt, guest))
        earliest = Deadline.earliest(earliest, newMatchDue.map { Deadline($0, "new match") })
        for index in departed.indices {
            earliest = Deadline.earliest(earliest, Deadline(departed[index].due, "departed"))
        }
        for index in links.indices {
            earliest = Deadline.earliest(earliest, links[index].deadline)
        }
        for index in peers.indices {
            earliest = Deadline.earliest(earliest, peers[index].deadline)
        }
        deadline = earliest
    }

    /// Gives the list of members an event, or wakes it.
    mutating func organize(_ event: Membership.Event?, at now: Instant) -> [Membership.Effect] {
        let orders = membership.drive(event, at: now)
        membershipDeadline = membership.deadline
        return orders
    }

    /// The connections whose sessions are due.
    func linksDue(at now: Instant) -> [LinkID] {
        links.indices.filter { links[$0].deadline.isDue(at: now) }.map { links[$0].id }
    }

    /// The members of whom something is due.
    func membersDue(at now: Instant) -> [MemberID] {
        peers.indices.filter { peers[$0].deadline.isDue(at: now) }.map { peers[$0].id }
    }

    // By indices: handing whole elements to a closure would copy them, at every frame. Inlined, because
    // a call by `group?` would copy the whole group for it.

    @inline(__always)
    func index(of member: MemberID) -> Int? { peers.indices.first { peers[$0].id == member } }

    @inline(__always)
    func index(of link: LinkID) -> Int? { links.indices.first { links[$0].id == link } }

    /// The connection by which a member is reached by a path, once it is proven.
    @inline(__always)
    func link(to member: MemberID, by path: TransportPath) -> LinkID? {
        links.indices.first { links[$0].member == member && links[$0].path == path }
            .map { links[$0].id }
    }

    /// Whether somebody belongs here and is not in, or nobody is.
    ///
    /// Whom others have met belongs here, and so does a guest who may follow an invite from afar.
    var isSomebodyMissing: Bool {
        peers.isEmpty || known.contains { index(of: $0.id) == nil && isSought($0.id) }
            || !guestsDue.isEmpty || !membership.unmet.isEmpty
    }

    /// Whether the search or a pair wants the Internet; a pair that has no path yet may.
    var wantsInternet: Bool {
        isSearching
            || peers.contains { $0.handover.wantsInternet || $0.handover.phase == .disconnected }
    }
}

// MARK: Guests, and the Internet that they may be behind

extension GroupState {
    /// Somebody is invited who will come by then, or not at all.
    mutating func expectGuest(until end: Instant) {
        guestsDue.append(end)
        guestsDue.sort()
        // More than fill the group cannot come.
        if guestsDue.count >= GroupSize.membersMax { guestsDue.removeFirst() }
    }

    /// Waits no more for guests who have not come by now; says whether there were any.
    mutating func dismissGuests(at now: Instant) -> Bool {
        let count = guestsDue.count
        guestsDue.removeAll { $0 <= now }
        return guestsDue.count < count
    }

    /// Somebody is in, and belongs here from now on; says whether it is a guest who was waited for.
    ///
    /// Whoever came by another member's invite is none: the guest who was invited from here is still to come.
    mutating func welcome(_ member: Member) -> Bool {
        departed.removeAll { $0.id == member.id }
        guard !learnName(of: member) else { return false }
        known.append(KnownMember(id: member.id, name: member.name))
        guard member.isGuest, !guestsDue.isEmpty else { return false }
        guestsDue.removeFirst()
        return true
    }

    /// A member is out: of the known who are, it was seen last.
    mutating func unseat(_ member: MemberID) {
        peers.removeAll { $0.id == member }
        guard let index = known.firstIndex(where: { $0.id == member }) else { return }
        let latest = known.remove(at: index)
        known.insert(latest, at: 0)
    }

    /// Takes down what a member is called; says whether it is known.
    @discardableResult
    mutating func learnName(of member: Member) -> Bool {
        guard let index = known.firstIndex(where: { $0.id == member.id }) else { return false }
        if let name = member.name { known[index].name = name }
        return true
    }

    mutating func failInternet() { (hasInternetFailed, doubtEnd) = (true, nil) }

    /// The Internet is there, as far as anybody knows.
    mutating func trustInternet() { (hasInternetFailed, doubtEnd) = (false, nil) }

    /// The Internet is asked for: where it failed before, it counts as there if it has not failed by then.
    ///
    /// A transport that looks for others says that it fails, and nothing while it finds nobody.
    mutating func askForInternet(at now: Instant, doubtingUntil end: Instant) {
        isInternetConnected = true
        internetAsked = now
        if hasInternetFailed { doubtEnd = doubtEnd ?? end }
    }
}

// MARK: The match, and who was lost from it

extension GroupState {
    /// Whether somebody is missing who was lost from the match, or may have been.
    ///
    /// Behind a connection that was never proven may have been whoever is missing; and whom others reach may have
    /// been told of a connection that this phone never learned of.
    var missesParted: Bool {
        hasLostUnproven && isSomebodyMissing || parted.contains { index(of: $0) == nil }
            || !membership.unmet.isEmpty
    }

    /// A connection of the match was lost: to a member, if it was proven.
    mutating func part(from member: MemberID?) {
        guard let member else {
            hasLostUnproven = true
            return
        }
        if !parted.contains(member) { parted.append(member) }
    }

    /// A member is met in the match, or has said goodbye.
    mutating func endParting(from member: MemberID) { parted.removeAll { $0 == member } }

    /// The match is left, and all that was in it forgotten.
    mutating func leaveMatch() {
        isInternetConnected = false
        (parted, hasLostUnproven, newMatchDue) = ([], false, nil)
    }
}

extension Deadline? {
    /// Whether there is one, and it is reached.
    fileprivate func isDue(at now: Instant) -> Bool { map { $0.instant <= now } ?? false }
}
