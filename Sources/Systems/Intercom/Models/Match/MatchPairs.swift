/// The pairs of a match service, by their connections and by their players.
struct MatchPairs: Sendable, Equatable {
    private var pairs: [MatchPair.ID: MatchPair] = [:]
    private var byNumber: [UInt64: MatchPair.ID] = [:]
    /// The pairs of each player, in the order in which they were made.
    private var byPlayer: [UInt64: [MatchPair.ID]] = [:]
    /// How many pairs have been looked at, by which tests count its work.
    private(set) var lookCount = 0

    /// How many connections stand.
    var connectedCount: Int { byNumber.count }

    /// A pair, if its two players have met.
    subscript(id: MatchPair.ID) -> MatchPair? { pairs[id] }

    /// The pair that a connection joins.
    func pair(connectedBy number: UInt64) -> MatchPair? {
        byNumber[number].flatMap { pairs[$0] }
    }

    /// The pairs of a player that are connected, the oldest first.
    mutating func connected(_ player: UInt64) -> [MatchPair] {
        let all = byPlayer[player] ?? []
        lookCount += all.count
        return all.compactMap { pairs[$0] }.filter { $0.number != nil }
    }

    /// Takes in a pair that has not met before.
    mutating func add(_ pair: MatchPair) {
        pairs[pair.id] = pair
        for player in [pair.id.first, pair.id.second] {
            byPlayer[player, default: []].append(pair.id)
        }
    }

    /// Connects a pair.
    mutating func connect(_ id: MatchPair.ID, as number: UInt64) {
        pairs[id]?.number = number
        pairs[id]?.requestsAtParting = nil
        byNumber[number] = id
    }

    /// Ends a pair's connection; with `requests` the two meet again once both have asked more often.
    mutating func part(_ id: MatchPair.ID, until requests: MatchPair.Requests?) {
        if let number = pairs[id]?.number { byNumber[number] = nil }
        pairs[id]?.number = nil
        if let requests { pairs[id]?.requestsAtParting = requests }
    }

    /// Forgets a player's pairs.
    mutating func forget(_ player: UInt64) {
        for id in byPlayer.removeValue(forKey: player) ?? [] {
            if let number = pairs.removeValue(forKey: id)?.number { byNumber[number] = nil }
            let other = id.other(player)
            lookCount += byPlayer[other]?.count ?? 0
            byPlayer[other]?.removeAll { $0 == id }
            if byPlayer[other]?.isEmpty ?? false { byPlayer[other] = nil }
        }
    }
}

/// Two players who show the same.
struct MatchPair: Sendable, Equatable {
    /// The lesser and the greater of their numbers.
    struct ID: Sendable, Hashable {
        let first: UInt64
        let second: UInt64

        init(_ one: UInt64, _ other: UInt64) {
            (first, second) = (min(one, other), max(one, other))
        }

        func joins(_ player: UInt64) -> Bool { player == first || player == second }

        func other(_ player: UInt64) -> UInt64 { player == first ? second : first }
    }

    /// How often the first and the second had asked.
    struct Requests: Sendable, Equatable {
        var first: UInt32
        var second: UInt32
    }

    let id: ID
    /// What the way over the service takes.
    let relayDelay: Duration
    /// By which the pair draws the numbers of its connections.
    let stretch: UInt64
    /// The number of their connection, while it stands.
    var number: UInt64?
    /// How often each had asked when they were parted for good.
    var requestsAtParting: Requests?
}
