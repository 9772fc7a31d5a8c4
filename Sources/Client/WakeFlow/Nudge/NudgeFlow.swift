public import SansIO

/// Interrupts a distraction: from the detector's word to a short intervention and back (AN-03), less often
/// the longer the user runs the routine alone (AN-07).
public struct NudgeFlow: StateMachine {
    /// An intervention that goes on.
    struct Intervention: Sendable, Equatable {
        /// The nudge; `nil` if the user called.
        var id: NudgeID?
        var openedAt: Instant
        /// The form, once it has begun.
        var form: NudgeForm?
        var isOnline = false
        var isDone = false
    }

    enum State: Sendable, Equatable {
        case idle
        case connecting(Intervention, until: Instant)
        case intervening(Intervention)
        /// The intervention ended; the user is to go back.
        case returning(NudgeID?, NudgeOutcome, until: Instant)
    }

    /// Two nudges' ends, and a new one's beginning.
    public static var effectsPerCallMax: Int { 12 }

    /// Nudges go on until the app is deleted.
    public var isFinished: Bool { false }

    let configuration: NudgeConfiguration
    /// What the app stores; a new process is given the last one stored.
    public internal(set) var record: NudgeRecord
    var flags: CoachFlags
    var clock = WallClock()
    var zone = TimeZoneRules(offsetSeconds: 0)
    var grant = Grant.undecided
    var isReady = false
    private var early = EarlyEvents<Event>()
    var state = State.idle
    var facts: [CoachFact] = []
    var orders: [Effect] = []
    var storedRecord: NudgeRecord

    /// Makes the flow of a process that begins.
    ///
    /// - Parameters:
    ///   - record: What the process before it stored last.
    ///   - configuration: What can be tuned.
    ///   - flags: The server's flags as they were kept.
    public init(
        restoring record: NudgeRecord = NudgeRecord(),
        configuration: NudgeConfiguration = NudgeConfiguration(),
        flags: CoachFlags = CoachFlags()
    ) {
        self.record = record
        storedRecord = record
        self.configuration = configuration
        self.flags = flags
    }

    /// How strong the habit is (Lally et al., 2010), beside the streak that fades nudges out.
    public var habitStrength: Probability {
        Probability(partsPerMillion: Int32(clamping: 1_000_000 - record.habitGapPartsPerMillion))
    }

    /// The self-run days in a row; 0 once a whole day has gone by without.
    ///
    /// - Parameter day: The present day.
    /// - Returns: Days.
    public func streak(on day: LocalDay) -> Int {
        guard let last = record.lastAlone, Int64(day.number) - Int64(last.number) <= 1
        else { return 0 }
        return record.streak
    }

    /// How many nudges a day may have.
    ///
    /// - Parameter day: The day.
    /// - Returns: The number at the day's level of the fade-out.
    public func nudgesMax(on day: LocalDay) -> Int {
        let days = record.calledOn == day ? 0 : streak(on: day)
        let level = configuration.levels.count { $0 <= days }
        guard !configuration.perDay.isEmpty else { return 0 }
        return configuration.perDay[min(level, configuration.perDay.count - 1)]
    }

    /// When the connect, the intervention or the way back has taken too long, or a nudge lies unopened.
    public var deadline: Deadline? {
        guard isReady else { return nil }
        let due = record.posted.map { $0.at.advanced(by: configuration.openPatience) }
        let unopened = due.flatMap { clock.instant(showing: $0) }.map { Deadline($0, "unopened") }
        return .earliest(unopened, stateDeadline)
    }

    private var stateDeadline: Deadline? {
        switch state {
        case .idle: nil
        case .connecting(_, let until): Deadline(until, "connect")
        case .intervening(let intervention): Deadline(end(of: intervention), "intervention")
        case .returning(_, _, let until): Deadline(until, "return")
        }
    }

    /// When an intervention ends: once it is done, but not before the full form's least time.
    func end(of intervention: Intervention) -> Instant {
        let isShort = intervention.form == .short
        let longest = isShort ? configuration.shortMax : configuration.fullMax
        let length = intervention.isDone ? configuration.fullMin : longest
        return intervention.openedAt.advanced(by: length)
    }

    /// Takes one fact; before the first `resumed` it waits for that.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        if case .resumed(let time, let rules) = event {
            resumed(time, rules, at: turn.now)
            for event in early.release() { take(event, at: turn.now) }
        } else if isReady {
            take(event, at: turn.now)
        } else {
            return early.keep(event)
        }
        settle(in: &turn)
    }

    /// Acts on what has taken too long.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        withdrawIfOld(at: turn.now)
        switch state {
        case .idle: break
        case .connecting(let intervention, let until):
            if until <= turn.now { begin(intervention, isOnline: false, at: turn.now) }
        case .intervening(let intervention):
            if end(of: intervention) <= turn.now { end(intervention, at: turn.now) }
        case .returning(let id, let outcome, let until):
            if until <= turn.now { close(id, outcome, wentBack: false) }
        }
        settle(in: &turn)
    }

    private mutating func resumed(_ time: WallTime, _ rules: TimeZoneRules, at now: Instant) {
        zone = rules
        setClock(time, at: now)
        if !isReady {
            isReady = true
            // An intervention that was going on when the process died led to nothing.
            if let id = record.opened { close(id, NudgeOutcome(.opened), wentBack: nil) }
        }
        withdrawIfOld(at: now)
    }

    private mutating func setClock(_ time: WallTime, at now: Instant) {
        clock = WallClock(showing: time, at: now)
        // A clock that was put back must not lengthen the gap, nor a nudge's life.
        if let latest = record.latestAt, latest > time { record.latestAt = time }
        if let posted = record.posted, posted.at > time { record.posted?.at = time }
        // Nor a streak, by days that it showed while it was ahead; a journey takes a day back at most.
        let today = zone.local(time).day
        if let last = record.lastAlone, Int64(last.number) - Int64(today.number) > 1 {
            record.lastAlone = today
        }
    }

    private mutating func take(_ event: Event, at now: Instant) {
        switch event {
        case .resumed: return
        case .clockChanged(let time):
            setClock(time, at: now)
            withdrawIfOld(at: now)
        case .zoneChanged(let rules): zone = rules
        case .grantChanged(let grant): self.grant = grant
        case .flagsChanged(let flags): self.flags = flags
        case .distractionDetected: detected(at: now)
        case .opened(let id): opened(id, at: now)
        case .called: called(at: now)
        case .conversationStarted: connected(isOnline: true, at: now)
        case .conversationFailed: connected(isOnline: false, at: now)
        case .instructionDone: done(at: now)
        case .brokenOff: brokenOff(at: now)
        case .wentBack:
            if case .returning(let id, let outcome, _) = state {
                close(id, outcome, wentBack: true)
            }
        case .routineRunAlone(let day): ranAlone(on: day)
        }
    }

    private mutating func settle(in turn: inout Turn<Effect>) {
        if record != storedRecord || !facts.isEmpty {
            turn.order(.store(record, facts))
            storedRecord = record
            facts = []
        }
        for order in orders { turn.order(order) }
        orders = []
    }
}
