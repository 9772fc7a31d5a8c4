import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

/// A match service in the manner of GameKit: it connects all players who show the same, passes their
/// data on, and drops those who fall silent.
///
/// Whoever looks for others is connected to all of them who look as well, `setUp` after they asked. A
/// player from whom nothing comes is dropped, late or never. What then follows is GameKit's rule: in a
/// match of two the dropped player is invited again by itself and comes back with its first sign of
/// life (Apple, `GKMatchDelegate.match(_:shouldReinviteDisconnectedPlayer:)`); in a larger one two who
/// were parted are connected again only after both have asked anew, which is a new match.
struct MatchService: StateMachine {
    /// See `MatchServiceEvent`.
    typealias Event = MatchServiceEvent
    /// See `MatchServiceEffect`.
    typealias Effect = MatchServiceEffect

    /// In one wake each of 65,536 phones, more than a world holds, may come to a match and be told to all in it.
    static var effectsPerCallMax: Int { MatchConfiguration.playersMax << 16 }

    /// A service runs for ever.
    var isFinished: Bool { false }

    let configuration: MatchConfiguration
    /// What is drawn for a player or a pair comes from a stretch of its own, so that nobody else's asking
    /// changes it.
    private let random: RandomStream
    /// The players ever heard of who have not left, ascending.
    private var players: [MatchPlayer] = []
    /// The numbers of those who show something, ascending.
    private var alike: [[UInt8]: [UInt64]] = [:]
    private var pairs: [MatchPair] = []
    /// The places of the pairs by their connections' numbers, and of each player's, ascending.
    private var byNumber: [UInt64: Int] = [:]
    private var byPlayer: [UInt64: [Int]] = [:]
    /// Not later than anything is due: what is heard of a player moves its deadline on, and this stays.
    private var due: Deadline?

    /// Makes a service without players.
    init(configuration: MatchConfiguration, random: RandomStream) {
        self.configuration = configuration
        self.random = random
    }

    /// How many connections stand.
    var connectedCount: Int { pairs.count { $0.number != nil } }

    /// When players are connected, or one may count as lost.
    var deadline: Deadline? { due }

    /// Takes one fact.
    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .received(.seeking(let id, let session, let info, let request, let closed), let sender):
            let player = MatchPlayer(
                id: id,
                session: session,
                info: info,
                heard: turn.now,
                draws: stretch(session, UInt64(request))
            )
            let index = index(of: player, in: &turn)
            players[index].socket = sender
            welcome(at: index, request: request, turn.now)
            due = Deadline.earliest(due, players[index].deadline)
            for number in closed { close(number, of: id, in: &turn) }
            send(to: id, in: &turn)
        case .received(.leaving(let id), _): leave(id, in: &turn)
        case .received(.roster, _): break
        }
    }

    /// Connects those whose time has come, and drops those who have been silent for too long.
    mutating func wake(in turn: inout Turn<Effect>) {
        guard let due, due.instant <= turn.now else { return }
        defer { self.due = players.reduce(nil) { Deadline.earliest($0, $1.deadline) } }
        for index in players.indices {
            guard let deadline = players[index].deadline, deadline.instant <= turn.now else {
                continue
            }
            if let ready = players[index].ready, ready <= turn.now {
                players[index].ready = nil
                players[index].isReady = true
                connect(players[index].id, in: &turn)
            }
            if players[index].isSilent(at: turn.now) { drop(at: index, in: &turn) }
        }
    }

    /// Passes a player's data on.
    ///
    /// - Parameters:
    ///   - byteCount: The message's size without headers.
    ///   - connection: By which connection it goes.
    ///   - sender: Where it came from.
    ///   - now: The present.
    /// - Returns: Where it goes and how long that takes, or why it is thrown away.
    mutating func relay(
        _ byteCount: Int,
        by connection: UInt64,
        from sender: SocketAddress,
        at now: Instant
    ) -> MatchRelay {
        guard let pair = byNumber[connection].map({ pairs[$0] }),
            let first = place(of: pair.first), let second = place(of: pair.second),
            let (index, other) = [(first, second), (second, first)]
                .first(where: { players[$0.0].socket.address == sender.address })
        else { return .refused(.unknown) }
        players[index].heard = now
        guard byteCount <= configuration.messageBytesMax else { return .refused(.tooLarge) }
        guard players[index].mayUse(configuration.messagesPerSecondMax, at: now) else {
            return .refused(.tooMany)
        }
        return .passes(to: players[other].socket, after: pair.relayDelay)
    }

    // MARK: Players

    /// The place of a player among all of them.
    private func place(of id: UInt64) -> Int? {
        let place = insertion(of: id)
        return place < players.count && players[place].id == id ? place : nil
    }

    /// The place of the first player whose number is not less.
    private func insertion(of id: UInt64) -> Int {
        var (low, high) = (0, players.count)
        while low < high {
            let middle = (low + high) / 2
            if players[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The index of a player, who is new if it began anew or shows something else.
    private mutating func index(of player: MatchPlayer, in turn: inout Turn<Effect>) -> Int {
        if let known = place(of: player.id) {
            if players[known].isSame(as: player) { return known }
            leave(player.id, in: &turn)
        }
        let index = insertion(of: player.id)
        players.insert(player, at: index)
        let others = alike[player.info] ?? []
        let rank = others.firstIndex { $0 > player.id } ?? others.endIndex
        alike[player.info, default: []].insert(player.id, at: rank)
        return index
    }

    /// A player shows that it is there, and perhaps that it has asked anew.
    private mutating func welcome(at index: Int, request: UInt32, _ now: Instant) {
        players[index].heard = now
        let isNew = request > players[index].request
        players[index].request = max(request, players[index].request)
        guard isNew || players[index].isDropped else { return }
        players[index].isDropped = false
        players[index].patience = patience(of: index)
        let setUp = setUp(of: index)
        players[index].ready = players[index].ready ?? now.advanced(by: setUp)
    }

    private mutating func leave(_ id: UInt64, in turn: inout Turn<Effect>) {
        let mates = connected(id).map { pairs[$0].other(id) }
        if let place = place(of: id) {
            let info = players.remove(at: place).info
            alike[info]?.removeAll { $0 == id }
            if alike[info]?.isEmpty ?? false { alike[info] = nil }
        }
        if byPlayer[id] != nil {
            pairs.removeAll { $0.joins(id) }
            index(pairs)
        }
        for mate in mates { send(to: mate, in: &turn) }
    }

    private mutating func drop(at index: Int, in turn: inout Turn<Effect>) {
        let id = players[index].id
        players[index].isDropped = true
        players[index].isReady = false
        players[index].ready = nil
        let mine = connected(id)
        for pair in mine { part(pair, isFinal: mine.count > 1) }
        for pair in mine { send(to: pairs[pair].other(id), in: &turn) }
    }

    // MARK: Pairs

    /// The places of a player's pairs that are connected.
    private func connected(_ id: UInt64) -> [Int] {
        (byPlayer[id] ?? []).filter { pairs[$0].number != nil }
    }

    private mutating func index(_ pairs: [MatchPair]) {
        (byNumber, byPlayer) = ([:], [:])
        for (place, pair) in pairs.enumerated() {
            if let number = pair.number { byNumber[number] = place }
            for id in [pair.first, pair.second] { byPlayer[id, default: []].append(place) }
        }
    }

    private mutating func close(_ number: UInt64, of id: UInt64, in turn: inout Turn<Effect>) {
        guard let pair = byNumber[number], pairs[pair].joins(id) else { return }
        part(pair, isFinal: connected(id).count > 1)
        send(to: pairs[pair].other(id), in: &turn)
    }

    /// Parts two players: in a larger match until both have asked anew.
    private mutating func part(_ pair: Int, isFinal: Bool) {
        if let number = pairs[pair].number { byNumber[number] = nil }
        pairs[pair].number = nil
        guard isFinal else { return }
        pairs[pair].requestsAtParting = (
            request(of: pairs[pair].first), request(of: pairs[pair].second)
        )
    }

    /// Connects a player with all who show the same and may be connected.
    private mutating func connect(_ id: UInt64, in turn: inout Turn<Effect>) {
        guard let player = place(of: id).map({ players[$0] }) else { return }
        // Their own draws decide the order, not which phone a plan lists first.
        let others = (alike[player.info] ?? []).compactMap { place(of: $0).map { players[$0] } }
            .filter { $0.id != id && $0.isReady }.sorted { $0.session < $1.session }
        guard others.count < MatchConfiguration.playersMax else { return }
        var mates: [UInt64] = []
        for other in others {
            let pair = pairIndex(id, other.id)
            guard pairs[pair].number == nil, mayMeet(pair) else { continue }
            let instant = UInt64(bitPattern: turn.now.nanoseconds)
            let number = random.bits(at: pairs[pair].stretch ^ instant)
            pairs[pair].number = number
            byNumber[number] = pair
            pairs[pair].requestsAtParting = nil
            mates.append(other.id)
        }
        for mate in mates { send(to: mate, in: &turn) }
        if !mates.isEmpty { send(to: id, in: &turn) }
    }

    private func mayMeet(_ pair: Int) -> Bool {
        guard let requests = pairs[pair].requestsAtParting else { return true }
        return request(of: pairs[pair].first) > requests.first
            && request(of: pairs[pair].second) > requests.second
    }

    private func request(of id: UInt64) -> UInt32 {
        place(of: id).map { players[$0].request } ?? 0
    }

    private mutating func pairIndex(_ one: UInt64, _ other: UInt64) -> Int {
        let (first, second) = (min(one, other), max(one, other))
        let known = byPlayer[first]?.first {
            pairs[$0].second == second && pairs[$0].first == first
        }
        if let known { return known }
        let sessions = [first, second].map { id in place(of: id).map { players[$0].session } ?? id }
        // The same whoever of the two is listed first.
        var draws = stretch(sessions[0] &+ sessions[1], sessions[0] ^ sessions[1])
        let delay = draws.duration(
            in: configuration.relayDelayLeast...configuration.relayDelayMost
        )
        let pair = MatchPair(
            first: first,
            second: second,
            relayDelay: delay,
            stretch: draws.next()
        )
        for id in [first, second] { byPlayer[id, default: []].append(pairs.count) }
        pairs.append(pair)
        return pairs.count - 1
    }

    /// The draws of what two numbers name.
    private func stretch(_ one: UInt64, _ other: UInt64) -> RandomStream {
        var draws = random
        draws.index = random.bits(at: random.bits(at: one) ^ other)
        return draws
    }

    // MARK: Sending and drawing

    private func send(to id: UInt64, in turn: inout Turn<Effect>) {
        guard let player = place(of: id).map({ players[$0] }) else { return }
        let connections = (byPlayer[id] ?? []).compactMap { place in
            let pair = pairs[place]
            return pair.number.map { MatchConnection(number: $0, player: pair.other(id)) }
        }
        let roster = MatchMessage.roster(request: player.request, connections)
        turn.order(.transmit(roster, to: player.socket))
    }

    private mutating func setUp(of player: Int) -> Duration {
        players[player].draws.duration(in: configuration.setUpLeast...configuration.setUpMost)
    }

    private mutating func patience(of player: Int) -> Duration? {
        let notice = configuration.noticeLeast...configuration.noticeMost
        let patience = players[player].draws.duration(in: notice)
        return players[player].draws.bernoulli(configuration.noticeNever) ? nil : patience
    }
}
