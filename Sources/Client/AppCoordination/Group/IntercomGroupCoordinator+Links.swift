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
    mutating func linkUp(
        _ link: LinkID,
        _ path: TransportPath,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let state = group, state.links.count < Self.linksMax, state.index(of: link) == nil
        else {
            effects.append(.closeLink(link))
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
        secure(link, .requested, at: now, into: &effects)
    }

    /// Gives a session an event, or wakes it, and follows what it orders.
    mutating func secure(
        _ link: LinkID,
        _ event: SecureSession.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = group?.index(of: link) else { return countUnheard(event) }
        var orders = EffectBuffer<SecureSession.Effect>()
        if let event {
            let earlier = group?.links[index].session.refusals
            group?.links[index].session.handle(event, at: now, into: &orders)
            if let earlier, let counts = group?.links[index].session.refusals {
                refusals.add(counts, since: earlier)
            }
        } else {
            group?.links[index].session.wake(at: now, into: &orders)
        }
        group?.links[index].settleDeadline()
        for order in orders.effects {
            switch order {
            case .send(let packet): effects.append(.sendHandshake(packet, link))
            case .established(let key): prove(link, key.memberID, at: now, into: &effects)
            case .timedOut: secure(link, .requested, at: now, into: &effects)
            case .cut(let refusal):
                effects.append(.cutLink(link, refusal))
                dropLink(link, at: now, into: &effects)
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
    private mutating func prove(
        _ link: LinkID,
        _ member: MemberID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard member != own.id else {
            effects.append(.closeLink(link))
            return dropLink(link, at: now, into: &effects)
        }
        guard let state = group, let index = state.index(of: link) else { return }
        let path = state.links[index].path
        if let former = state.link(to: member, by: path), former != link {
            effects.append(.closeLink(former))
            dropLink(former, at: now, into: &effects)
        }
        guard let current = group?.index(of: link) else { return }
        let isNew = group?.links[current].member == nil
        group?.links[current].member = member
        organize(.memberProven(member), at: now, into: &effects)
        if path == .internet { meetInMatch(member, at: now) }
        guard isNew, group?.index(of: member) != nil else { return }
        pathCameUp(path, to: member, at: now, into: &effects)
        countPeers(at: now, into: &effects)
    }

    mutating func dropLink(
        _ link: LinkID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = group?.index(of: link), let dropped = group?.links.remove(at: index)
        else {
            return
        }
        guard let member = dropped.member else { return }
        probe(member, dropped.path, .pathLost, at: now, into: &effects)
        hand(member, .pathLost(dropped.path), at: now, into: &effects)
        areCardsStale = true
        countPeers(at: now, into: &effects)
    }

    /// Who is silent is greeted by the connections that stand; without one nobody is greeted.
    mutating func forgetUnlessLinked(
        _ member: MemberID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let state = group, state.membership.isSilent(member),
            !state.links.contains(where: { $0.member == member })
        else { return }
        organize(.memberLost(member), at: now, into: &effects)
    }

    mutating func closeLinks(of member: MemberID, into effects: inout EffectBuffer<Effect>) {
        for link in group?.links ?? [] where link.member == member {
            effects.append(.closeLink(link.id))
        }
        group?.links.removeAll { $0.member == member }
        group?.endParting(from: member)
    }

    /// Sends a message to a member by every path that is proven.
    mutating func send(
        _ message: ControlMessage,
        to member: MemberID,
        into effects: inout EffectBuffer<Effect>
    ) {
        for link in group?.links ?? [] where link.member == member {
            effects.append(.sendControl(message, link.id))
        }
    }
}
