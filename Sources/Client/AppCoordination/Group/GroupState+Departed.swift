import GroupSecurity
import PeerTransport
import SansIO

/// A member who said goodbye or has no seat any more, and whether it is looked for now.
struct FormerMember: Sendable, Equatable {
    let id: MemberID
    var isSought = true
    /// When that changes.
    var due: Instant
}

/// Who had said goodbye when this phone left a group, which it may choose again soon.
struct FormerDepartures: Sendable, Equatable {
    /// More groups than anybody changes between in an hour.
    static let groupsMax = 8

    let group: GroupID
    let members: [FormerMember]
    /// When this phone left.
    let left: Instant
}

extension IntercomGroupCoordinator {
    /// Remembers who has said goodbye in the group that is left.
    mutating func rememberDepartures(of state: GroupState, at now: Instant) {
        formerDepartures.removeAll { $0.group == state.credential.id }
        guard !state.departed.isEmpty else { return }
        if formerDepartures.count == FormerDepartures.groupsMax { formerDepartures.removeFirst() }
        formerDepartures.append(
            FormerDepartures(group: state.credential.id, members: state.departed, left: now)
        )
    }

    /// Who said goodbye in a group before; nobody if this phone was away for long.
    func departures(from group: GroupID, at now: Instant) -> [FormerMember] {
        guard let former = formerDepartures.first(where: { $0.group == group }),
            now < former.left.advanced(by: configuration.departedPatience)
        else { return [] }
        return former.members
    }
}

// Who said goodbye belongs here and may come back from afar, today or never.

extension GroupState {
    /// Whether a member counts as missing while it is not in.
    func isSought(_ member: MemberID) -> Bool {
        !departed.contains { $0.id == member && !$0.isSought }
    }

    /// Those who belong here, are not in, and have not departed.
    var missing: [KnownMember] {
        known.filter { member in
            index(of: member.id) == nil && !departed.contains { $0.id == member.id }
        }
    }

    /// A member said goodbye or lost its seat: looked for until then, and later now and then.
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
