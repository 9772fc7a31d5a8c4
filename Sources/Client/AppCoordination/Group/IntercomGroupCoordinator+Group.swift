import GroupSecurity
import PeerTransport
import SansIO

extension IntercomGroupCoordinator {
    mutating func choose(
        _ credential: GroupCredential,
        known: [KnownMember],
        invitedBy inviter: MemberID? = nil,
        in turn: inout Turn<Effect>
    ) {
        guard group?.credential != credential else { return }
        if group != nil { leave(in: &turn) }
        // A transport shows one group at a time: who is still saying goodbye to another stops.
        endDeparture(in: &turn)
        var own = own
        own.isMuted = isMuted
        group = GroupState(
            credential,
            known: known,
            membership: Membership(
                configuration: configuration.membership,
                own: own,
                invitedBy: inviter,
                after: formerMembership
            ),
            searchDue: turn.now.advanced(by: configuration.handover.localPatience)
        )
        // Who invites is in, whatever it said before.
        let departed = departures(from: credential.id, at: turn.now).filter { $0.id != inviter }
        group?.departed = departed
        areCardsStale = true
        speak(.groupChosen(credential.id), in: &turn)
    }

    mutating func leave(in turn: inout Turn<Effect>) {
        // In no group, frames may still wait for speech.
        guard group != nil else { return speak(.groupLeft, in: &turn) }
        organize(.leave, in: &turn)
        abandon(in: &turn)
    }

    /// Lets go of the group, whose members have been told once; see `GroupDeparture`.
    private mutating func abandon(in turn: inout Turn<Effect>) {
        speak(.groupLeft, in: &turn)
        guard let left = group else { return }
        formerMembership = left.membership
        rememberDepartures(of: left, at: turn.now)
        for link in left.links where link.member == nil { turn.order(.closeLink(link.id)) }
        departure = GroupDeparture(left)
        if departure?.isOver ?? false { endDeparture(in: &turn) }
        group = nil
        isTalking = false
        areCardsStale = true
    }

    mutating func mute(_ isMuted: Bool, in turn: inout Turn<Effect>) {
        areCardsStale = true
        speak(.muteChanged(isMuted), in: &turn)
        organize(.muteChanged(isMuted), in: &turn)
    }

    // MARK: Members

    /// Gives the list of members an event, or wakes it, and follows what it orders.
    mutating func organize(_ event: Membership.Event?, in turn: inout Turn<Effect>) {
        for order in group?.organize(event, at: turn.now) ?? [] {
            switch order {
            case .send(let message, let member):
                send(message, to: member, in: &turn)
                forgetUnlessLinked(member, in: &turn)
            case .joined(let member): seat(member, in: &turn)
            case .restarted(let member, _):
                unseat(member.id, in: &turn)
                seat(member, in: &turn)
            case .left(let member, let departure):
                if departure == .goodbye || departure == .unseated {
                    let end = turn.now.advanced(by: configuration.departedPatience)
                    group?.depart(member, soughtUntil: end)
                }
                unseat(member, in: &turn)
                settleInternet(in: &turn)
                if departure == .goodbye { closeLinks(of: member, in: &turn) }
            case .changed(let member):
                group?.learnName(of: member)
                areCardsStale = true
            case .ownerChanged: areCardsStale = true
            case .turnedAway: break
            case .refused(let refusal):
                turn.order(.refused(refusal))
                abandon(in: &turn)
            }
        }
    }

    /// Lets somebody in: the voice machine hears of it, and its paths are watched from now on.
    private mutating func seat(_ member: Member, in turn: inout Turn<Effect>) {
        guard let seated = group else { return }
        let peer = GroupPeer(member, configuration: configuration, judge: judge, at: turn.now)
        let index = seated.peers.firstIndex { member.id < $0.id } ?? seated.peers.endIndex
        group?.peers.insert(peer, at: index)
        if group?.welcome(member) ?? false { turn.order(.guestCame(member.id)) }
        // Who comes may count others in, who come by radio as well.
        searchSoon(at: turn.now)
        areCardsStale = true
        turn.order(.memberJoined(member))
        let stream = PeerID(streamID: member.streamID)
        speak(.transport(.peerJoined(stream), path: .local), in: &turn)
        hand(member.id, .started, in: &turn)
        for path in TransportPath.allCases where seated.link(to: member.id, by: path) != nil {
            pathCameUp(path, to: member.id, in: &turn)
        }
        if !isInternetReachable { hand(member.id, .internetImpossible, in: &turn) }
        countPeers(in: &turn)
        settleInternet(in: &turn)
    }

    private mutating func unseat(_ member: MemberID, in turn: inout Turn<Effect>) {
        guard let index = group?.index(of: member), let peer = group?.peers[index] else { return }
        let stream = PeerID(streamID: peer.streamID)
        speak(.transport(.peerLeft(stream), path: .local), in: &turn)
        hand(member, .stopped, in: &turn)
        group?.unseat(member)
        areCardsStale = true
        countPeers(in: &turn)
    }

    /// Tells the radio's judges how many of those who are in are heard by radio.
    mutating func countPeers(in turn: inout Turn<Effect>) {
        guard let present = group?.peers else { return }
        for path in TransportPath.allCases {
            let heard = present.count { group?.link(to: $0.id, by: path) != nil }
            for peer in present {
                let counted = LinkProbe.Event.peersCounted(
                    heard: heard,
                    present: present.count
                )
                probe(peer.id, path, counted, in: &turn)
            }
        }
    }

    // MARK: The Internet, which all pairs share

    mutating func searchIfDue(in turn: inout Turn<Effect>) {
        guard let due = group?.searchDue, due <= turn.now else { return }
        group?.searchDue = nil
        if group?.isSearching ?? false { connectInternet(in: &turn) }
        settleInternet(in: &turn)
    }

    /// Ends what is waited for and has not come: guests, those who said goodbye, and a failure.
    mutating func endWaits(in turn: inout Turn<Effect>) {
        if let end = group?.doubtEnd, end <= turn.now { trustInternet() }
        let isGuestOver = group?.dismissGuests(at: turn.now) ?? false
        let configuration = configuration
        let hasTurned = group?.turnSearches(at: turn.now, configuration) ?? false
        guard isGuestOver || hasTurned else { return }
        settleInternet(in: &turn)
    }

    /// Somebody new is missing: the radio has its time before the Internet is asked.
    mutating func searchSoon(at now: Instant) {
        guard var state = group, isWanted(in: state), !state.isSearching, state.searchDue == nil
        else { return }
        state.searchDue = now.advanced(by: configuration.handover.localPatience)
        group = state
    }

    /// Whether somebody is to be looked for over the Internet.
    private func isWanted(in state: GroupState) -> Bool {
        (configuration.seeksMissingByInternet || state.peers.isEmpty) && state.isSomebodyMissing
    }

    /// Takes in what a member says of the group, where others may be whom this phone has not met.
    mutating func hear(
        _ message: ControlMessage,
        from member: MemberID,
        in turn: inout Turn<Effect>
    ) {
        let unmet = group?.membership.unmet ?? []
        organize(.messageReceived(message, from: member), in: &turn)
        guard group?.membership.unmet != unmet else { return }
        awaitUnmet(at: turn.now)
        searchSoon(at: turn.now)
        settleInternet(in: &turn)
    }

    /// Looks for those who are missing once the radio had its time, and leaves the Internet when neither
    /// a pair nor the search wants it.
    mutating func settleInternet(in turn: inout Turn<Effect>) {
        guard var state = group else { return }
        let isWanted = isWanted(in: state)
        let begins = isWanted && !state.isSearching && state.searchDue == nil
        if begins { connectInternet(in: &turn) }
        state = group ?? state
        if state.isSearching, !isWanted { state.searchDue = nil }
        state.isSearching = isWanted && (state.isSearching || begins)
        if state.hasInternetFailed { areCardsStale = true }
        if !state.wantsInternet { state.trustInternet() }
        let isOver = !state.wantsInternet && state.isInternetConnected
        if isOver { state.leaveMatch() }
        group = state
        guard isOver else { return }
        turn.order(.disconnect(.internet))
        for link in state.links where link.path == .internet {
            dropLink(link.id, in: &turn)
        }
    }

    mutating func connectInternet(in turn: inout Turn<Effect>) {
        guard let hash = group?.credential.hash else { return }
        let end = turn.now.advanced(by: configuration.handover.internetTimeout)
        group?.askForInternet(at: turn.now, doubtingUntil: end)
        turn.order(.seekByInternet(hash))
    }

    /// The Internet is there, as far as anybody knows: the cards say no more that it is not.
    mutating func trustInternet() {
        guard group?.hasInternetFailed ?? false else { return }
        group?.trustInternet()
        areCardsStale = true
    }

    mutating func internetFailed(in turn: inout Turn<Effect>) {
        areCardsStale = true
        if group?.wantsInternet ?? false { group?.failInternet() }
        for peer in group?.peers ?? [] {
            hand(peer.id, .internetFailed, in: &turn)
        }
        // Asked again later for those who are missing; pairs ask for themselves.
        searchAgainLater(at: turn.now)
    }

    private mutating func searchAgainLater(at now: Instant) {
        guard var state = group, state.isSearching, state.searchDue == nil else { return }
        state.searchDue = now.advanced(by: configuration.handover.internetTimeout)
        group = state
    }

    /// There is no way to the Internet, or there is one again, and what failed is asked for at once.
    mutating func reach(_ isReachable: Bool, in turn: inout Turn<Effect>) {
        isInternetReachable = isReachable
        guard let state = group else { return }
        guard isReachable else {
            for peer in state.peers { hand(peer.id, .internetImpossible, in: &turn) }
            guard group?.wantsInternet ?? false else { return }
            group?.failInternet()
            areCardsStale = true
            return searchAgainLater(at: turn.now)
        }
        trustInternet()
        if state.isSearching, state.searchDue != nil {
            group?.searchDue = turn.now
            searchIfDue(in: &turn)
        }
        for peer in state.peers { hand(peer.id, .internetPossible, in: &turn) }
    }
}
