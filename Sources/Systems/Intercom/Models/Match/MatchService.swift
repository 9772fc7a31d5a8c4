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
    /// The players ever heard of who have not left.
    private var players: [UInt64: MatchPlayer] = [:]
    /// Those who are connected to whoever comes and shows the same.
    private var ready: [[UInt8]: Set<UInt64>] = [:]
    private var pairs = MatchPairs()
    private var agenda = MatchAgenda()
    /// How many players have been looked at.
    private var lookCount = 0
    /// Not later than anything is due: what is heard of a player moves its deadline on, and this stays.
    private var due: Deadline?

    /// Makes a service without players.
    init(configuration: MatchConfiguration, random: RandomStream) {
        self.configuration = configuration
        self.random = random
    }

    /// How many connections stand.
    var connectedCount: Int { pairs.connectedCount }

    /// How many players, pairs and entries of the agenda have been looked at: its work, which grows no faster than
    /// n log n in players.
    var work: Int { lookCount + pairs.lookCount + agenda.lookCount }

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
            meet(player, in: &turn)
            players[id]?.socket = sender
            welcome(id, request: request, turn.now)
            plan(id)
            due = Deadline.earliest(due, players[id]?.deadline)
            for number in closed { close(number, of: id, in: &turn) }
            send(to: id, in: &turn)
        case .received(.leaving(let id), _): leave(id, in: &turn)
        case .received(.roster, _): break
        }
    }

    /// Connects those whose time has come, and drops those who have been silent for too long.
    mutating func wake(in turn: inout Turn<Effect>) {
        guard let due, due.instant <= turn.now else { return }
        for id in takeDue(at: turn.now) {
            if let ready = players[id]?.ready, ready <= turn.now {
                players[id]?.ready = nil
                setReady(true, id)
                connect(id, in: &turn)
            }
            if let player = players[id], player.isSilent(at: turn.now) { drop(id, in: &turn) }
            plan(id)
        }
        self.due = nextDue()
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
        guard let pair = pairs.pair(connectedBy: connection),
            let first = players[pair.id.first]?.socket,
            let second = players[pair.id.second]?.socket,
            first.address == sender.address || second.address == sender.address
        else { return .refused(.unknown) }
        let isFirst = first.address == sender.address
        let id = isFirst ? pair.id.first : pair.id.second
        players[id]?.heard = now
        guard byteCount <= configuration.messageBytesMax else { return .refused(.tooLarge) }
        let messagesMax = configuration.messagesPerSecondMax
        guard players[id]?.mayUse(messagesMax, at: now) ?? false else { return .refused(.tooMany) }
        return .passes(to: isFirst ? second : first, after: pair.relayDelay)
    }

    // MARK: Players

    /// Takes in a player that is not known, that began anew or that shows something else.
    private mutating func meet(_ player: MatchPlayer, in turn: inout Turn<Effect>) {
        if let known = players[player.id] {
            if known.isSame(as: player) { return }
            leave(player.id, in: &turn)
        }
        players[player.id] = player
    }

    /// A player shows that it is there, and perhaps that it has asked anew.
    private mutating func welcome(_ id: UInt64, request: UInt32, _ now: Instant) {
        guard var player = players[id] else { return }
        player.heard = now
        let isNew = request > player.request
        player.request = max(request, player.request)
        if isNew || player.isDropped {
            player.isDropped = false
            player.patience = patience(of: &player)
            let setUp = setUp(of: &player)
            player.ready = player.ready ?? now.advanced(by: setUp)
        }
        players[id] = player
    }

    private mutating func leave(_ id: UInt64, in turn: inout Turn<Effect>) {
        let mates = pairs.connected(id).map { $0.id.other(id) }
        setReady(false, id)
        players[id] = nil
        pairs.forget(id)
        for mate in mates { send(to: mate, in: &turn) }
    }

    private mutating func drop(_ id: UInt64, in turn: inout Turn<Effect>) {
        setReady(false, id)
        players[id]?.isDropped = true
        players[id]?.ready = nil
        let mine = pairs.connected(id)
        for pair in mine { part(pair, isFinal: mine.count > 1) }
        for pair in mine { send(to: pair.id.other(id), in: &turn) }
    }

    private mutating func setReady(_ isReady: Bool, _ id: UInt64) {
        guard let info = players[id]?.info else { return }
        players[id]?.isReady = isReady
        if isReady {
            ready[info, default: []].insert(id)
        } else {
            ready[info]?.remove(id)
            if ready[info]?.isEmpty ?? false { ready[info] = nil }
        }
    }

    // MARK: Times

    /// Has the agenda look at a player by its deadline; one that it looks at earlier stays where it is.
    private mutating func plan(_ id: UInt64) {
        guard let player = players[id], let deadline = player.deadline?.instant else { return }
        if let planned = player.planned, planned <= deadline { return }
        players[id]?.planned = deadline
        agenda.insert(MatchAgenda.Entry(instant: deadline, player: id))
    }

    /// Those who are due, ascending; who was heard meanwhile is planned anew.
    private mutating func takeDue(at now: Instant) -> [UInt64] {
        var due: [UInt64] = []
        while let next = agenda.first, next.instant <= now {
            guard let player = takePlanned(next) else { continue }
            if let deadline = player.deadline, deadline.instant <= now {
                due.append(next.player)
            } else {
                plan(next.player)
            }
        }
        return due.sorted()
    }

    /// The earliest deadline of all.
    private mutating func nextDue() -> Deadline? {
        while let next = agenda.first {
            if let player = players[next.player], player.planned == next.instant,
                let deadline = player.deadline, deadline.instant == next.instant
            {
                return deadline
            }
            if takePlanned(next) != nil { plan(next.player) }
        }
        return nil
    }

    /// Takes the agenda's first entry away; the player, if it is the one by which that is planned.
    private mutating func takePlanned(_ entry: MatchAgenda.Entry) -> MatchPlayer? {
        agenda.removeFirst()
        guard let player = players[entry.player], player.planned == entry.instant else {
            return nil
        }
        players[entry.player]?.planned = nil
        return player
    }

    // MARK: Pairs

    private mutating func close(_ number: UInt64, of id: UInt64, in turn: inout Turn<Effect>) {
        guard let pair = pairs.pair(connectedBy: number), pair.id.joins(id) else { return }
        part(pair, isFinal: pairs.connected(id).count > 1)
        send(to: pair.id.other(id), in: &turn)
    }

    /// Parts two players: in a larger match until both have asked anew.
    private mutating func part(_ pair: MatchPair, isFinal: Bool) {
        let requests = MatchPair.Requests(
            first: request(of: pair.id.first),
            second: request(of: pair.id.second)
        )
        pairs.part(pair.id, until: isFinal ? requests : nil)
    }

    /// Connects a player with all who show the same and may be connected.
    private mutating func connect(_ id: UInt64, in turn: inout Turn<Effect>) {
        guard let player = players[id], let ready = ready[player.info],
            ready.count <= MatchConfiguration.playersMax
        else { return }
        lookCount += ready.count
        // Their own draws decide the order, not which phone a plan lists first, nor the set's order.
        let others = ready.compactMap { $0 == id ? nil : players[$0] }
            .sorted { ($0.session, $0.id) < ($1.session, $1.id) }
        var mates: [UInt64] = []
        for other in others {
            let pair = pair(of: player, other)
            guard pair.number == nil, mayMeet(pair) else { continue }
            let instant = UInt64(bitPattern: turn.now.nanoseconds)
            pairs.connect(pair.id, as: random.bits(at: pair.stretch ^ instant))
            mates.append(other.id)
        }
        for mate in mates { send(to: mate, in: &turn) }
        if !mates.isEmpty { send(to: id, in: &turn) }
    }

    private func mayMeet(_ pair: MatchPair) -> Bool {
        guard let requests = pair.requestsAtParting else { return true }
        return request(of: pair.id.first) > requests.first
            && request(of: pair.id.second) > requests.second
    }

    private func request(of id: UInt64) -> UInt32 { players[id]?.request ?? 0 }

    /// The pair of two players, who may meet for the first time.
    private mutating func pair(of one: MatchPlayer, _ other: MatchPlayer) -> MatchPair {
        let id = MatchPair.ID(one.id, other.id)
        if let known = pairs[id] { return known }
        // The same whoever of the two is listed first.
        var draws = stretch(one.session &+ other.session, one.session ^ other.session)
        let delay = draws.duration(
            in: configuration.relayDelayLeast...configuration.relayDelayMost
        )
        let pair = MatchPair(id: id, relayDelay: delay, stretch: draws.next())
        pairs.add(pair)
        return pair
    }

    /// The draws of what two numbers name.
    private func stretch(_ one: UInt64, _ other: UInt64) -> RandomStream {
        var draws = random
        draws.index = random.bits(at: random.bits(at: one) ^ other)
        return draws
    }

    // MARK: Sending and drawing

    private mutating func send(to id: UInt64, in turn: inout Turn<Effect>) {
        guard let player = players[id] else { return }
        let connections = pairs.connected(id).compactMap { pair in
            pair.number.map { MatchConnection(number: $0, player: pair.id.other(id)) }
        }
        let roster = MatchMessage.roster(request: player.request, connections)
        turn.order(.transmit(roster, to: player.socket))
    }

    private func setUp(of player: inout MatchPlayer) -> Duration {
        player.draws.duration(in: configuration.setUpLeast...configuration.setUpMost)
    }

    private func patience(of player: inout MatchPlayer) -> Duration? {
        let notice = configuration.noticeLeast...configuration.noticeMost
        let patience = player.draws.duration(in: notice)
        return player.draws.bernoulli(configuration.noticeNever) ? nil : patience
    }
}
