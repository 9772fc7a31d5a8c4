import GroupSecurity
import PeerTransport
import SansIO

/// A group that the app has left, whose members are being told.
///
/// To the user, and to voice, the group is left at once. Only the connections stay, until the last goodbye
/// is said or all of the others have closed theirs; then the transports are let go of too. An app that is
/// killed says nothing more.
struct GroupDeparture: Sendable, Equatable {
    /// Says when which goodbye is due.
    private var membership: Membership
    /// When the next is due, as of the last call.
    private(set) var deadline: Deadline?
    /// The connections to members.
    var links: [GroupLink]
    let isInternetConnected: Bool

    init(_ left: GroupState) {
        membership = left.membership
        deadline = membership.deadline
        links = left.links.filter { $0.member != nil }
        isInternetConnected = left.isInternetConnected
    }

    /// Whether nobody is to be told anything more.
    var isOver: Bool { membership.isFinished || links.isEmpty }

    func index(of link: LinkID) -> Int? { links.indices.first { links[$0].id == link } }

    /// Says the goodbye that is due.
    fileprivate mutating func wake(at now: Instant) -> [Membership.Effect] {
        let orders = membership.drive(nil, at: now)
        deadline = membership.deadline
        return orders
    }
}

extension IntercomGroupCoordinator {
    /// Tells the members of the group that was left once more.
    mutating func sayGoodbyeIfDue(in turn: inout Turn<Effect>) {
        for order in departure?.wake(at: turn.now) ?? [] {
            guard case .send(let message, let member) = order else { continue }
            for link in departure?.links ?? [] where link.member == member {
                turn.order(.sendControl(message, link.id))
            }
        }
        if departure?.isOver ?? false { endDeparture(in: &turn) }
    }

    /// The other side closed a connection: it has heard the goodbye, or is gone itself.
    mutating func departureLost(_ link: LinkID, in turn: inout Turn<Effect>) {
        guard let index = departure?.index(of: link) else { return }
        departure?.links.remove(at: index)
        if departure?.isOver ?? false { endDeparture(in: &turn) }
    }

    /// Closes what was kept for the goodbyes.
    mutating func endDeparture(in turn: inout Turn<Effect>) {
        guard let ended = departure else { return }
        for link in ended.links { turn.order(.closeLink(link.id)) }
        turn.order(.disconnect(.local))
        if ended.isInternetConnected { turn.order(.disconnect(.internet)) }
        sealedLast = ended.links
        departure = nil
    }

    /// Seals a message for a connection of a group that was left.
    mutating func sealGoodbye(
        _ plaintext: UnsafeRawBufferPointer,
        for link: LinkID,
        into packet: UnsafeMutableRawBufferPointer
    ) -> Int? {
        if let index = departure?.index(of: link) {
            return departure?.links[index].session.seal(plaintext, stream: 0, into: packet)
        }
        guard let last = sealedLast.firstIndex(where: { $0.id == link }) else { return nil }
        return sealedLast[last].session.seal(plaintext, stream: 0, into: packet)
    }

    /// What stands for the seal of such a message; see `SecureSession.stamp`.
    mutating func stampGoodbye(for link: LinkID) -> UInt32? {
        if let index = departure?.index(of: link) {
            return departure?.links[index].session.stamp()
        }
        guard let last = sealedLast.firstIndex(where: { $0.id == link }) else { return nil }
        return sealedLast[last].session.stamp()
    }

    /// Opens what still comes by a connection of a group that was left: nobody reads it, and nothing is
    /// wrong with it.
    mutating func openLast(
        _ packet: UnsafeRawBufferPointer,
        by link: LinkID,
        into plaintext: UnsafeMutableRawBufferPointer,
        at now: Instant
    ) throws(PacketRefusal) -> Int {
        guard let index = departure?.index(of: link) else { throw .unknownSession }
        let opened = try departure?.links[index].session.open(packet, into: plaintext, at: now)
        return opened?.count ?? 0
    }

    /// Admits what still comes by such a connection; see `SecureSession.admit`.
    mutating func admitLast(
        stamp: UInt32,
        by link: LinkID,
        isVouching: Bool,
        at now: Instant
    ) throws(PacketRefusal) {
        guard let index = departure?.index(of: link) else { throw .unknownSession }
        try departure?.links[index].session.admit(stamp: stamp, isVouching: isVouching, at: now)
    }
}
