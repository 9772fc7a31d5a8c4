import GroupSecurity
import PeerTransport
import SansIO

extension IntercomGroupCoordinator {
    /// Follows an invite, or says exactly why not (A-NF-002).
    ///
    /// In a group an invite to another one is refused: nobody is to be carried off by a tap. Who wants to
    /// go there leaves first.
    mutating func follow(
        _ delivery: InviteDelivery,
        at time: WallTime,
        in turn: inout Turn<Effect>
    ) {
        do throws(InviteRefusal) {
            let invite = try Invite(delivery)
            let present = group?.credential
            try invite.check(at: time, joining: own.id, expecting: present?.id)
            guard invite.group != present else {
                return turn.order(.inviteAnswered(.alreadyIn))
            }
            // The same group with another secret is not the one that this phone is in.
            guard present == nil else { throw .foreignGroup(invite.group.id) }
            let inviter = invite.inviter.memberID
            let joined = InviteAnswer.joined(
                invite.group,
                name: invite.terms.name,
                inviter: inviter
            )
            turn.order(.inviteAnswered(joined))
            let known = [KnownMember(id: inviter)]
            choose(invite.group, known: known, invitedBy: inviter, in: &turn)
        } catch {
            turn.order(.inviteAnswered(.refused(error)))
        }
    }

    /// Whoever was invited may follow from afar, and is found over the Internet alone.
    mutating func expectGuest(for validity: Duration?, at now: Instant) {
        let patience = configuration.guestPatience
        group?.expectGuest(until: now.advanced(by: min(validity ?? patience, patience)))
        searchSoon(at: now)
    }
}

extension Invite {
    /// Reads an invite in the form in which it came.
    fileprivate init(_ delivery: InviteDelivery) throws(InviteRefusal) {
        switch delivery {
        case .json(let bytes): try self.init(json: bytes)
        case .url(let url): try self.init(url: url)
        }
    }
}
