public import SansIO

/// Wakes a user: arms the ladders of the wakes that are set, leads the morning from the tap to the end of
/// the guide, and preloads the next one's sound in the evening.
///
/// - What the system is to have armed is computed from the state after every call and ordered where it
///   differs from the record; no event has to remember to re-arm.
/// - Whatever has to outlive the process lies in `record`, which is stored before the orders it speaks of.
///   After a kill `resumed` compares it with what the system has.
/// - Before the first `resumed` nothing is known of the phone: events wait for it.
public struct WakeFlow: StateMachine {
    /// The conversation of this process.
    enum Conversation: Sendable, Equatable {
        case none
        /// The session connects; after `until` the guide begins without it.
        case connecting(until: Instant)
        case guiding(GuidedScript)
    }

    /// A whole set of ladders armed, the former one and strays cancelled, and the announcements.
    public static var effectsPerCallMax: Int { 256 }

    /// Wakes go on until the app is deleted.
    public var isFinished: Bool { false }

    let configuration: WakeConfiguration
    /// What the app stores; a new process is given the last one stored.
    public internal(set) var record: WakeRecord
    var clock = WallClock()
    var zone = TimeZoneRules(offsetSeconds: 0)
    var grants = WakeGrants(systemVersion: 0)
    var flags: CoachFlags
    var isReady = false
    var isInFront = false
    private var early = EarlyEvents<Event>()
    var conversation = Conversation.none
    var preload: WakePreload
    var runsInBackground = false
    /// Paths that did not take an entry since the phone last spoke.
    var brokenPaths: [WakePath] = []
    /// How many entries the system takes, if it has refused one.
    var capacity: Int?
    var askedFor: [WakePath] = []
    /// The path that was announced last.
    var shownPath: WakePath??
    /// The occurrence for which a background task was asked for last.
    var requestedFor: WakeRecord.Occurrence?
    /// The day for whose morning the latest preload brought no audio, or no sync.
    var preloadFailedFor: LocalDay?
    /// The entries whose notification was found shown at the latest launch.
    var shown: [WakeEntryID] = []
    /// Whether audio in a deleted voice is to be removed, once nothing that is armed names it.
    var removesPreloaded = false

    /// What one call orders and tells before it is settled.
    var orders: [Effect] = []
    var facts: [CoachFact] = []
    var storedRecord: WakeRecord

    /// Makes the flow of a process that begins.
    ///
    /// - Parameters:
    ///   - record: What the process before it stored last.
    ///   - configuration: What can be tuned.
    ///   - flags: The server's flags as they were kept.
    ///   - operations: The numbers its operations get.
    public init(
        restoring record: WakeRecord = WakeRecord(),
        configuration: WakeConfiguration = WakeConfiguration(),
        flags: CoachFlags = CoachFlags(),
        operations: OperationCounter = OperationCounter()
    ) {
        self.record = record
        storedRecord = record
        self.configuration = configuration
        self.flags = flags
        preload = WakePreload(configuration: configuration.preload, operations: operations)
    }

    /// When the connect, the guide's step, the morning or a try of the preload has taken too long.
    public var deadline: Deadline? {
        guard isReady else { return nil }
        // A conversation is led to its end, however late; another wake that comes due is kept silent.
        let time = conversation == .none ? nextExpiry : nextSoundOfOthers
        let wall = time.flatMap { clock.instant(showing: $0) }.map { Deadline($0, "morning") }
        return .earliest(.earliest(preload.deadline, wall), conversationDeadline)
    }

    private var conversationDeadline: Deadline? {
        switch conversation {
        case .none: nil
        case .connecting(let until): Deadline(until, "connect")
        case .guiding(let script): script.deadline
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        guard isReady else {
            if case .resumed = event {
                take(event, at: turn.now)
                for event in early.release() { take(event, at: turn.now) }
                settle(in: &turn)
            } else {
                early.keep(event)
            }
            return
        }
        take(event, at: turn.now)
        settle(in: &turn)
    }

    /// Acts on what has taken too long.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        run(preload.wake(at: turn.now))
        switch conversation {
        case .none: break
        case .connecting(let until):
            if until <= turn.now { beginGuide(at: turn.now) }
        case .guiding: driveScript(nil, at: turn.now)
        }
        settle(in: &turn)
    }

    private mutating func take(_ event: Event, at now: Instant) {
        let time = clock.reading(at: now)
        switch event {
        case .resumed(let phone): resumed(phone, at: now)
        case .clockChanged(let time):
            let sounded = record.armed.filter { $0.due <= clock.reading(at: now) }
            clock = WallClock(showing: time, at: now)
            clockWentTo(time)
            forget(sounded, at: time)
        case .zoneChanged(let rules):
            let sounded = record.armed.filter { $0.due <= time }
            zone = rules
            forget(sounded, at: time)
        case .grantsChanged(let grants): grantsChanged(grants)
        case .flagsChanged(let flags): self.flags = flags
        case .wakeSet(let setting): set(setting, at: time)
        case .wakeRemoved(let id): remove(id)
        case .armingFailed(let id, let error): armingFailed(id, error)
        case .tapped(let id): answered(id, .tap, at: now)
        case .stopped(let id): answered(id, .stop, at: now)
        case .snoozed(let id): answered(id, .snooze, at: now)
        case .conversationStarted, .conversationFailed:
            if case .connecting = conversation { beginGuide(at: now) }
        case .heard(let text): driveScript(.heard(text), at: now)
        case .gaveUp: broken(.gaveUp, at: now)
        case .hungUp: hungUp(at: now)
        case .ranAlone: ranAlone(at: now)
        case .callBegan: broken(.callBegan, at: now)
        case .backgroundTaskStarted:
            runsInBackground = true
            beginPreload(at: now)
        case .backgroundTaskExpired: run(preload.stop())
        case .audioFetched(let operation, let answer):
            run(preload.audioFetched(operation, answer, at: now))
        case .conversationSynced(let operation, let accepted):
            run(preload.conversationSynced(operation, accepted: accepted, at: now))
        case .voiceDeleted: voiceDeleted()
        }
    }
}
