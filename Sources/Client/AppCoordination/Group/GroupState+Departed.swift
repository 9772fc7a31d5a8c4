import PeerTransport
import SansIO

/// A member who said goodbye, and whether it is looked for now.
struct FormerMember: Sendable, Equatable {
    let id: MemberID
    var isSought = true
    /// When that changes.
    var due: Instant
}

// Who said goodbye belongs here and may come back from afar, today or never.

extension GroupState {
    /// Whether a member counts as missing while it is not in.
    func isSought(_ member: MemberID) -> Bool {
        !departed.contains { $0.id == member && !$0.isSought }
    }

    /// Those who belong here, are not in, and have not said goodbye.
    var missing: [KnownMember] {
        known.filter { member in
            index(of: member.id) == nil && !departed.contains { $0.id == member.id }
        }
    }

    /// A member said goodbye: it is looked for until then, and afterwards now and then.
    mutating func depart(_ member: MemberID, soughtUntil end: Instant) {
        departed.removeAll { $0.id == member }
        departed.append(FormerMember(id: member, due: end))
    }

    /// Begins to look for those of whom that is due, or leaves off; says whether anything was due.
    mutating func turnSearches(
        at now: Instant,
        _ configuration: IntercomGroupConfiguration
    ) -> Bool {
        var hasTurned = false
        for index in departed.indices where departed[index].due <= now {
            hasTurned = true
            departed[index].isSought.toggle()
            let isSought = departed[index].isSought
            let length = isSought ? configuration.departedSearch : configuration.departedPause
            departed[index].due = now.advanced(by: length)
        }
        return hasTurned
    }
}
