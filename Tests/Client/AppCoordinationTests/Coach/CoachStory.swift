import AppCoordination
import SansIO
import WakeFlow

/// A phone of the tests: the disk, the outbox and the system's entries outlive the process.
///
/// Relays go round behind everything that was ordered before them, as in an app.
struct CoachStory {
    /// Tokyo: nine hours ahead of UTC, no daylight saving.
    static let tokyo = TimeZoneRules(offsetSeconds: 9 * 3_600)
    /// 2026-11-28 06:00 in Tokyo.
    static let dawn = WallTime(secondsSince1970: 1_795_813_200)
    static let grants = WakeGrants(
        systemVersion: 26,
        systemAlarm: .granted,
        notifications: .granted
    )

    /// A wake at seven each day, of two sounds, and a script of one step.
    static var configuration: CoachConfiguration {
        var configuration = CoachConfiguration()
        configuration.wake.length = 2
        configuration.wake.daysAhead = 2
        configuration.wake.guideGuard = .zero
        configuration.wake.script.steps = [
            ScriptStep(text: "起きて", expectedWord: "OK", timeout: .seconds(60))
        ]
        let seven = WakeTime.relative(TimeOfDay(seconds: 7 * 3_600), .everyDay)
        configuration.firstWakes = [WakeSetting(id: WakeID(number: 1), time: seven)]
        return configuration
    }

    let configuration: CoachConfiguration
    var machine: CoachCoordinator
    var now = Instant.zero
    var disk = CoachMemory()
    /// The facts as the outbox has them.
    var outbox: [CoachFact.Kind] = []
    /// What the system has armed.
    var system: [WakeEntry] = []
    /// What was ordered since it was asked for last, beside what is kept and armed.
    private var orders: [CoachEffect] = []
    /// How many orders are performed before the process dies; `nil` lets it live.
    var lifeLeft: Int?
    /// Whether the store has a cloned voice; `nil` without an account.
    var hasClone: Bool?

    init(_ configuration: CoachConfiguration = Self.configuration) {
        self.configuration = configuration
        machine = Self.machine(configuration, CoachMemory())
    }

    private static func machine(
        _ configuration: CoachConfiguration,
        _ memory: CoachMemory
    ) -> CoachCoordinator {
        CoachCoordinator(
            configuration: configuration,
            restoring: memory,
            seeds: CoachSeeds(guide: 1, conversations: 2, session: 3)
        )
    }

    var time: WallTime { Self.dawn.advanced(by: Instant.zero.duration(to: now)) }

    /// The process begins with what the disk has.
    mutating func launch(since events: [CoachEvent] = []) {
        machine = Self.machine(configuration, disk)
        orders = []
        resume(since: events)
    }

    mutating func resume(since events: [CoachEvent] = []) {
        let phone = PhoneFacts(
            time: time,
            zone: Self.tokyo,
            grants: Self.grants,
            pending: system.map(\.id),
            isInFront: false
        )
        tell(.resumed(phone, hasClone: hasClone, since: events))
    }

    /// Gives the machine a fact, and what is relayed after it.
    mutating func tell(_ event: CoachEvent) { call(event) }

    /// Wakes the machine whenever it wants to be woken until then.
    mutating func wait(_ time: Duration) {
        let end = now.advanced(by: time)
        while let due = machine.deadline?.instant, due <= end {
            now = max(now, due)
            call(nil)
        }
        now = end
    }

    /// What was ordered since the last time.
    mutating func takeOrders() -> [CoachEffect] {
        defer { orders = [] }
        return orders
    }

    /// Whether the system has an entry that is due in this time.
    func isToSound(within time: Duration) -> Bool {
        let end = self.time.advanced(by: time)
        return system.contains { entry in
            switch entry.schedule {
            case .fixed(let due): self.time < due && due <= end
            case .relative(let local):
                self.time < Self.tokyo.resolve(local).time && Self.tokyo.resolve(local).time <= end
            }
        }
    }

    private mutating func call(_ event: CoachEvent?) {
        var relays: [CoachRelay] = []
        perform(machine.drive(event, at: now), relaying: &relays)
        while !relays.isEmpty {
            perform(machine.drive(.relayed(relays.removeFirst()), at: now), relaying: &relays)
        }
    }

    private mutating func perform(_ effects: [CoachEffect], relaying relays: inout [CoachRelay]) {
        for effect in effects {
            if lifeLeft == 0 { return relays = [] }
            lifeLeft = lifeLeft.map { $0 - 1 }
            switch effect {
            case .store(let memory, let facts):
                disk = memory
                outbox += facts.map(\.kind)
            case .relay(let relay): relays.append(relay)
            case .arm(let entry): system.append(entry)
            case .disarm(let id): system.removeAll { $0.id == id }
            // The session is told by hand how it comes along.
            case .session, .requestBackgroundTask, .showPath: break
            default: orders.append(effect)
            }
        }
    }
}

extension ScriptLine {
    /// The line that a conversation begins with.
    static var first: ScriptLine {
        ScriptLine(number: 0, step: 0, isRepetition: false, text: "起きて")
    }
}
