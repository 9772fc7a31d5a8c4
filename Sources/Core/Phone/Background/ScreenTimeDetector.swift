package import SansIO
package import KodamaSimulation

/// The system's count of the time that the user spends in the apps an app wants watched
/// (`DeviceActivityCenter`, `DeviceActivityMonitor`).
///
/// Each threshold fires once in a day's interval: never, at once or late. The app's extension that then
/// runs can post a local notification and nothing else; it can't open the app or use the network, so that
/// the one effect of a threshold here is a request for the notification centre.
package struct ScreenTimeDetector: StateMachine {
    /// What an app wants watched.
    package struct Activity: Sendable, Equatable {
        /// Its name (`DeviceActivityName`).
        package var name: String
        /// When the interval begins, every day.
        package var start: ClockTime
        /// How long it is.
        package var length: Duration
        /// After how much use within the interval the extension runs.
        package var thresholds: [Duration]
        /// What the extension posts.
        package var notification: NotificationRequest

        /// Describes an activity.
        package init(
            _ name: String,
            start: ClockTime,
            length: Duration,
            thresholds: [Duration],
            notification: NotificationRequest
        ) {
            self.name = name
            self.start = start
            self.length = length
            self.thresholds = thresholds
            self.notification = notification
        }
    }

    /// A fact for the detector.
    package enum Event: Sendable, Equatable {
        /// `startMonitoring(_:during:events:)`; an activity of the same name is replaced.
        case startOrdered(AppID, OperationID, Activity)
        /// `stopMonitoring(_:)`
        case stopOrdered(AppID, name: String)
        /// The user opens the watched apps on this phone, or leaves them.
        case useChanged(isOn: Bool)
        /// The user spent so long in them on another device.
        case usedElsewhere(Duration)
        /// The clock or its zone changed.
        case clockChanged(LocalClock.Change)
    }

    /// Why an activity is not watched.
    package enum Refusal: String, Error, Sendable, Hashable, CaseIterable {
        /// The app has no Family Controls entitlement, or the user refused.
        case unauthorized
        /// There are 20 already.
        case excessiveActivities
        /// The interval is shorter than 15 min or, here, longer than a day (Apple's longest is a week).
        case invalidInterval
    }

    /// An order from the detector.
    package enum Effect: Sendable, Equatable {
        /// An app is answered.
        case answered(AppID, OperationID, Refusal?)
        /// The app's extension posts a notification.
        case post(AppID, NotificationRequest)
    }

    struct Watch: Sendable, Equatable {
        let app: AppID
        let activity: Activity
        /// The use counted in this interval, up to `counted`.
        var used: Duration = .zero
        var counted: Instant
        /// The interval's beginning, in local time; that of the next one before it has begun.
        var began: CivilTime
        /// When each threshold that was reached fires, or fired; by threshold.
        var fires: [Fire]
    }

    enum Fire: Sendable, Equatable {
        case waits
        case at(Instant)
        case over
    }

    /// How many activities are watched (Apple, `MonitoringError.excessiveActivities`).
    static let activitiesMax = 20
    /// How many thresholds an activity has here; Apple names no number.
    static let thresholdsMax = 16

    /// Late, all thresholds of all activities.
    package static var effectsPerCallMax: Int { activitiesMax * thresholdsMax + 1 }

    /// A phone never ends.
    package var isFinished: Bool { false }

    private let configuration: ScreenTimeConfiguration
    private var clock: LocalClock
    private var watches: [Watch] = []
    private var isUsed = false
    private var draws: RandomStream

    /// Makes a detector that watches nothing.
    ///
    /// - Parameters:
    ///   - clock: The phone's clock.
    ///   - draws: What the outcomes are drawn from.
    ///   - configuration: How thresholds fire.
    package init(
        clock: LocalClock,
        draws: RandomStream,
        configuration: ScreenTimeConfiguration = ScreenTimeConfiguration()
    ) {
        self.clock = clock
        self.draws = draws
        self.configuration = configuration
    }

    /// The next threshold, or beginning of an interval.
    package var deadline: Deadline? {
        var earliest: Deadline?
        for watch in watches {
            let boundary = clock.instant(of: nextBoundary(of: watch))
            earliest = .earliest(earliest, Deadline(boundary, "activity interval"))
            for (index, threshold) in watch.activity.thresholds.enumerated() {
                switch watch.fires[index] {
                case .over: continue
                case .at(let due):
                    earliest = .earliest(earliest, Deadline(due, "threshold"))
                case .waits:
                    // The use within one interval does not reach what is longer.
                    let left = max(.zero, threshold - watch.used)
                    guard isUsed, isInside(watch, at: watch.counted),
                        left <= watch.activity.length
                    else { continue }
                    let reached = watch.counted.advanced(by: left)
                    earliest = .earliest(earliest, Deadline(reached, "threshold use"))
                }
            }
        }
        return earliest
    }

    /// Takes one fact.
    package mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        count(until: turn.now)
        switch event {
        case .startOrdered(let app, let operation, let activity):
            start(activity, operation, of: app, in: &turn)
        case .stopOrdered(let app, let name):
            watches.removeAll { $0.app == app && $0.activity.name == name }
        case .useChanged(let isOn): isUsed = isOn
        case .usedElsewhere(let time):
            guard configuration.countsOtherDevices else { return }
            for index in watches.indices where isInside(watches[index], at: turn.now) {
                watches[index].used += max(.zero, time)
                reach(index, at: turn.now)
            }
        case .clockChanged(let change):
            clock.apply(change, at: turn.now)
            for index in watches.indices where renew(index, at: turn.now) {
                reach(index, at: turn.now)
            }
        }
    }

    /// Begins intervals, and lets thresholds fire.
    package mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        count(until: turn.now)
        for index in watches.indices {
            for threshold in watches[index].fires.indices {
                guard case .at(let due) = watches[index].fires[threshold], due <= turn.now
                else { continue }
                watches[index].fires[threshold] = .over
                turn.order(.post(watches[index].app, watches[index].activity.notification))
            }
        }
    }

    private mutating func start(
        _ activity: Activity,
        _ operation: OperationID,
        of app: AppID,
        in turn: inout Turn<Effect>
    ) {
        func answer(_ refusal: Refusal?) { turn.order(.answered(app, operation, refusal)) }
        guard configuration.isAuthorized else { return answer(.unauthorized) }
        guard (.seconds(900)...(.seconds(86_400))).contains(activity.length),
            activity.thresholds.count <= Self.thresholdsMax
        else { return answer(.invalidInterval) }
        watches.removeAll { $0.app == app && $0.activity.name == activity.name }
        guard watches.count < Self.activitiesMax else { return answer(.excessiveActivities) }
        let local = clock.local(at: turn.now)
        var began = CivilTime(day: local.day, activity.start)
        if began > local { began = CivilTime(day: local.day - 1, activity.start) }
        var fires = Array(repeating: Fire.waits, count: activity.thresholds.count)
        for index in fires.indices where draws.bernoulli(configuration.firesAtStart) {
            fires[index] = .at(turn.now)
        }
        watches.append(
            Watch(
                app: app,
                activity: activity,
                counted: turn.now,
                began: began,
                fires: fires
            )
        )
        answer(nil)
    }

    // MARK: Use

    private func end(of watch: Watch) -> CivilTime {
        CivilTime(watch.began.reading.advanced(by: watch.activity.length))
    }

    private func isInside(_ watch: Watch, at now: Instant) -> Bool {
        let local = clock.local(at: now)
        return watch.began <= local && local < end(of: watch)
    }

    private func nextBoundary(of watch: Watch) -> CivilTime {
        watch.began.next(watch.activity.start)
    }

    /// Counts the use since the last call: of the interval that was, and of the one that is.
    private mutating func count(until now: Instant) {
        for index in watches.indices {
            add(index, until: now)
            if renew(index, at: now) { add(index, until: now) }
            watches[index].counted = now
        }
    }

    private mutating func add(_ index: Int, until now: Instant) {
        let watch = watches[index]
        let from = max(watch.counted, clock.instant(of: watch.began))
        let to = min(now, clock.instant(of: end(of: watch)))
        if isUsed, from < to { watches[index].used += from.duration(to: to) }
        reach(index, at: now)
    }

    /// Begins a new interval if its time has come; what was to fire late in the old one still does.
    ///
    /// - Returns: Whether it has.
    private mutating func renew(_ index: Int, at now: Instant) -> Bool {
        let local = clock.local(at: now)
        let isCurrent = watches[index].began <= local && local < nextBoundary(of: watches[index])
        guard !isCurrent else { return false }
        var began = CivilTime(day: local.day, watches[index].activity.start)
        if began > local { began = CivilTime(day: local.day - 1, watches[index].activity.start) }
        watches[index].began = began
        watches[index].used = .zero
        for threshold in watches[index].fires.indices {
            if case .over = watches[index].fires[threshold] {
                watches[index].fires[threshold] = .waits
            }
        }
        return true
    }

    /// Draws what becomes of each threshold that has been reached.
    private mutating func reach(_ index: Int, at now: Instant) {
        for (threshold, use) in watches[index].activity.thresholds.enumerated()
        where watches[index].fires[threshold] == .waits && watches[index].used >= use {
            let isNever = draws.bernoulli(configuration.firesNever)
            let isLate = draws.bernoulli(configuration.firesLate)
            let delay = draws.duration(in: configuration.delay)
            let due = isLate ? now.advanced(by: delay) : now
            watches[index].fires[threshold] = isNever ? .over : .at(due)
        }
    }
}

/// How thresholds fire.
package struct ScreenTimeConfiguration: Sendable, Equatable {
    /// Whether the app has the Family Controls entitlement, which Apple grants on request, and the user's
    /// consent.
    package var isAuthorized = true
    /// A threshold never fires in its interval (Apple, developer forums, thread 733402: they stop for the
    /// day); off.
    package var firesNever = Probability.zero
    /// A threshold fires at once when monitoring starts (feedback FB21267341, iOS 26.2); off.
    package var firesAtStart = Probability.zero
    /// A threshold fires late (thread 733402); off.
    package var firesLate = Probability.zero
    /// How late, then; an assumption.
    package var delay: ClosedRange<Duration> = .seconds(60)...(.seconds(1_800))
    /// Whether use on other devices counts (Apple, developer forums, thread 715315); off.
    package var countsOtherDevices = false

    /// A system without these bugs.
    package init() {}
}
