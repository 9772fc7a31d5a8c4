import GroupSecurity
import PeerTransport
import SansIO

extension IntercomGroupCoordinator {
    mutating func choose(
        _ credential: GroupCredential,
        known: [KnownMember],
        invitedBy inviter: MemberID? = nil,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard group?.credential != credential else { return }
        if group != nil { leave(at: now, into: &effects) }
        // A transport shows one group at a time: who is still saying goodbye to another stops.
        endDeparture(into: &effects)
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
            searchDue: now.advanced(by: configuration.handover.localPatience)
        )
        // Who invites is in, whatever it said before.
        let departed = departures(from: credential.id, at: now).filter { $0.id != inviter }
        group?.departed = departed
        areCardsStale = true
        speak(.groupChosen(credential.id), at: now, into: &effects)
    }

    mutating func leave(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        // In no group, frames may still wait for speech.
        guard group != nil else { return speak(.groupLeft, at: now, into: &effects) }
        organize(.leave, at: now, into: &effects)
        abandon(at: now, into: &effects)
    }

    /// Lets go of the group, whose members have been told once; see `GroupDeparture`.
    private mutating func abandon(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        speak(.groupLeft, at: now, into: &effects)
        guard let left = group else { return }
        formerMembership = left.membership
        rememberDepartures(of: left, at: now)
        for link in left.links where link.member == nil { effects.append(.closeLink(link.id)) }
        departure = GroupDeparture(left)
        if departure?.isOver ?? false { endDeparture(into: &effects) }
        group = nil
        isTalking = false
        areCardsStale = true
    }

    mutating func mute(
        _ isMuted: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        areCardsStale = true
        speak(.muteChanged(isMuted), at: now, into: &effects)
        organize(.muteChanged(isMuted), at: now, into: &effects)
    }

    // MARK: Members

    /// Gives the list of members an event, or wakes it, and follows what it orders.
    mutating func organize(
        _ event: Membership.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        var orders = EffectBuffer<Membership.Effect>()
        group?.organize(event, at: now, into: &orders)
        for order in orders.effects {
            switch order {
            case .send(let message, let member):
                send(message, to: member, into: &effects)
                forgetUnlessLinked(member, at: now, into: &effects)
            case .joined(let member): seat(member, at: now, into: &effects)
            case .restarted(let member, _):
                unseat(member.id, at: now, into: &effects)
                seat(member, at: now, into: &effects)
            case .left(let member, let departure):
                if departure == .goodbye || departure == .unseated {
                    let end = now.advanced(by: configuration.departedPatience)
                    group?.depart(member, soughtUntil: end)
                }
                unseat(member, at: now, into: &effects)
                settleInternet(at: now, into: &effects)
                if departure == .goodbye { closeLinks(of: member, into: &effects) }
            case .changed(let member):
                group?.learnName(of: member)
                areCardsStale = true
            case .ownerChanged: areCardsStale = true
            case .turnedAway: break
            case .refused(let refusal):
                effects.append(.refused(refusal))
                abandon(at: now, into: &effects)
            }
        }
    }

    /// Lets somebody in: the voice machine hears of it, and its paths are watched from now on.
    private mutating func seat(
        _ member: Member,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let seated = group else { return }
        let peer = GroupPeer(member, configuration: configuration, judge: judge, at: now)
        let index = seated.peers.firstIndex { member.id < $0.id } ?? seated.peers.endIndex
        group?.peers.insert(peer, at: index)
        if group?.welcome(member) ?? false { effects.append(.guestCame(member.id)) }
        // Who comes may count others in, who come by radio as well.
        searchSoon(at: now)
        areCardsStale = true
        effects.append(.memberJoined(member))
        let stream = PeerID(streamID: member.streamID)
        speak(.transport(.peerJoined(stream), path: .local), at: now, into: &effects)
        hand(member.id, .started, at: now, into: &effects)
        for path in TransportPath.allCases where seated.link(to: member.id, by: path) != nil {
            pathCameUp(path, to: member.id, at: now, into: &effects)
        }
        if !isInternetReachable { hand(member.id, .internetImpossible, at: now, into: &effects) }
        countPeers(at: now, into: &effects)
        settleInternet(at: now, into: &effects)
    }

    private mutating func unseat(
        _ member: MemberID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = group?.index(of: member), let peer = group?.peers[index] else { return }
        let stream = PeerID(streamID: peer.streamID)
        speak(.transport(.peerLeft(stream), path: .local), at: now, into: &effects)
        hand(member, .stopped, at: now, into: &effects)
        group?.unseat(member)
        areCardsStale = true
        countPeers(at: now, into: &effects)
    }

    /// Tells the radio's judges how many of those who are in are heard by radio.
    mutating func countPeers(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let present = group?.peers else { return }
        for path in TransportPath.allCases {
            let heard = present.count { group?.link(to: $0.id, by: path) != nil }
            for peer in present {
                let counted = LinkProbe.Event.peersCounted(
                    heard: heard,
                    present: present.count
                )
                probe(peer.id, path, counted, at: now, into: &effects)
            }
        }
    }

    // MARK: The Internet, which all pairs share

    mutating func searchIfDue(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let due = group?.searchDue, due <= now else { return }
        group?.searchDue = nil
        if group?.isSearching ?? false { connectInternet(at: now, into: &effects) }
        settleInternet(at: now, into: &effects)
    }

    /// Ends what is waited for and has not come: guests, those who said goodbye, and a failure.
    mutating func endWaits(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if let end = group?.doubtEnd, end <= now { trustInternet() }
        let isGuestOver = group?.dismissGuests(at: now) ?? false
        let configuration = configuration
        let hasTurned = group?.turnSearches(at: now, configuration) ?? false
        guard isGuestOver || hasTurned else { return }
        settleInternet(at: now, into: &effects)
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
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let unmet = group?.membership.unmet ?? []
        organize(.messageReceived(message, from: member), at: now, into: &effects)
        guard group?.membership.unmet != unmet else { return }
        searchSoon(at: now)
        settleInternet(at: now, into: &effects)
    }

    /// Looks for those who are missing once the radio had its time, and leaves the Internet when neither
    /// a pair nor the search wants it.
    mutating func settleInternet(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard var state = group else { return }
        let isWanted = isWanted(in: state)
        let begins = isWanted && !state.isSearching && state.searchDue == nil
        if begins { connectInternet(at: now, into: &effects) }
        state = group ?? state
        if state.isSearching, !isWanted { state.searchDue = nil }
        state.isSearching = isWanted && (state.isSearching || begins)
        if state.hasInternetFailed { areCardsStale = true }
        if !state.wantsInternet { state.trustInternet() }
        let isOver = !state.wantsInternet && state.isInternetConnected
        if isOver { state.leaveMatch() }
        group = state
        guard isOver else { return }
        effects.append(.disconnect(.internet))
        for link in state.links where link.path == .internet {
            dropLink(link.id, at: now, into: &effects)
        }
    }

    mutating func connectInternet(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let hash = group?.credential.hash else { return }
        let end = now.advanced(by: configuration.handover.internetTimeout)
        group?.askForInternet(at: now, doubtingUntil: end)
        effects.append(.connect(hash, .internet))
    }

    /// The Internet is there, as far as anybody knows: the cards say no more that it is not.
    mutating func trustInternet() {
        guard group?.hasInternetFailed ?? false else { return }
        group?.trustInternet()
        areCardsStale = true
    }

    mutating func internetFailed(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        areCardsStale = true
        if group?.wantsInternet ?? false { group?.failInternet() }
        for peer in group?.peers ?? [] {
            hand(peer.id, .internetFailed, at: now, into: &effects)
        }
        // Asked again later for those who are missing; pairs ask for themselves.
        searchAgainLater(at: now)
    }

    private mutating func searchAgainLater(at now: Instant) {
        guard var state = group, state.isSearching, state.searchDue == nil else { return }
        state.searchDue = now.advanced(by: configuration.handover.internetTimeout)
        group = state
    }

    /// There is no way to the Internet, or there is one again, and what failed is asked for at once.
    mutating func reach(
        _ isReachable: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        isInternetReachable = isReachable
        guard let state = group else { return }
        guard isReachable else {
            for peer in state.peers { hand(peer.id, .internetImpossible, at: now, into: &effects) }
            guard group?.wantsInternet ?? false else { return }
            group?.failInternet()
            areCardsStale = true
            return searchAgainLater(at: now)
        }
        trustInternet()
        if state.isSearching, state.searchDue != nil {
            group?.searchDue = now
            searchIfDue(at: now, into: &effects)
        }
        for peer in state.peers { hand(peer.id, .internetPossible, at: now, into: &effects) }
    }
}
