import SansIO
import WakeFlow

/// A phone of the tests: the disk and the system's pending entries outlive the process, the flow doesn't.
struct ModelMorning {
    /// Tokyo: nine hours ahead of UTC, no daylight saving.
    static let tokyo = TimeZoneRules(offsetSeconds: 9 * 3_600)
    /// 2026-11-28 00:00 UTC, a Saturday.
    static let midnight = WallTime(secondsSince1970: 1_795_824_000)
    static let everything = WakeGrants(
        systemVersion: 26,
        systemAlarm: .granted,
        notifications: .granted
    )

    let configuration: WakeConfiguration
    var flow: WakeFlow
    var now = Instant.zero
    /// What the wall clock shows at the zero instant.
    var start: WallTime
    var zone: TimeZoneRules
    var grants: WakeGrants
    /// The record as the disk has it.
    var disk = WakeRecord()
    /// The facts as the outbox has them.
    var outbox: [CoachFact] = []
    /// What the system has armed and not sounded.
    var system: [WakeEntry] = []
    /// What has sounded, and is sounding or shown.
    var shown: [WakeEntry] = []
    /// All that was ordered, in order.
    var log: [WakeFlow.Effect] = []
    /// How many effects are performed before the process dies; `nil` lets it live.
    var lifeLeft: Int?
    var deaths = 0

    init(
        _ configuration: WakeConfiguration = .sparse,
        at start: WallTime = ModelMorning.midnight,
        zone: TimeZoneRules = ModelMorning.tokyo,
        grants: WakeGrants = ModelMorning.everything
    ) {
        self.configuration = configuration
        self.start = start
        self.zone = zone
        self.grants = grants
        flow = WakeFlow(configuration: configuration)
    }

    var time: WallTime { start.advanced(by: Instant.zero.duration(to: now)) }

    func due(_ entry: WakeEntry) -> WallTime {
        switch entry.schedule {
        case .fixed(let time): time
        case .relative(let local): zone.resolve(local).time
        }
    }

    /// Sounds what is due; the system sounds nothing twice.
    mutating func fire() {
        shown += system.filter { due($0) <= time }.sorted { due($0) < due($1) }
        system = system.filter { due($0) > time }
    }

    /// When sounds are to come, as seconds after `from`.
    func sounds(after from: WallTime) -> [Int64] {
        system.filter { due($0) > time }.map { due($0).secondsSince1970 - from.secondsSince1970 }
            .sorted()
    }

    mutating func launch() {
        fire()
        let facts = PhoneFacts(
            time: time,
            zone: zone,
            grants: grants,
            pending: system.map(\.id),
            delivered: shown.map(\.id)
        )
        send(.resumed(facts))
    }

    /// The process dies and another one is started.
    mutating func relaunch() {
        flow = WakeFlow(restoring: disk, configuration: configuration)
        launch()
    }

    mutating func send(_ event: WakeFlow.Event) {
        fire()
        perform(flow.drive(event, at: now))
    }

    /// Lets time pass, waking the flow when it wants to be.
    mutating func pass(_ span: Duration) {
        let end = now.advanced(by: span)
        while let due = flow.deadline?.instant, due <= end {
            now = max(now, due)
            fire()
            perform(flow.drive(nil, at: now))
        }
        now = end
        fire()
    }

    /// Lets time pass until the clock shows `time`.
    mutating func pass(until time: WallTime) {
        pass(.nanoseconds(time.nanosecondsSince1970 - self.time.nanosecondsSince1970))
    }

    private mutating func perform(_ effects: [WakeFlow.Effect]) {
        for effect in effects {
            if let left = lifeLeft {
                if left == 0 {
                    lifeLeft = nil
                    deaths += 1
                    return relaunch()
                }
                lifeLeft = left - 1
            }
            log.append(effect)
            switch effect {
            case .store(let record, let facts):
                disk = record
                outbox += facts
            case .arm(let entry): system.append(entry)
            case .disarm(let id):
                system.removeAll { $0.id == id }
                shown.removeAll { $0.id == id }
            default: break
            }
        }
    }

    mutating func takeLog() -> [WakeFlow.Effect] {
        defer { log = [] }
        return log
    }

    var outcomes: [MorningOutcome] {
        log.compactMap { effect in
            if case .morningEnded(_, let outcome) = effect { outcome } else { nil }
        }
    }

    var facts: [String] { outbox.map(\.kind.rawValue) }

    /// The entry that sounded last.
    var sounding: WakeEntry? { shown.last }

    mutating func set(
        _ hour: Int32,
        _ minute: Int32,
        _ days: Weekdays = [],
        id number: UInt32 = 1
    ) {
        let time = WakeTime.relative(TimeOfDay(hour: hour, minute: minute), days)
        send(.wakeSet(WakeSetting(id: WakeID(number: number), time: time)))
    }

    mutating func sayAll() {
        for word in ["OK", "澄む", "完了"] {
            pass(.seconds(5))
            send(.heard(word))
        }
    }
}

extension WakeConfiguration {
    /// Ladders of ten sounds a minute apart, and nothing behind the guide's lines: few enough to read.
    static var sparse: WakeConfiguration {
        var configuration = WakeConfiguration()
        configuration.spacing = .seconds(60)
        configuration.length = 10
        configuration.guideGuard = .zero
        return configuration
    }
}
