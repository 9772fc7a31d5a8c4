package import SansIO
package import KodamaSimulation

/// The alarms that apps leave with the system, which rings them by itself (AlarmKit, iOS 26 and later).
///
/// An alarm rings through the mute switch and every Focus, after a reboot, a crash and a force-quit; it
/// loops its sound until it is stopped, and no code of its app runs before that (Apple, AlarmKit; developer
/// forums, threads 797158 and 852856). The user grants it once. It fails without an error where its app is
/// hidden or locked, and in the ways of `AlarmFaultRates`.
///
/// Where alarms overlap, the one that began last is the one that is shown and stopped first, by assumption.
package struct SystemAlarms: StateMachine {
    /// A fact for the alarms.
    package enum Event: Sendable, Equatable {
        /// An app orders something.
        case ordered(AppID, AlarmOrder)
        /// The user does something with the alarm that is shown.
        case user(AlarmAct)
        /// The phone is locked, or unlocked.
        case lockChanged(isLocked: Bool)
        /// The phone is switched on, and locked then, or goes off.
        case powerChanged(isOn: Bool)
        /// A phone call takes the audio, or is over.
        case phoneCall(isOn: Bool)
        /// The clock or its zone changed.
        case clockChanged(LocalClock.Change)
        /// An app comes to the front, or is there no more.
        case frontChanged(AppID, isInFront: Bool)
        /// The user turns an app's switch for alarms in Settings.
        case permissionChanged(AppID, isGranted: Bool)
        /// The user hides or locks an app, or does not any more.
        case protectionChanged(AppID, isProtected: Bool)
        /// An app has these sound files now.
        case soundsChanged(AppID, [SoundFile])
        /// An app's process is gone, by whatever cause; its alarms stay.
        case appEnded(AppID)
    }

    /// An order from the alarms.
    package enum Effect: Sendable, Equatable {
        /// An app is answered.
        case answered(AppID, OperationID, AlarmAnswer)
        /// An alarm is somewhere else (`alarmUpdates`), or gone; only a running app hears of it.
        case stateChanged(AppID, UniqueID, AlarmState?)
        /// An alarm alerts.
        case alertBegan(AppID, UniqueID, AlarmAlert)
        /// It does no more.
        case alertEnded(AppID, UniqueID, AlarmEnd)
        /// The phone plays this for the alarms, or nothing.
        case soundChanged(SystemSound?)
        /// The app runs in the background for a button's intent, or opens.
        case runIntent(AppID, UniqueID, AlarmIntent)
        /// An alarm was due and does not alert: the truth, which nothing on the phone tells.
        case failed(AppID, UniqueID, AlarmFault)
        /// A Live Activity stays though its alarm is over.
        case liveActivityStayed(AppID, UniqueID)
    }

    /// When an alarm is due.
    enum Target: Sendable, Equatable {
        case wall(WallTime)
        case local(CivilTime)
    }

    struct Alert: Sendable, Equatable {
        /// Counts alerts: the greatest is on top.
        let number: UInt64
        let began: Instant
        var alert: AlarmAlert
        /// Until when it is silent and its buttons are dead.
        var frozenUntil: Instant?
    }

    enum State: Sendable, Equatable {
        case scheduled(Target)
        /// Due, and held back until then.
        case late(until: Instant)
        case countdown(until: Instant)
        case alerting(Alert)
    }

    struct Entry: Sendable, Equatable {
        let app: AppID
        let id: UniqueID
        let configuration: AlarmConfiguration
        var state: State
        /// The local time at which the app wants it.
        var nominal: CivilTime
        /// Addresses its draws.
        var occurrence: UInt64
    }

    struct Client: Sendable, Equatable {
        var app: AlarmApp
        var prompt: PermissionPrompt<AlarmOrder>
        /// When the latest of its alarms was due.
        var lastDue: Instant?
    }

    /// The bugs' places among the draws of one occurrence.
    enum Draw: UInt64 {
        case midnight, late, delay, dismissed, collision, tie, silence, reset, errorTone, buzz,
            freeze
        case call, liveActivity
    }

    /// How many alarms a phone keeps for all apps.
    static let entriesMax = 512

    /// Late, all alarms at once; each changes its state, alerts or fails.
    package static var effectsPerCallMax: Int {
        4 * entriesMax + 2 * PermissionPrompt<AlarmOrder>.waitingMax + 1
    }

    /// A phone never ends.
    package var isFinished: Bool { false }

    let configuration: SystemAlarmsConfiguration
    var clients: [Client]
    var clock: LocalClock
    var entries: [Entry] = []
    var isOn = true
    var isLocked = false
    /// Whether the phone was unlocked since it was switched on.
    var wasUnlocked = true
    var alertCount: UInt64 = 0
    var occurrenceCount: UInt64 = 0
    private let draws: RandomStream
    private var soundTold: SystemSound?

    /// Makes a phone without alarms, unlocked.
    ///
    /// - Parameters:
    ///   - apps: The apps that are installed, in the order of their indices.
    ///   - clock: The phone's clock.
    ///   - draws: What bugs are drawn from.
    ///   - configuration: How the system treats alarms.
    package init(
        apps: [AlarmApp],
        clock: LocalClock,
        draws: RandomStream,
        configuration: SystemAlarmsConfiguration = SystemAlarmsConfiguration()
    ) {
        clients = apps.map { Client(app: $0, prompt: PermissionPrompt($0.permission)) }
        self.clock = clock
        self.draws = draws
        self.configuration = configuration
    }

    /// What the phone plays for the alarms.
    package var sound: SystemSound? { soundTold }

    /// The alarm that the user sees and can act on.
    package var shown: UniqueID? { shownIndex.map { entries[$0].id } }

    /// The next alarm, answer or thaw; a phone that is off has none.
    package var deadline: Deadline? {
        guard isOn else { return nil }
        var earliest: Deadline?
        // By their places: a copy of an alarm retains all that is in it.
        for index in entries.indices {
            if case .alerting(let alert) = entries[index].state {
                let thaw = alert.frozenUntil.map { Deadline($0, "alarm freeze") }
                earliest = .earliest(earliest, thaw)
            } else {
                let due = due(entries[index].state).map { Deadline($0, "alarm") }
                earliest = .earliest(earliest, due)
            }
        }
        for client in clients {
            earliest = .earliest(
                earliest,
                client.prompt.until.map { Deadline($0, "alarm permission") }
            )
        }
        return earliest
    }

    /// Takes one fact.
    package mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .ordered(let app, let order): perform(order, of: app, in: &turn)
        case .user(let act): perform(act, in: &turn)
        case .lockChanged(let isLocked):
            self.isLocked = isLocked
            wasUnlocked = wasUnlocked || !isLocked
        case .powerChanged(let isOn): power(isOn: isOn, in: &turn)
        case .phoneCall(let isOn): if isOn { callBegan() }
        case .clockChanged(let change):
            clock.apply(change, at: turn.now)
            if case .set = change { reschedule(at: turn.now) }
        case .frontChanged(let app, let isInFront):
            clients[app.index].prompt.frontChanged(isInFront: isInFront, at: turn.now)
        case .permissionChanged(let app, let isGranted):
            let orders = clients[app.index].prompt.set(isGranted: isGranted)
            for order in orders { carryOut(order, of: app, in: &turn) }
        case .protectionChanged(let app, let isProtected):
            clients[app.index].app.isProtected = isProtected
        case .soundsChanged(let app, let sounds): clients[app.index].app.sounds = sounds
        case .appEnded(let app): clients[app.index].prompt.close()
        }
        settleSound(in: &turn)
    }

    /// Answers for the user, and lets alarms alert.
    package mutating func wake(in turn: inout Turn<Effect>) {
        guard isOn else { return }
        for index in clients.indices {
            for order in clients[index].prompt.answer(at: turn.now) {
                carryOut(order, of: AppID(index), in: &turn)
            }
        }
        for index in entries.indices {
            guard case .alerting(var alert) = entries[index].state,
                let thaw = alert.frozenUntil, thaw <= turn.now
            else { continue }
            alert.frozenUntil = nil
            entries[index].state = .alerting(alert)
        }
        fireDue(in: &turn)
        settleSound(in: &turn)
    }

    // MARK: Draws

    func bits(_ draw: Draw, _ occurrence: UInt64) -> RandomStream {
        var stream = draws
        stream.index = occurrence * 16 + draw.rawValue
        return stream
    }

    func happens(_ draw: Draw, _ occurrence: UInt64, _ probability: Probability) -> Bool {
        var stream = bits(draw, occurrence)
        return stream.bernoulli(probability)
    }

    // MARK: State

    /// When an alarm that waits is due.
    func due(_ entry: Entry) -> Instant? { due(entry.state) }

    private func due(_ state: State) -> Instant? {
        switch state {
        case .scheduled(.wall(let time)): clock.instant(of: time)
        case .scheduled(.local(let time)): clock.instant(of: time)
        case .late(let until), .countdown(let until): until
        case .alerting: nil
        }
    }

    /// The alarm on top of those that are seen and can be acted on.
    var shownIndex: Int? {
        top { $0.alert.presentation != .nowhere && $0.frozenUntil == nil }
    }

    private func top(where isMeant: (Alert) -> Bool) -> Int? {
        var found: (index: Int, number: UInt64)?
        for (index, entry) in entries.enumerated() {
            guard case .alerting(let alert) = entry.state, isMeant(alert),
                found.map({ $0.number < alert.number }) ?? true
            else { continue }
            found = (index, alert.number)
        }
        return found?.index
    }

    private mutating func settleSound(in turn: inout Turn<Effect>) {
        let index = top { $0.alert.sound != nil && $0.frozenUntil == nil }
        var sound: SystemSound?
        if let index, case .alerting(let alert) = entries[index].state { sound = alert.alert.sound }
        guard sound != soundTold else { return }
        soundTold = sound
        turn.order(.soundChanged(sound))
    }
}
