import SansIO

extension Membership {
    /// So many streams that a member had before are remembered.
    static let formerStreamsMax = 4

    func index(of id: MemberID) -> Int? { peers.firstIndex { $0.id == id } }

    /// Somebody proved to know the secret; the seat is another matter.
    mutating func meet(_ id: MemberID, at now: Instant) {
        guard id != own.id else { return }
        // Hellos that come late came by a former session.
        departed.removeAll { $0.id == id }
        if let index = index(of: id) {
            peers[index].hear(at: now.nanoseconds)
            peers[index].helloDue = now.nanoseconds
            peers[index].knowsThisPhone = false
            peers[index].hasTurnedAway = false
            return
        }
        if peers.count >= Self.peersMax { forgetSilent() }
        guard peers.count < Self.peersMax else { return }
        let peer = Peer(
            id: id,
            heardNanoseconds: now.nanoseconds,
            helloDue: now.nanoseconds
        )
        peers.insert(peer, at: peers.firstIndex { id < $0.id } ?? peers.endIndex)
    }

    mutating func receive(_ hello: Hello, from id: MemberID, in turn: inout Turn<Effect>) {
        guard hello.member == id, !hasDeparted(id, hello.streamID, hello.revision) else { return }
        if index(of: id) == nil { meet(id, at: turn.now) }
        guard let index = index(of: id), !isOld(hello, of: index) else { return }
        peers[index].hear(at: turn.now.nanoseconds)
        note(hello.tenure, of: index, at: turn.now)
        let member = Member(
            id: id,
            streamID: hello.streamID,
            name: hello.name,
            isMuted: hello.isMuted,
            isGuest: hello.isGuest
        )
        guard seat(member, at: index, in: &turn) else { return }
        peers[index].revision = hello.revision
        (peers[index].capacity, peers[index].listed) = (hello.capacity, hello.members)
        if peers[index].member != member {
            peers[index].member = member
            turn.order(.changed(member))
        }
        let knowsThisPhone = hello.members.contains(own.id)
        if !knowsThisPhone, peers[index].knowsThisPhone {
            peers[index].helloDue = turn.now.nanoseconds
        }
        peers[index].knowsThisPhone = knowsThisPhone
    }

    private func isOld(_ hello: Hello, of index: Int) -> Bool {
        guard !peers[index].formerStreamIDs.contains(hello.streamID) else { return true }
        guard hello.streamID == peers[index].member?.streamID,
            let latest = peers[index].revision
        else { return false }
        return hello.revision.distance(ahead: latest) < 0
    }

    /// Whether who said it has come back since: it came late, or by a slower path.
    private func isOld(_ goodbye: Goodbye, of index: Int) -> Bool {
        guard !peers[index].formerStreamIDs.contains(goodbye.streamID) else { return true }
        guard let member = peers[index].member else { return false }
        guard goodbye.streamID == member.streamID, let latest = peers[index].revision else {
            return false
        }
        return goodbye.revision.distance(ahead: latest) < 0
    }

    /// Whether a hello was sent before a goodbye that is known.
    private func hasDeparted(
        _ id: MemberID,
        _ streamID: UInt32,
        _ revision: SerialNumber
    ) -> Bool {
        departed.contains {
            $0.id == id && $0.streamID == streamID && revision.distance(ahead: $0.revision) <= 0
        }
    }

    /// Gives somebody the seat that it has, or a free one; says whether it is in.
    private mutating func seat(
        _ member: Member,
        at index: Int,
        in turn: inout Turn<Effect>
    ) -> Bool {
        peers[index].hasTurnedAway = false
        guard let former = peers[index].member else {
            if isFull { makeRoom(for: index, in: &turn) }
            guard !isFull else {
                turnAway(at: index, in: &turn)
                return false
            }
            peers[index].member = member
            peers[index].revision = nil
            // Who has just come shall see itself in the list.
            peers[index].helloDue = turn.now.nanoseconds
            arrive(groupAge: 0, at: turn.now)
            changeList(at: turn.now)
            turn.order(.joined(member))
            return true
        }
        guard former.streamID != member.streamID else { return true }
        replaceStream(of: index, by: member, in: &turn)
        return true
    }

    private mutating func replaceStream(
        of index: Int,
        by member: Member,
        in turn: inout Turn<Effect>
    ) {
        guard let former = peers[index].member else { return }
        peers[index].member = member
        peers[index].revision = nil
        peers[index].knowsThisPhone = false
        peers[index].term = nil
        peers[index].helloDue = turn.now.nanoseconds
        peers[index].formerStreamIDs.append(former.streamID)
        if peers[index].formerStreamIDs.count > Self.formerStreamsMax {
            peers[index].formerStreamIDs.removeFirst()
        }
        claimSoon(at: turn.now)
        turn.order(.restarted(member, formerStreamID: former.streamID))
    }

    /// Voice of another stream tells of a restart as well as a hello does.
    mutating func hear(_ streamID: UInt32, from id: MemberID, in turn: inout Turn<Effect>) {
        guard let index = index(of: id), var member = peers[index].member else { return }
        peers[index].hear(at: turn.now.nanoseconds)
        guard member.streamID != streamID, !peers[index].formerStreamIDs.contains(streamID) else {
            return
        }
        member.streamID = streamID
        // Whoever started again and is heard is not muted, whatever the former life said.
        member.isMuted = false
        replaceStream(of: index, by: member, in: &turn)
    }

    mutating func receive(_ goodbye: Goodbye, from id: MemberID, in turn: inout Turn<Effect>) {
        guard let index = index(of: id) else { return }
        switch goodbye.reason {
        case .left:
            guard !isOld(goodbye, of: index) else { return }
            let stream = DepartedStream(
                id: id,
                streamID: goodbye.streamID,
                revision: goodbye.revision
            )
            departed.removeAll { $0.id == id }
            departed.append(stream)
            if departed.count > Self.peersMax { departed.removeFirst() }
            remove(id, .goodbye, in: &turn)
            askForSeats(at: turn.now)
        case .groupFull:
            peers[index].hasTurnedAway = true
            peers[index].capacity = goodbye.capacity
            note(goodbye.tenure, of: index, at: turn.now)
            peers[index].hear(at: turn.now.nanoseconds)
            peers[index].helloDue = turn.now.nanoseconds + limits.helloPeriodNanoseconds
            decisionDue = decisionDue ?? turn.now.nanoseconds + limits.decisionDelayNanoseconds
            vacate(index, .unseated, in: &turn)
        }
    }

    func goodbye(_ reason: Goodbye.Reason, at now: Instant) -> Goodbye {
        Goodbye(
            reason,
            capacity: capacity,
            tenure: tenure(at: now),
            streamID: own.streamID,
            revision: revision
        )
    }

    mutating func mute(_ isMuted: Bool, at now: Instant) {
        guard own.isMuted != isMuted else { return }
        own.isMuted = isMuted
        changeList(at: now)
        // Nobody answers a hello, and until the next one the card would be wrong.
        for index in peers.indices where peers[index].member != nil {
            peers[index].repeatsLeft = limits.muteRepeats
        }
    }

    /// The next hellos say something new, so they go out at once.
    mutating func changeList(at now: Instant) {
        revision = revision.advanced(by: 1)
        for index in peers.indices where peers[index].member != nil {
            peers[index].helloDue = now.nanoseconds
        }
        claimSoon(at: now)
    }

    mutating func remove(_ id: MemberID, _ departure: Departure, in turn: inout Turn<Effect>) {
        guard let index = index(of: id) else { return }
        vacate(index, departure, in: &turn)
        peers.remove(at: index)
    }

    /// Frees a member's seat; the session with it stays.
    mutating func vacate(_ index: Int, _ departure: Departure, in turn: inout Turn<Effect>) {
        guard let member = peers[index].member else { return }
        peers[index].member = nil
        peers[index].term = nil
        peers[index].listed = []
        peers[index].knowsThisPhone = false
        changeList(at: turn.now)
        turn.order(.left(member.id, departure))
    }

    mutating func leave(in turn: inout Turn<Effect>) {
        goodbyesLeft = limits.goodbyes
        sayGoodbye(in: &turn)
    }

    /// Says goodbye once more; who missed all of them learns it from silence.
    mutating func sayGoodbye(in turn: inout Turn<Effect>) {
        guard let left = goodbyesLeft else { return }
        peers.removeAll(where: \.hasTurnedAway)
        for peer in peers {
            turn.order(.send(.goodbye(goodbye(.left, at: turn.now)), to: peer.id))
        }
        isFinished = left <= 1 || peers.isEmpty
        goodbyesLeft = left - 1
        goodbyeDue = isFinished ? nil : turn.now.nanoseconds + limits.goodbyePeriodNanoseconds
        if isFinished { peers = [] }
    }
}
