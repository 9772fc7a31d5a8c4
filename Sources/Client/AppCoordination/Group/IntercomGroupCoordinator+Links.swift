public import GroupSecurity
import PeerTransport
public import SansIO

extension IntercomGroupCoordinator {
    /// The connections of a fan-out, in the order of their bits.
    public func links(in fanout: Fanout) -> [LinkID] {
        guard let links = group?.links else { return [] }
        return links.indices.compactMap { index in
            fanout.contains(Fanout(rawValue: 1 << UInt64(index))) ? links[index].id : nil
        }
    }

    /// Seals one message for a connection; see `SecureSession.seal`.
    ///
    /// - Returns: How many bytes were written; `nil` if the connection is gone or not yet proven.
    public mutating func seal(
        _ plaintext: UnsafeRawBufferPointer,
        for link: LinkID,
        into packet: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard let index = group?.index(of: link) else {
            return sealGoodbye(plaintext, for: link, into: packet)
        }
        return group?.links[index].session.seal(plaintext, stream: 0, into: packet)
    }

    /// Opens one packet of a connection; see `SecureSession.open`.
    ///
    /// - Returns: How many bytes were written.
    /// - Throws: Why the packet is not accepted; the caller MUST report it by `packetRefused`.
    public mutating func open(
        _ packet: UnsafeRawBufferPointer,
        by link: LinkID,
        into plaintext: UnsafeMutableRawBufferPointer,
        at now: Instant
    ) throws(PacketRefusal) -> Int {
        guard let index = group?.index(of: link) else {
            return try openLast(packet, by: link, into: plaintext, at: now)
        }
        let opened = try group?.links[index].session.open(packet, into: plaintext, at: now)
        return opened?.count ?? 0
    }

    /// What stands for the seal of a message for a connection; see `SecureSession.stamp`.
    package mutating func stamp(for link: LinkID) -> UInt32? {
        guard let index = group?.index(of: link) else { return stampGoodbye(for: link) }
        return group?.links[index].session.stamp()
    }

    /// Admits a packet with this stamp by a connection; see `SecureSession.admit`.
    package mutating func admit(
        stamp: UInt32,
        by link: LinkID,
        isVouching: Bool,
        at now: Instant
    ) throws(PacketRefusal) {
        guard let index = group?.index(of: link) else {
            return try admitLast(stamp: stamp, by: link, isVouching: isVouching, at: now)
        }
        try group?.links[index].session.admit(stamp: stamp, isVouching: isVouching, at: now)
    }
}

extension IntercomGroupCoordinator {
    mutating func linkUp(_ link: LinkID, _ path: TransportPath, in turn: inout Turn<Effect>) {
        guard let state = group, state.links.count < Self.linksMax, state.index(of: link) == nil
        else {
            turn.order(.closeLink(link))
            return
        }
        if path == .internet { trustInternet() }
        let handshake = GroupHandshake(
            configuration: configuration.handshake,
            identity: identity,
            group: state.credential,
            entropy: entropy.fork()
        )
        group?.links.append(GroupLink(id: link, path: path, session: SecureSession(handshake)))
        secure(link, .requested, in: &turn)
    }

    /// Gives a session an event, or wakes it, and follows what it orders.
    mutating func secure(
        _ link: LinkID,
        _ event: SecureSession.Event?,
        in turn: inout Turn<Effect>
    ) {
        guard let index = group?.index(of: link) else { return countUnheard(event) }
        let earlier = group?.links[index].session.refusals
        let orders = group?.links[index].session.drive(event, at: turn.now) ?? []
        if event != nil, let earlier, let counts = group?.links[index].session.refusals {
            refusals.add(counts, since: earlier)
        }
        group?.links[index].settleDeadline()
        for order in orders {
            switch order {
            case .send(let packet): turn.order(.sendHandshake(packet, link))
            case .established(let key): prove(link, key.memberID, in: &turn)
            case .timedOut: secure(link, .requested, in: &turn)
            case .cut(let refusal):
                turn.order(.cutLink(link, refusal))
                dropLink(link, in: &turn)
            }
        }
    }

    /// Counts what came by a connection that the app has let go of, where no session counts.
    private mutating func countUnheard(_ event: SecureSession.Event?) {
        switch event {
        case .packetRefused(let refusal)?: refusals.add(refusal)
        case .handshakeReceived?: refusals.add(.unknownAttempt)
        case .requested?, .disconnected?, nil: break
        }
    }

    /// Somebody proved who they are: from now on this connection is the way to them by its path.
    private mutating func prove(_ link: LinkID, _ member: MemberID, in turn: inout Turn<Effect>) {
        guard member != own.id else {
            turn.order(.closeLink(link))
            return dropLink(link, in: &turn)
        }
        guard let state = group, let index = state.index(of: link) else { return }
        let path = state.links[index].path
        if let former = state.link(to: member, by: path), former != link {
            turn.order(.closeLink(former))
            dropLink(former, in: &turn)
        }
        guard let current = group?.index(of: link) else { return }
        let isNew = group?.links[current].member == nil
        group?.links[current].member = member
        organize(.memberProven(member), in: &turn)
        if path == .internet { meetInMatch(member, at: turn.now) }
        guard isNew, group?.index(of: member) != nil else { return }
        pathCameUp(path, to: member, in: &turn)
        countPeers(in: &turn)
    }

    mutating func dropLink(_ link: LinkID, in turn: inout Turn<Effect>) {
        guard let index = group?.index(of: link), let dropped = group?.links.remove(at: index)
        else {
            return
        }
        guard let member = dropped.member else { return }
        probe(member, dropped.path, .pathLost, in: &turn)
        hand(member, .pathLost(dropped.path), in: &turn)
        areCardsStale = true
        countPeers(in: &turn)
    }

    /// Who is silent is greeted by the connections that stand; without one nobody is greeted.
    mutating func forgetUnlessLinked(_ member: MemberID, in turn: inout Turn<Effect>) {
        guard let state = group, state.membership.isSilent(member),
            !state.links.contains(where: { $0.member == member })
        else { return }
        organize(.memberLost(member), in: &turn)
    }

    mutating func closeLinks(of member: MemberID, in turn: inout Turn<Effect>) {
        for link in group?.links ?? [] where link.member == member {
            turn.order(.closeLink(link.id))
        }
        group?.links.removeAll { $0.member == member }
        group?.endParting(from: member)
    }

    /// Sends a message to a member by every path that is proven.
    mutating func send(
        _ message: ControlMessage,
        to member: MemberID,
        in turn: inout Turn<Effect>
    ) {
        for link in group?.links ?? [] where link.member == member {
            turn.order(.sendControl(message, link.id))
        }
    }
}
