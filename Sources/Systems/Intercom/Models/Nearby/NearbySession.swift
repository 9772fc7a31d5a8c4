import GroupSecurity
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

/// One phone's end of a session with phones nearby, in the manner of MultipeerConnectivity: it shows
/// something, finds those who show the same, invites them, and loses them late or never.
///
/// Both sides browse and invite, so a tie has to be broken by something that both see alike (WWDC 2014,
/// session 709; jpsim/PeerKit, pull request 16, broke it by a hash that differs between phones, and one
/// try in ten connected): the smaller session number invites, the other waits as long as an invitation
/// may take before it invites by itself. Of two whose clocks are far apart the one behind invites; see `SignAge`.
/// An invitation that fails is tried once more, and finds the
/// radios warm.
///
/// A lost connection is noticed from silence alone, between `noticeLeast` and `noticeMost` later or
/// never, drawn anew for each connection. Data that the app sends passes beside this machine; what
/// comes proves life by `hear`.
struct NearbySession: StateMachine {
    /// See `NearbyEvent`.
    typealias Event = NearbyEvent
    /// See `NearbyEffect`.
    typealias Effect = NearbyEffect

    /// The most phones that it keeps in mind.
    static let neighboursMax = 32
    /// The most phones that it keeps in mind for one sign; more than one show a recording of it.
    static let alikeMax = 2
    /// An announcement, and for each phone what an attempt that ends, begins and succeeds can order.
    static var effectsPerCallMax: Int { 1 + 6 * neighboursMax }

    /// An app can always begin again.
    var isFinished: Bool { false }

    let configuration: NearbyConfiguration
    let host: UInt32
    var random: RandomStream
    private var isOn = true
    /// What is shown, while the app wants it, and this beginning's number.
    var info: [UInt8]?
    var session: UInt64 = 0
    /// The group whose signs the app recognizes.
    private(set) var group: SoughtGroup?
    /// Whether the app still shows it, and looks for others.
    private(set) var isSeeking = false
    private var beatDue: Instant?
    /// The phones heard of, ascending by their numbers.
    var neighbours: [Neighbour] = []

    /// Makes a session that shows nothing, with a radio that is on.
    ///
    /// - Parameters:
    ///   - configuration: How the framework behaves.
    ///   - host: The phone's number; 24 bits.
    ///   - random: What its times are drawn from.
    init(configuration: NearbyConfiguration, host: UInt32, random: RandomStream) {
        precondition(host < 1 << 24, "a phone's number has 24 bits, and \(host) has more")
        self.configuration = configuration
        self.host = host
        self.random = random
    }

    /// By what the phone can be known to all who listen; `nil` while it shows nothing.
    var shown: (info: [UInt8], session: UInt64)? {
        guard isOn, isSeeking, let info else { return nil }
        return (info, session)
    }

    /// How many connections stand, as far as this side knows.
    var connectedCount: Int { neighbours.count { $0.connection != nil } }

    /// The next beat, the end of an attempt, or the notice of a loss.
    var deadline: Deadline? {
        guard isOn, let beatDue else { return nil }
        var deadline = Deadline(beatDue, "beat")
        for neighbour in neighbours {
            for other in [neighbour.attempt?.deadline, neighbour.connection?.deadline] {
                deadline = Deadline.earliest(deadline, other) ?? deadline
            }
        }
        return deadline
    }

    /// Takes one fact.
    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .began(let info, let group): begin(info, group, at: turn.now)
        case .hidden: hide()
        case .stopped: stop(in: &turn)
        case .radioChanged(let isOn): change(isOn, in: &turn)
        case .received(let message, let sender):
            guard isOn, let info, let index = index(of: sender, saying: message, turn.now) else {
                return
            }
            if turn.now > neighbours[index].heard.advanced(by: configuration.warmth) {
                neighbours[index].warmAt = nil
            }
            neighbours[index].heard = turn.now
            receive(message, showing: info, at: index, in: &turn)
        case .closed(let connection, let isCut):
            close(connection, isCut: isCut, in: &turn)
        }
    }

    /// Does what is due; a late wake does each thing once.
    mutating func wake(in turn: inout Turn<Effect>) {
        guard let info, let deadline, deadline.instant <= turn.now else { return }
        for index in neighbours.indices {
            if let silent = neighbours[index].connection?.deadline, silent.instant <= turn.now {
                lose(at: index, .silence, in: &turn)
            }
            advanceAttempt(at: index, in: &turn)
        }
        if let beatDue, beatDue <= turn.now { beat(info, in: &turn) }
    }

    /// Data came by a connection, which stands therefore.
    mutating func hear(connection: UInt64, at now: Instant) {
        for index in neighbours.indices where neighbours[index].connection?.number == connection {
            neighbours[index].connection?.heard = now
            neighbours[index].heard = now
        }
    }

    // MARK: Beginning and ending

    private mutating func begin(_ info: [UInt8], _ group: SoughtGroup?, at now: Instant) {
        // Asked again it goes on: it looks for everybody all the time.
        let isAnother = group == nil ? self.info != info : self.group?.hash != group?.hash
        guard isAnother || !isSeeking else { return rename(info, group) }
        (self.info, self.group) = (info, group)
        isSeeking = true
        neighbours = []
        session = random.next()
        let phase = random.uniform(in: 0...configuration.beat.wholeNanoseconds)
        beatDue = now.advanced(by: .nanoseconds(phase))
    }

    /// The phone goes by another name from now on, which members know to be the same phone's.
    private mutating func rename(_ info: [UInt8], _ group: SoughtGroup?) {
        guard let group, group != self.group else { return }
        (self.info, self.group) = (info, group)
        session = group.hash.number(following: session, in: group.period)
    }

    private mutating func stop(in turn: inout Turn<Effect>) {
        for neighbour in neighbours {
            guard isOn, let connection = neighbour.connection else { continue }
            let goodbye = NearbyMessage.goodbye(connection: connection.number)
            turn.order(.transmit(goodbye, to: neighbour.host))
        }
        (info, group, beatDue, neighbours) = (nil, nil, nil, [])
        isSeeking = false
    }

    private mutating func hide() {
        isSeeking = false
        for index in neighbours.indices { neighbours[index].attempt = nil }
    }

    private mutating func change(_ isOn: Bool, in turn: inout Turn<Effect>) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        if isOn, beatDue != nil { beatDue = turn.now }
        guard !isOn else { return }
        for index in neighbours.indices { lose(at: index, .radioOff, in: &turn) }
        neighbours = []
    }

    private mutating func close(_ number: UInt64, isCut: Bool, in turn: inout Turn<Effect>) {
        guard let index = neighbours.firstIndex(where: { $0.connection?.number == number }) else {
            return
        }
        neighbours[index].connection = nil
        if isCut { neighbours[index].cutUntil = turn.now.advanced(by: configuration.cutTime) }
        turn.order(.transmit(.goodbye(connection: number), to: neighbours[index].host))
    }

    // MARK: Time

    private mutating func beat(_ info: [UInt8], in turn: inout Turn<Effect>) {
        beatDue = turn.now.advanced(by: configuration.beat)
        if isSeeking {
            turn.order(.transmit(.announcement(info: info, session: session), to: nil))
        }
        for neighbour in neighbours {
            if let connection = neighbour.connection {
                let heartbeat = NearbyMessage.heartbeat(connection: connection.number)
                turn.order(.transmit(heartbeat, to: neighbour.host))
            }
            if let attempt = neighbour.attempt, attempt.isOwn {
                turn.order(.transmit(invitation(attempt, to: neighbour), to: neighbour.host))
            }
        }
    }

    /// An invitation shows that its sender has heard what the other shows.
    func invitation(_ attempt: NearbyAttempt, to neighbour: Neighbour) -> NearbyMessage {
        let answer = group.map { $0.hash.answer(to: neighbour.shown, in: $0.period) }
        return .invitation(connection: attempt.number, info: answer ?? info ?? [], session: session)
    }

    mutating func advanceAttempt(at index: Int, in turn: inout Turn<Effect>) {
        guard info != nil, let attempt = neighbours[index].attempt else { return }
        if attempt.isAccepted, let ready = attempt.ready, ready <= turn.now {
            connect(attempt.number, at: index, in: &turn)
        } else if attempt.expiry <= turn.now {
            neighbours[index].attempt = nil
            guard attempt.retriesLeft > 0 else { return }
            invite(at: index, retries: attempt.retriesLeft - 1, in: &turn)
        }
    }

    // MARK: Neighbours and draws

    /// The index of a phone, which is kept in mind from now on if it shows what the app looks for.
    ///
    /// However many others are near, they take nobody's place; of too many the one goes that was heard of
    /// longest ago. Phones that show one sign, which may be a recording, have few places together.
    private mutating func index(
        of host: UInt32,
        saying message: NearbyMessage,
        _ now: Instant
    ) -> Int? {
        if let index = neighbours.firstIndex(where: { $0.host == host }) { return index }
        guard isSought(message) else { return nil }
        let alike = alike(message)
        if alike.count >= Self.alikeMax {
            guard let place = replaceable(of: alike, by: message, now) else { return nil }
            neighbours.remove(at: place)
        } else if neighbours.count == Self.neighboursMax {
            guard let place = replaceable(of: Array(neighbours.indices), by: message, now) else {
                return nil
            }
            neighbours.remove(at: place)
        }
        let index = neighbours.firstIndex { $0.host > host } ?? neighbours.endIndex
        var neighbour = Neighbour(host: host)
        if case .announcement(let shown, _) = message { neighbour.shownFirst = shown }
        neighbours.insert(neighbour, at: index)
        return index
    }

    /// The phones that show the sign that another announces, or did when they were first heard of.
    private func alike(_ message: NearbyMessage) -> [Int] {
        guard group != nil, case .announcement(let shown, _) = message else { return [] }
        return neighbours.indices.filter {
            neighbours[$0].shown == shown || neighbours[$0].shownFirst == shown
        }
    }

    /// Which of some phones gives its place to another: one with which nothing is under way, or, to a member who
    /// answers this phone's own sign, the one that was invited longest ago and has not come.
    private func replaceable(
        of places: [Int],
        by message: NearbyMessage,
        _ now: Instant
    ) -> Int? {
        func oldest(_ places: [Int]) -> Int? {
            places.min { neighbours[$0].heard < neighbours[$1].heard }
        }
        if let spare = oldest(places.filter { neighbours[$0].isSpare(at: now) }) { return spare }
        guard group != nil, case .invitation = message else { return nil }
        return places.filter { neighbours[$0].isPending }.min { one, other in
            let expiries = [one, other].map { neighbours[$0].attempt?.expiry ?? now }
            return expiries[0] < expiries[1]
        }
    }

    /// Whether a message is one by which phones find each other, from one that the app looks for.
    private func isSought(_ message: NearbyMessage) -> Bool {
        switch message {
        case .announcement(let shown, _):
            group.map { shown != info && $0.hash.period(of: shown) != nil } ?? (shown == info)
        case .invitation(_, let shown, _):
            group.map { $0.hash.period(of: shown, to: info ?? []) != nil } ?? (shown == info)
        case .acceptance, .heartbeat, .goodbye: false
        }
    }

    func isWelcome(_ neighbour: Neighbour, _ now: Instant) -> Bool {
        guard isSeeking else { return false }
        if let until = neighbour.cutUntil, now < until { return false }
        return neighbour.connection != nil || connectedCount < NearbyConfiguration.phonesMax - 1
    }
}
