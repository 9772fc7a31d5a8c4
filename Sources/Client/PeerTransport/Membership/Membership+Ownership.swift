import SansIO

extension Membership {
    /// The smallest id of those who are in owns (S-OWN-002, S-OWN-003).
    mutating func determineOwner(in turn: inout Turn<Effect>) {
        let smallest = min(own.id, others.first?.id ?? own.id)
        guard smallest != owner else { return }
        owner = smallest
        claimSoon(at: turn.now)
        turn.order(.ownerChanged(smallest))
    }

    mutating func claimSoon(at now: Instant) {
        claimDue = now.nanoseconds
    }

    /// Tells all members whom this phone counts, if it owns the group and is not alone.
    mutating func claimIfDue(in turn: inout Turn<Effect>) {
        guard owner == own.id, !others.isEmpty else {
            claimDue = nil
            return
        }
        guard let due = claimDue, due <= turn.now.nanoseconds else { return }
        claimDue = turn.now.nanoseconds + limits.helloPeriodNanoseconds
        greatestTerm = greatestTerm.advanced(by: 1)
        let claim = OwnerClaim(term: greatestTerm, owner: own.id, members: memberIDs)
        for member in others { turn.order(.send(.ownerClaim(claim), to: member.id)) }
    }

    mutating func receive(_ claim: OwnerClaim, from id: MemberID, at now: Instant) {
        guard claim.owner == id, let index = index(of: id), peers[index].member != nil else {
            return
        }
        peers[index].hear(at: now.nanoseconds)
        if let latest = peers[index].term, claim.term.distance(ahead: latest) <= 0 { return }
        peers[index].term = claim.term
        if claim.term.distance(ahead: greatestTerm) > 0 { greatestTerm = claim.term }
        if id > owner, owner == own.id {
            // Somebody else thinks that it owns: it has to hear of this phone.
            claimSoon(at: now)
            peers[index].helloDue = now.nanoseconds
        }
        guard !claim.members.contains(own.id) else { return }
        // The owner does not count this phone. Either it has not heard of it, or it has no seat for it.
        peers[index].helloDue = now.nanoseconds
    }
}
