import SansIO

// Who gets a seat where more come than there are.

extension Membership {
    /// A group that is older by so many seconds is another one, which this phone came into later.
    ///
    /// Ages are told in whole seconds, and up to a second late. Who has been in a group for less than
    /// one has met nobody but others who come just now: for them any age is an older group's.
    static let olderSeconds: UInt16 = 3

    var isFull: Bool { others.count + 1 >= capacity }

    /// The order in which seats are given: who came first, and of those the smallest id.
    private func rank(of peer: Peer) -> (UInt16, MemberID) { (peer.arrival, peer.id) }

    private var ownRank: (UInt16, MemberID) { (arrival, own.id) }

    /// When this phone came, for others to read.
    func tenure(at now: Instant) -> Tenure {
        Tenure(arrival: arrival, groupAge: groupAge(at: now))
    }

    private func groupAge(at now: Instant) -> UInt16 {
        let nanoseconds = now.nanoseconds - (begunNanoseconds ?? now.nanoseconds)
        return min(UInt16(clamping: nanoseconds / 1_000_000_000), Tenure.ageMax)
    }

    /// This phone is in a group as old as that, unless it has been in one before.
    mutating func arrive(groupAge: UInt16, at now: Instant) {
        guard begunNanoseconds == nil else { return }
        begunNanoseconds = now.nanoseconds - Int64(groupAge) * 1_000_000_000
        arrival = groupAge
    }

    /// Takes down when somebody came; who meets an older group than its own came late to it.
    mutating func note(_ tenure: Tenure, of index: Int, at now: Instant) {
        let isNew = tenure.arrival == Tenure.unknown || tenure.groupAge == 0
        guard !isNew || groupAge(at: now) == 0 else {
            // Whoever has met nobody, or only others who come just now, comes just now.
            peers[index].arrival = groupAge(at: now)
            return
        }
        peers[index].arrival = tenure.arrival == Tenure.unknown ? 0 : tenure.arrival
        guard tenure.arrival != Tenure.unknown else { return }
        let told = min(tenure.groupAge, Tenure.ageMax)
        arrive(groupAge: told, at: now)
        let age = groupAge(at: now)
        guard told > age, age == 0 || told - age >= Self.olderSeconds else { return }
        postpone(by: told - age, except: index)
        begunNanoseconds = now.nanoseconds - Int64(told) * 1_000_000_000
        changeList(at: now)
    }

    /// Everybody came so much later, but for a peer who is in the older group.
    private mutating func postpone(by seconds: UInt16, except older: Int) {
        arrival = min(arrival, Tenure.ageMax - seconds) + seconds
        for index in peers.indices where index != older {
            guard peers[index].arrival != Tenure.unknown else { continue }
            peers[index].arrival = min(peers[index].arrival, Tenure.ageMax - seconds) + seconds
        }
    }

    /// Takes the seat of the last by rank for somebody before it, who is also before this phone.
    ///
    /// Only who has just come itself may have met somebody later first; for the others the list
    /// stays as it is.
    mutating func makeRoom(for index: Int, in turn: inout Turn<Effect>) {
        let asking = rank(of: peers[index])
        let seated = peers.indices.filter { peers[$0].member != nil }
        let last = seated.max { rank(of: peers[$0]) < rank(of: peers[$1]) }
        guard let last, asking < ownRank, asking < rank(of: peers[last]) else { return }
        vacate(last, .unseated, in: &turn)
        turnAway(at: last, in: &turn)
    }

    mutating func turnAway(at index: Int, in turn: inout Turn<Effect>) {
        let id = peers[index].id
        turn.order(.send(.goodbye(goodbye(.groupFull, at: turn.now)), to: id))
        turn.order(.turnedAway(id))
        // Hellos to somebody at the door would say that this phone knows it.
        peers[index].helloDue = .max
    }

    /// A seat may be free, for those who had none here and for this phone where it had none.
    mutating func askForSeats(at now: Instant) {
        guard !isFull else { return }
        for index in peers.indices {
            let isRefused = peers[index].hasTurnedAway && decisionDue != nil
            if isRefused || peers[index].helloDue == .max {
                peers[index].helloDue = now.nanoseconds
            }
        }
    }

    /// Counts the answers: that of the first by rank says whether this phone may stay.
    ///
    /// It is the same one for all who ask, so that one of them alone gets the last seat. Where this
    /// phone is the first it stays, unless nobody counts it.
    mutating func decide(in turn: inout Turn<Effect>) {
        decisionDue = nil
        let answers = peers.filter { $0.member != nil || $0.hasTurnedAway }
        let first = answers.min { rank(of: $0) < rank(of: $1) }
        guard let first, first.hasTurnedAway else { return }
        guard rank(of: first) < ownRank || others.isEmpty else { return }
        leave(in: &turn)
        turn.order(.refused(.groupFull(capacity: first.capacity)))
    }
}
