import GroupSecurity
import PeerTransport
import SansIO

// What the six cards show (S-UI-001).

extension IntercomGroupCoordinator {
    /// How long a member counts as talking after a frame, if no end of the spurt comes.
    static var talkHold: Duration { .milliseconds(500) }

    mutating func showTalk(of member: MemberID, isTalking: Bool, at now: Instant) {
        guard let index = group?.index(of: member) else { return }
        if (group?.peers[index].talkingUntil != nil) != isTalking { areCardsStale = true }
        group?.peers[index].talkingUntil = isTalking ? now.advanced(by: Self.talkHold) : nil
    }

    mutating func endTalk(of member: MemberID, at now: Instant) {
        guard let index = group?.index(of: member), let until = group?.peers[index].talkingUntil,
            until <= now
        else { return }
        showTalk(of: member, isTalking: false, at: now)
    }

    /// Something has come of a member: its card says again by which path.
    mutating func endQuiet(of member: MemberID, at now: Instant) {
        guard let index = group?.index(of: member),
            group?.peers[index].hear(at: now) ?? false
        else { return }
        areCardsStale = true
    }

    /// Nothing has come of a member for long: its card says that no path carries.
    mutating func fallQuiet(_ member: MemberID, at now: Instant) {
        guard let index = group?.index(of: member),
            group?.peers[index].fallQuiet(at: now) ?? false
        else { return }
        areCardsStale = true
    }

    mutating func showCards(in turn: inout Turn<Effect>) {
        guard areCardsStale else { return }
        areCardsStale = false
        let former = cards
        guard let state = group else {
            cards = IntercomCards()
            if cards != former { turn.order(.cardsChanged(cards)) }
            return
        }
        // Who is in goes before who is sought.
        let free = max(0, GroupSize.membersMax - 1 - state.peers.count)
        let sought = state.missing.prefix(free)
        cards.keep(state.peers.map(\.id) + sought.map(\.id) + [own.id])
        cards.isInternetUnavailable = state.hasInternetFailed && state.wantsInternet
        cards.show(
            IntercomCards.Card(
                id: own.id,
                name: own.name,
                connection: nil,
                isTalking: isTalking,
                isMuted: isMuted,
                isOwner: state.membership.owner == own.id
            )
        )
        for peer in state.peers { cards.show(card(of: peer, in: state)) }
        for member in sought { cards.show(card(of: member)) }
        guard cards != former else { return }
        turn.order(.cardsChanged(cards))
    }

    private func card(of sought: KnownMember) -> IntercomCards.Card {
        IntercomCards.Card(
            id: sought.id,
            name: sought.name,
            connection: .searching,
            isTalking: false,
            isMuted: false,
            isOwner: false
        )
    }

    private func card(
        of peer: GroupPeer,
        in state: GroupState
    ) -> IntercomCards.Card {
        let member = state.membership.others.first { $0.id == peer.id }
        let paths: TransportPaths = peer.isQuiet ? [] : peer.handover.sendingPaths
        let connection: IntercomCards.Connection =
            switch (paths.contains(.local), paths.contains(.internet)) {
            case (false, false): .connecting
            case (true, false): .local
            case (false, true): .internet
            case (true, true): .both
            }
        return IntercomCards.Card(
            id: peer.id,
            name: member?.name,
            connection: connection,
            isTalking: peer.talkingUntil != nil,
            isMuted: member?.isMuted ?? false,
            isOwner: state.membership.owner == peer.id
        )
    }
}
