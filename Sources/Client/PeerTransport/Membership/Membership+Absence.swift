public import SansIO

// Those who are not in: known from what others say, or silent.

extension Membership {
    /// The members that others list and this phone hasn't met; empty when no seat is free.
    ///
    /// What others say of them may be older than their goodbye.
    public var unmet: [MemberID] {
        guard others.count + 1 < capacity else { return [] }
        var unmet: [MemberID] = []
        for peer in peers where peer.member != nil {
            for id in peer.listed where id != own.id && !unmet.contains(id) {
                let isIn = index(of: id).map { peers[$0].member != nil } ?? false
                guard !isIn, !departed.contains(where: { $0.id == id }) else { continue }
                unmet.append(id)
            }
        }
        return unmet
    }

    /// Whether hellos go to this member although nothing has come from it for long.
    public func isSilent(_ id: MemberID) -> Bool {
        index(of: id).map { peers[$0].isSilent } ?? false
    }

    /// Frees the seat of somebody of whom nothing has come for long; hellos go on, rarely.
    mutating func fallSilent(_ id: MemberID, in turn: inout Turn<Effect>) {
        guard let index = index(of: id) else { return }
        // No hello is due to whoever was turned away, who asks again alone.
        guard peers[index].helloDue != .max else {
            return remove(id, .silent, in: &turn)
        }
        peers[index].fallSilent(until: turn.now.nanoseconds + limits.helloPeriodNanoseconds)
        vacate(index, .silent, in: &turn)
    }

    /// Forgets who has been silent for longest, if anybody is.
    mutating func forgetSilent() {
        let silent = peers.indices.filter { peers[$0].isSilent }
        let longest = silent.min { peers[$0].heardNanoseconds < peers[$1].heardNanoseconds }
        if let longest { peers.remove(at: longest) }
    }
}
