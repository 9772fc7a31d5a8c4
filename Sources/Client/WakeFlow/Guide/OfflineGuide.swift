public import SansIO

/// Lets the system voice go on where the agent's voice is lost, and gives back (AN-05).
///
/// - While the system voice speaks the agent is muted, so the two never talk at once.
/// - While a line of the agent's is awaited, packets of its voice are counted: a link that dies without a
///   word is known by those that stay away, seconds before the session can tell.
/// - Each stretch without the agent becomes one summary, kept before it is sent and sent until the server
///   has it; its key makes it count once. It is its user's, and held back while another one is signed in.
/// - The voice mode follows from the state after every call (AN-04).
public struct OfflineGuide: StateMachine {
    enum Voice: Sendable, Equatable {
        case online
        /// A sign of loss; at `until` the phone takes over.
        case doubted(until: Instant)
        /// The phone speaks; `isSure` once the session has said so.
        case offline(isSure: Bool)
        /// The agent is back, and waits for the system voice to finish.
        case handingBack(until: Instant)
    }

    /// The count of the agent's packets, while it is watched.
    private struct Listening: Sendable, Equatable {
        /// The latest count; `nil` before the first.
        var packets: Int64?
        /// When it grew last, or the watch began.
        var grewAt: Instant
        /// Since when it has grown from each count to the next; `nil` if it has not.
        var steadySince: Instant?
        /// When it is asked for next.
        var due: Instant
    }

    private enum Sending: Sendable, Equatable {
        case idle
        case sent(OperationID, until: Instant)
        case waiting(until: Instant)
    }

    /// A hand-over in either direction, with a summary and a mode.
    public static var effectsPerCallMax: Int { 13 }

    /// Conversations can always begin.
    public var isFinished: Bool { false }

    private let configuration: OfflineGuideConfiguration
    private var operations: OperationCounter
    /// What the app stores; a new process is given the last one stored.
    public private(set) var record: OfflineRecord
    private var storedRecord: OfflineRecord
    private var flags: CoachFlags
    private var hasClone: Bool
    private var clock = WallClock()
    /// Whether the phone has told the time: before, the clock shows 1970.
    private var knowsTime = false
    /// The keys of changes of mode that wait for the time.
    private var undatedChanges: [String] = []
    private var conversation: UniqueID?
    private var voice = Voice.online
    /// The line that was ordered last.
    private var line: ScriptLine?
    private var isLineFinished = true
    /// Whether the system voice speaks.
    public private(set) var isSpeaking = false
    private var listening: Listening?
    /// How often packets stayed away in this conversation, so that the phone took over.
    private var silences = 0
    /// Whether packets of the agent's were seen to come in this conversation.
    private var hasHeardAgent = false
    private var sending = Sending.idle
    private var failures = Backoff()
    private var generator: SeededGenerator
    private var facts: [CoachFact] = []
    private var orders: [Effect] = []

    /// Makes the guide of a process that begins.
    ///
    /// - Parameters:
    ///   - record: What the process before it stored last.
    ///   - configuration: What can be tuned.
    ///   - flags: The server's flags as they were kept.
    ///   - hasClone: Whether there is a cloned voice.
    ///   - seed: The entropy of its waits.
    ///   - operations: The numbers its operations get.
    public init(
        restoring record: OfflineRecord = OfflineRecord(),
        configuration: OfflineGuideConfiguration = OfflineGuideConfiguration(),
        flags: CoachFlags = CoachFlags(),
        hasClone: Bool = false,
        seed: UInt64,
        operations: OperationCounter = OperationCounter()
    ) {
        self.record = record
        storedRecord = record
        self.configuration = configuration
        self.flags = flags
        self.hasClone = hasClone
        generator = SeededGenerator(seed: seed)
        self.operations = operations
        closeStretch(at: record.open?.endedAt)
    }

    /// The voice that speaks now (AN-04).
    public var mode: VoiceMode {
        guard flags.usesRealtime else { return .offline }
        switch voice {
        case .offline, .handingBack: return .offline
        case .online, .doubted: return hasClone && flags.usesElevenLabs ? .clone : .standard
        }
    }

    /// When the phone takes over or gives back, packets are counted, or a summary is to be sent again.
    public var deadline: Deadline? {
        let count = listening.map { Deadline($0.due, "count packets") }
        return .earliest(.earliest(voiceDeadline, count), sendDeadline)
    }

    private var voiceDeadline: Deadline? {
        switch voice {
        case .online, .offline: nil
        case .doubted(let until): Deadline(until, "take over")
        case .handingBack(let until): Deadline(until, "give back")
        }
    }

    private var sendDeadline: Deadline? {
        switch sending {
        case .idle: nil
        case .sent(_, let until): Deadline(until, "summary timeout")
        case .waiting(let until): Deadline(until, "summary retry")
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        let now = turn.now
        switch event {
        case .conversationBegan(let id):
            endConversation(at: now)
            hasHeardAgent = false
            silences = 0
            conversation = id
        case .voiceDoubted: doubted(at: now)
        case .voiceConfirmed: confirmed(at: now)
        case .handedOver: takeOver(isSure: true, at: now)
        case .takenBack: giveBack(at: now)
        case .conversationEnded: endConversation(at: now)
        case .lineOrdered(let line): ordered(line, at: now)
        case .lineFinished(let number): finished(number, at: now)
        case .heard(let text): heard(text, at: now)
        case .agentPackets(let count): counted(count, at: now)
        case .cloneChanged(let isAvailable):
            hasClone = isAvailable
            // A launch tells both: nothing changes between one and the other.
            guard knowsTime else { return }
        case .flagsChanged(let flags): self.flags = flags
        case .userChanged(let user):
            changeUser(user)
            // Before the phone has told the time it may not have told whether there is a clone.
            guard knowsTime else { return }
        case .clockChanged(let time):
            clock = WallClock(showing: time, at: now)
            knowsTime = true
        case .summaryAnswered(let operation, let accepted):
            summaryAnswered(operation, accepted: accepted, at: now)
        }
        settle(in: &turn)
    }

    /// Takes over or gives back, or sends a summary again.
    public mutating func wake(in turn: inout Turn<Effect>) {
        let now = turn.now
        guard let deadline, deadline.instant <= now else { return }
        switch voice {
        case .doubted(let until):
            if until <= now { takeOver(isSure: false, at: now) }
        case .handingBack(let until):
            if until <= now { completeHandBack(at: now) }
        case .online, .offline: break
        }
        countPackets(at: now)
        switch sending {
        case .sent(let operation, let until):
            if until <= now {
                orders.append(.cancel(operation))
                sendFailed(at: now)
            }
        case .waiting(let until):
            if until <= now { sending = .idle }
        case .idle: break
        }
        settle(in: &turn)
    }

    // MARK: Taking over and giving back

    private mutating func doubted(at now: Instant) {
        guard conversation != nil else { return }
        switch voice {
        case .online:
            let patience = min(max(configuration.doubtPatience, .zero), .seconds(1))
            voice = .doubted(until: now.advanced(by: patience))
            if patience == .zero { takeOver(isSure: false, at: now) }
        case .handingBack: voice = .offline(isSure: false)
        case .doubted, .offline: return
        }
    }

    private mutating func confirmed(at now: Instant) {
        switch voice {
        case .doubted: voice = .online
        case .offline(isSure: false): giveBack(at: now)
        case .online, .offline(isSure: true), .handingBack: return
        }
    }

    // MARK: The agent's packets

    /// Whether packets tell something: of a line that the agent is to say, or of an agent that may be back.
    private var wantsCount: Bool {
        guard conversation != nil else { return false }
        return switch voice {
        case .online, .doubted: line != nil && !isLineFinished
        case .offline(let isSure): !isSure
        case .handingBack: true
        }
    }

    private mutating func countPackets(at now: Instant) {
        guard var listening, listening.due <= now else { return }
        // A wake that comes so late is the end of a suspension: what was not counted meanwhile proves nothing.
        if listening.due.advanced(by: configuration.countInterval) < now { listening.grewAt = now }
        listening.due = now.advanced(by: configuration.countInterval)
        self.listening = listening
        orders.append(.countAgentPackets)
    }

    private mutating func counted(_ count: Int64, at now: Instant) {
        guard let before = listening?.packets else {
            listening?.packets = count
            return
        }
        guard count == before else {
            listening?.packets = count
            listening?.grewAt = now
            hasHeardAgent = true
            let since = listening?.steadySince ?? now
            listening?.steadySince = since
            // Packets that come and go are no agent that is back.
            let steady = configuration.steadyMin * (1 << min(max(silences - 1, 0), 6))
            if voice == .offline(isSure: false), since.advanced(by: steady) <= now {
                giveBack(at: now)
            }
            return
        }
        listening?.steadySince = nil
        let silenceMax =
            hasHeardAgent ? configuration.silenceMax : configuration.firstSilenceMax
        guard let listening, listening.grewAt.advanced(by: silenceMax) <= now else { return }
        switch voice {
        case .online, .doubted, .handingBack:
            silences += 1
            takeOver(isSure: false, at: now)
        case .offline: return
        }
    }

    private mutating func takeOver(isSure: Bool, at now: Instant) {
        guard let conversation else { return }
        switch voice {
        case .offline(let wasSure): voice = .offline(isSure: isSure || wasSure)
        case .handingBack: voice = .offline(isSure: isSure)
        case .online, .doubted:
            voice = .offline(isSure: isSure)
            let key = "\(conversation.text)/\(record.stretches)"
            record.stretches &+= 1
            let time = clock.reading(at: now)
            record.open = OfflineSummary(key: key, beganAt: time, user: record.user)
            orders.append(.muteAgent)
            // The agent was cut off in the middle of it, or had not begun.
            if let line, !isLineFinished { speak(line, at: now) }
        }
    }

    private mutating func giveBack(at now: Instant) {
        switch voice {
        case .online, .handingBack: return
        case .doubted: voice = .online
        case .offline:
            voice = .handingBack(until: now.advanced(by: configuration.handBackPatience))
            if !isSpeaking { completeHandBack(at: now) }
        }
    }

    private mutating func completeHandBack(at now: Instant) {
        stopSpeaking()
        voice = .online
        closeStretch(at: clock.reading(at: now))
        // Voice that is back is new hope for the summaries, too.
        failures.reset()
        if case .waiting = sending { sending = .idle }
        orders.append(.unmuteAgent(atLine: line?.number))
        if let line, !isLineFinished { orders.append(.askAgent(line)) }
    }

    private mutating func endConversation(at now: Instant) {
        stopSpeaking()
        closeStretch(at: clock.reading(at: now))
        conversation = nil
        voice = .online
        line = nil
        isLineFinished = true
    }

    // MARK: Lines

    private mutating func ordered(_ line: ScriptLine, at now: Instant) {
        guard conversation != nil else { return }
        self.line = line
        isLineFinished = false
        switch voice {
        case .online, .doubted: orders.append(.askAgent(line))
        case .offline: speak(line, at: now)
        // The line before it is cut short: the answer to it has come.
        case .handingBack: completeHandBack(at: now)
        }
    }

    private mutating func speak(_ line: ScriptLine, at now: Instant) {
        stopSpeaking()
        isSpeaking = true
        record.open?.lines.append(line.number)
        record.open?.endedAt = clock.reading(at: now)
        orders.append(.speak(line))
    }

    private mutating func stopSpeaking() {
        guard isSpeaking else { return }
        isSpeaking = false
        orders.append(.stopSpeaking)
    }

    private mutating func finished(_ number: Int, at now: Instant) {
        guard number == line?.number, !isLineFinished else { return }
        isLineFinished = true
        isSpeaking = false
        if case .handingBack = voice { completeHandBack(at: now) }
    }

    private mutating func heard(_ text: String, at now: Instant) {
        guard let open = record.open, open.heard.count < 64 else { return }
        record.open?.heard.append(text)
        record.open?.endedAt = clock.reading(at: now)
    }

    // MARK: Summaries

    /// What was talked about before anybody had signed in is the first user's who does.
    private mutating func changeUser(_ user: String) {
        guard !record.isUsed(by: user) else { return }
        if record.user == nil {
            record.open?.user = user
            for index in record.unsent.indices { record.unsent[index].user = user }
        }
        record.user = user
        if case .sent(let operation, _) = sending { orders.append(.cancel(operation)) }
        sending = .idle
        failures.reset()
    }

    private mutating func closeStretch(at time: WallTime?) {
        guard var open = record.open else { return }
        open.endedAt = time ?? open.endedAt
        record.unsent.append(open)
        record.open = nil
    }

    private mutating func summaryAnswered(
        _ operation: OperationID,
        accepted: Bool,
        at now: Instant
    ) {
        guard case .sent(operation, _) = sending else { return }
        guard accepted else { return sendFailed(at: now) }
        if let index = record.nextUnsent { record.unsent.remove(at: index) }
        failures.reset()
        sending = .idle
    }

    private mutating func sendFailed(at now: Instant) {
        let pause = failures.next(
            first: configuration.sendPause,
            longest: configuration.sendPauseMax,
            by: &generator
        )
        sending = .waiting(until: now.advanced(by: pause))
    }

    private mutating func settle(in turn: inout Turn<Effect>) {
        if mode != record.mode {
            record.mode = mode
            record.modeChanges &+= 1
            let key = "\(CoachFact.Kind.voiceModeChanged.rawValue)/\(record.modeChanges)"
            undatedChanges.append(key)
            orders.append(.voiceModeChanged(mode))
        }
        if knowsTime {
            let time = clock.reading(at: turn.now)
            facts += undatedChanges.map { CoachFact(.voiceModeChanged, key: $0, time: time) }
            undatedChanges = []
        }
        if !wantsCount {
            listening = nil
        } else if listening == nil {
            let due = turn.now.advanced(by: configuration.countInterval)
            listening = Listening(grewAt: turn.now, due: due)
            orders.append(.countAgentPackets)
        }
        if voice == .online, sending == .idle, let index = record.nextUnsent {
            let summary = record.unsent[index]
            let operation = operations.next()
            sending = .sent(operation, until: turn.now.advanced(by: configuration.sendPatience))
            orders.append(.sendSummary(operation, summary))
        }
        if record != storedRecord || !facts.isEmpty {
            turn.order(.store(record, facts))
            storedRecord = record
            facts = []
        }
        for order in orders { turn.order(order) }
        orders = []
    }
}
