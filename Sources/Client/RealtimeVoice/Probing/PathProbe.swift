import SansIO

/// Asks two hosts in turn whether packets come back, and reads from the answers what was wrong.
///
/// Nothing is ever timed out, so that a path of any round trip is felt: a probe counts as lost when one
/// that was sent after it is answered first.
struct PathProbe: Sendable, Equatable {
    /// What an answer shows.
    enum Finding: Sendable, Equatable {
        /// The first answer after none came: the path is back.
        ///
        /// The last lost probe left then.
        case pathReturned(lostUntil: Instant)
        /// The other host answered, the room server did not, more than once, and now it does.
        case serverReturned(lostUntil: Instant)
        /// The room server answered, the other host did not, more than once, and now it does.
        case otherReturned(lostUntil: Instant)
        /// Nothing new.
        case nothing
    }

    /// A run of lost probes that an answer ended.
    struct Gap: Sendable, Equatable {
        /// When the first of them left.
        let from: Instant
        /// When the answered probe left.
        let until: Instant
    }

    /// A probe that was sent.
    private struct Question: Sendable, Equatable {
        let operation: OperationID
        let host: ProbeHost
        let sentAt: Instant
        var isAnswered = false
    }

    /// How many probes are remembered: the answer to one that is older starts nothing.
    private static let memory = 16
    /// How many probes in a row must be lost for the path to have been; one is often lost by chance.
    private static let lossesMin = 2
    /// The same on a lossy path: at 15 % each way, 28 of 100 probes are lost, and five in a row once in 580.
    private static let lossesMinIfLossy = 5
    /// How many runs of losses one host's probes show on a lossy path; an outage makes one.
    private static let runsIfLossy = 2
    /// How many probes may ask the other host whether it answers any: one is often lost by chance.
    private static let othersAskedMax = 3
    /// How long voice has to be back for the next outage to be another one.
    private static let outageGap = Duration.seconds(5)

    let configuration: ProbeConfiguration
    /// Probes are numbered apart: their answers come by an event of their own.
    private var operations = OperationCounter()
    private var questions: [Question] = []
    /// When the next probe is due; `nil` while nobody asks.
    private var nextAt: Instant?
    /// Since when the present outage is probed.
    private var outageSince = Instant.zero
    private var latestSentAt: Instant?
    private var stoppedAt: Instant?
    /// Until when probes without an answer were lost by the path, and not by the room server: it came
    /// back, or was left for another one.
    private var pathLostUntil: Instant?
    /// Whether the room server ever answered a probe: else its silence says nothing.
    private(set) var knowsServer = false
    /// Whether the other host ever did.
    private(set) var knowsOther = false
    /// How many probes asked the other host whether it answers any.
    private var othersAsked = 0
    /// Whether the other host answers while the room server does not.
    private(set) var isServerAway = false
    /// Connects in a row that were refused while no probe was answered.
    private var refusals = 0
    /// The probe by which the first host came back after them, until the next one is answered.
    private var firstAnswered: OperationID?
    /// Whether the outage is so long that it is probed seldom.
    private(set) var isSlow = false
    /// How much later than its turn the first slow probe of a server that is away leaves.
    private var slowPhase = Duration.zero
    /// Whether voice has been carried by the path.
    ///
    /// Of one that has not nothing is known: two lost probes may be chance on a lossy path, and what is begun
    /// anew for them loses more than it gains.
    var isPathKnown = true
    /// The latest round trip: of this outage's probes, if any was answered, or of the slow path before it.
    private(set) var roundTrip: Duration?
    /// When the latest lost path was lost and was back.
    private(set) var gap: Gap?

    init(configuration: ProbeConfiguration) {
        self.configuration = configuration
    }

    var deadline: Deadline? { nextAt.map { Deadline($0, "probe") } }

    /// Whether the latest probes have no answer: they are lost, or the round trip is long.
    ///
    /// Where the room server has never answered any, as where datagrams are blocked, that says
    /// nothing; nor do the probes of an outage that nobody probes any more.
    var isUnanswered: Bool {
        knowsServer && nextAt != nil && questions.count >= lossesMin && !asksServerOnly
            && questions.suffix(lossesMin).allSatisfy { !$0.isAnswered }
    }

    /// Whether the path loses probes now and then.
    ///
    /// What goes on by it may need several tries for a packet, and lives.
    var isLossy: Bool { Self.isLossy(questions[...]) }

    private static func isLossy(_ questions: ArraySlice<Question>) -> Bool {
        ProbeHost.allCases.contains { host in
            let answers = questions.filter { $0.host == host }.map(\.isAnswered)
            let runs = zip(answers, answers.dropFirst()).count { $0 && !$1 }
            let isOpen = answers.last == false && answers.contains(true)
            return runs - (isOpen ? 1 : 0) >= runsIfLossy
        }
    }

    /// How many probes in a row must be lost for the path to have been.
    private var lossesMin: Int { isLossy ? Self.lossesMinIfLossy : Self.lossesMin }

    /// Whether all probes go to a room server that is away.
    ///
    /// Seldom as they are, every other one would find it back too late.
    var asksServerOnly: Bool { nextAt != nil && isSlow && isServerAway }

    /// Whether the room server answers and the other host does not, twice in a row.
    ///
    /// The silence of one that never answered says nothing: a filter may take what is sent to it.
    var isOtherAway: Bool {
        guard knowsOther else { return false }
        let latest = questions.lastIndex { $0.host == .roomServer && $0.isAnswered }
        return latest.map { isSilent(.other, before: $0) } ?? false
    }

    /// Whether a host's silence on a probe says anything of the host.
    private func isTelling(_ question: Question) -> Bool {
        pathLostUntil.map { question.sentAt > $0 } ?? true
    }

    /// Probes leave by another path from now on: who was silent on the former one need not be away.
    mutating func pathChanged(at now: Instant) {
        pathLostUntil = now
        isServerAway = false
        forgetRefusals()
    }

    /// Begins or ends to probe.
    ///
    /// - Parameters:
    ///   - isWanted: Whether the path is to be probed.
    ///   - known: The round trip of a slow path as it was before, if that is known.
    ///   - now: The present.
    mutating func settle(isWanted: Bool, known: Duration? = nil, at now: Instant) {
        guard isWanted != (nextAt != nil) else { return }
        isServerAway = false
        forgetRefusals()
        guard isWanted else {
            nextAt = nil
            stoppedAt = now
            return
        }
        if stoppedAt.map({ now >= $0.advanced(by: Self.outageGap) }) ?? true {
            outageSince = now
            roundTrip = known
        }
        questions = []
        isSlow = false
        slowPhase = .zero
        nextAt = latestSentAt.map { max(now, $0.advanced(by: interval(at: now))) } ?? now
    }

    private var slowFrom: Instant { outageSince.advanced(by: configuration.slowAfter) }

    private func interval(at now: Instant) -> Duration {
        now < slowFrom ? configuration.interval : configuration.slowInterval
    }

    /// Parts, by a drawn time, the slow probes of sessions that lost their server in one instant.
    mutating func part(by drawn: Duration) {
        let interval = max(configuration.slowInterval.wholeNanoseconds, 1)
        slowPhase = .nanoseconds(drawn.wholeNanoseconds % interval)
    }

    /// The probe that is due, if one is; of the other host as long as no room server is known.
    mutating func next(
        at now: Instant,
        hasServer: Bool = true
    ) -> (operation: OperationID, host: ProbeHost)? {
        guard let due = nextAt, now >= due else { return nil }
        isSlow = now >= slowFrom
        let isOthersTurn = questions.last?.host == .roomServer && !asksServerOnly
        let host: ProbeHost = isOthersTurn || !hasServer ? .other : .roomServer
        let turn = now.advanced(by: interval(at: now))
        let isFirstSlow = !isSlow && turn >= slowFrom
        nextAt = isFirstSlow && isServerAway ? turn.advanced(by: slowPhase) : turn
        return (ask(host, at: now), host)
    }

    /// A probe of a room server that has just been joined, if nobody knows yet whether it answers any.
    mutating func acquaint(at now: Instant) -> OperationID? {
        guard !knowsServer, mayAcquaint(at: now) else { return nil }
        return ask(.roomServer, at: now)
    }

    /// A probe of the other host while voice lives, if nobody knows yet whether it answers any.
    mutating func acquaintOther(at now: Instant) -> OperationID? {
        guard knowsServer, !knowsOther, othersAsked < Self.othersAskedMax, mayAcquaint(at: now)
        else { return nil }
        othersAsked += 1
        return ask(.other, at: now)
    }

    private func mayAcquaint(at now: Instant) -> Bool {
        let isTooSoon =
            latestSentAt.map { now < $0.advanced(by: configuration.interval) } ?? false
        return configuration.isEnabled && nextAt == nil && !isTooSoon
    }

    private mutating func ask(_ host: ProbeHost, at now: Instant) -> OperationID {
        let question = Question(operation: operations.next(), host: host, sentAt: now)
        if questions.count == Self.memory { questions.removeFirst() }
        questions.append(question)
        latestSentAt = now
        return question.operation
    }

    /// Whether the answer to this probe is still to come; one that is forgotten by now says nothing.
    func awaits(_ operation: OperationID) -> Bool {
        questions.contains { $0.operation == operation && !$0.isAnswered }
    }

    /// Takes the answer to a probe.
    mutating func answered(_ operation: OperationID, at now: Instant) -> Finding {
        guard let index = questions.firstIndex(where: { $0.operation == operation }),
            !questions[index].isAnswered
        else { return .nothing }
        let question = questions[index]
        questions[index].isAnswered = true
        roundTrip = question.sentAt.duration(to: now)
        switch question.host {
        case .roomServer: knowsServer = true
        case .other: knowsOther = true
        }
        if let finding = findRefused(question, at: index) { return finding }
        let wasAway = question.host == .roomServer && isServerAway
        note(question, at: index)
        let earlier = questions[..<index]
        let losses = earlier.reversed().prefix { !$0.isAnswered }
        // What a server that is away has lost alone says nothing of the path.
        let isServersAlone = wasAway && losses.allSatisfy { $0.host == .roomServer }
        let lossesMin =
            !isPathKnown || Self.isLossy(earlier.dropLast(losses.count))
            ? Self.lossesMinIfLossy : Self.lossesMin
        if losses.count >= lossesMin, !isServersAlone, let latest = losses.first {
            pathLostUntil = latest.sentAt
            gap = Gap(from: losses.last?.sentAt ?? latest.sentAt, until: question.sentAt)
            return .pathReturned(lostUntil: latest.sentAt)
        }
        let sameHost = earlier.last { $0.host == question.host }
        guard wasAway || isSilent(question.host, before: index), let sameHost else {
            return .nothing
        }
        return switch question.host {
        case .roomServer: .serverReturned(lostUntil: sameHost.sentAt)
        case .other: .otherReturned(lostUntil: sameHost.sentAt)
        }
    }

    /// Takes what an answer says of the room server.
    private mutating func note(_ question: Question, at index: Int) {
        switch question.host {
        case .roomServer:
            isServerAway = false
        case .other:
            let hasAnswered = questions.contains {
                $0.host == .roomServer && $0.isAnswered && isTelling($0)
            }
            if knowsServer, !hasAnswered, isSilent(.roomServer, before: index) {
                isServerAway = true
            }
        }
    }

    /// Whether a host answered none of its latest probes, and the other one all around.
    ///
    /// What is lost together with the other one's says something of the path only.
    private func isSilent(_ host: ProbeHost, before index: Int) -> Bool {
        let asked = (0..<index).filter { questions[$0].host == host }
        let lossesMin = lossesMin
        let latest = asked.suffix(lossesMin)
        return latest.count == lossesMin && latest.allSatisfy { isLostAlone($0) }
    }

    private func isLostAlone(_ index: Int) -> Bool {
        let lost = questions[index]
        let neighbours = questions[max(0, index - 1)...min(index + 1, questions.count - 1)]
        return !lost.isAnswered && isTelling(lost)
            && neighbours.allSatisfy { $0.isAnswered || $0.host == lost.host }
    }
}

/// A room server whose host refuses connects while nobody answers a probe (K-20).
extension PathProbe {
    /// Whether packets pass although no host answers: both are away.
    var isRefused: Bool { refusals >= Self.lossesMin }

    /// Takes a connect that failed.
    mutating func connectFailed(isRefused isAnother: Bool) {
        guard !isRefused else { return }
        refusals = isAnother && isUnanswered ? refusals + 1 : 0
        if isRefused { isServerAway = true }
    }

    private mutating func forgetRefusals() {
        refusals = 0
        firstAnswered = nil
    }

    /// What the answer to the probe at `index` shows after refused connects; `nil` after none.
    ///
    /// A router whose line is dead refuses, too: where two probes in a row bring both hosts back it
    /// was the path, and nobody waits for a crowd.
    private mutating func findRefused(_ question: Question, at index: Int) -> Finding? {
        let first = firstAnswered
        guard isRefused || first != nil else {
            refusals = 0
            return nil
        }
        let earlier = questions[..<index]
        let sameHost = earlier.last { $0.host == question.host }
        let wasSilent = sameHost.map { !$0.isAnswered } ?? true
        let lostUntil = earlier.last { !$0.isAnswered }?.sentAt ?? question.sentAt
        if wasSilent, let first, earlier.last?.operation == first {
            forgetRefusals()
            isServerAway = false
            pathLostUntil = lostUntil
            gap = nil
            return .pathReturned(lostUntil: lostUntil)
        }
        guard isRefused else {
            firstAnswered = nil
            return nil
        }
        switch question.host {
        case .roomServer:
            forgetRefusals()
            firstAnswered = question.operation
            isServerAway = false
            return .serverReturned(lostUntil: lostUntil)
        case .other:
            guard wasSilent else { return .nothing }
            firstAnswered = question.operation
            return .otherReturned(lostUntil: lostUntil)
        }
    }
}
