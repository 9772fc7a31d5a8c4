@testable import KodamaPhone
import SansIO
import SansIOTesting
import KodamaSimulation
import Testing

private typealias Effect = SystemAlarms.Effect
private typealias Event = SystemAlarms.Event

/// What the stories of system alarms begin with: the clock shows Thursday, 1970-01-01 00:00, at the start.
enum AlarmStory {
    static let app = AppID(0)
    static let other = AppID(1)
    static let one = UniqueID(high: 0, low: 1)
    static let two = UniqueID(high: 0, low: 2)
    static let operation = OperationID(number: 1)
    static let wake = SoundFile("wake.caf", length: .seconds(29))
    /// 06:30.
    static let due = Duration.seconds(23_400)
    static let daily = AlarmConfiguration(
        .relative(ClockTime(hour: 6, minute: 30), repeats: .all)
    )

    static func alarm(
        at time: Duration = due,
        sound: SoundName = .standard,
        stop: AlarmIntent? = nil,
        second: AlarmConfiguration.SecondaryButton? = nil
    ) -> AlarmConfiguration {
        let wall = WallTime(nanosecondsSince1970: 0).advanced(by: time)
        return AlarmConfiguration(
            .fixed(wall),
            sound: sound,
            stopIntent: stop,
            secondaryButton: second
        )
    }

    static func machine(
        status: PermissionCondition.Status = .granted,
        seed: UInt64 = 1,
        _ configure: (inout SystemAlarmsConfiguration) -> Void = { _ in },
        app change: (inout AlarmApp) -> Void = { _ in }
    ) -> SystemAlarms {
        var app = AlarmApp()
        app.permission = PermissionCondition(status)
        app.sounds = [wake]
        change(&app)
        var configuration = SystemAlarmsConfiguration()
        configure(&configuration)
        return SystemAlarms(
            apps: [app, app],
            clock: LocalClock(showing: WallTime(nanosecondsSince1970: 0)),
            draws: RandomStream(seed: seed, purpose: "alarms", entity: "phone"),
            configuration: configuration
        )
    }

    static func faulty(
        app change: (inout AlarmApp) -> Void = { _ in },
        version: IOSVersion = IOSVersion(26, 1),
        _ set: (inout AlarmFaultRates) -> Void
    ) -> SystemAlarms {
        machine(
            {
                $0.version = version
                set(&$0.faults)
            },
            app: change
        )
    }

    static func schedule(
        _ alarm: AlarmConfiguration,
        _ id: UniqueID = one,
        of app: AppID = app
    ) -> SystemAlarms.Event {
        .ordered(app, .schedule(operation, id: id, alarm))
    }
}

extension Transcript<SystemAlarms> {
    /// Schedules an alarm, which is taken.
    mutating func schedule(
        _ alarm: AlarmConfiguration,
        _ id: UniqueID = AlarmStory.one,
        of app: AppID = AlarmStory.app,
        at time: Duration = .zero
    ) throws {
        try expect(AlarmStory.schedule(alarm, id, of: app), at: time) {
            Effect.stateChanged(app, id, .scheduled)
            Effect.answered(app, AlarmStory.operation, .done)
        }
    }

    /// The alarm alerts over a locked phone.
    mutating func rings(
        _ id: UniqueID = AlarmStory.one,
        at time: Duration = AlarmStory.due,
        _ presentation: AlarmAlert.Presentation = .fullScreen,
        sound: SystemSound? = .standard,
        tells: Bool = true,
        isLate: Bool = false
    ) throws {
        try expectWake(at: time, isLate: isLate) {
            Effect.alertBegan(AlarmStory.app, id, AlarmAlert(presentation, sound: sound))
            Effect.stateChanged(AlarmStory.app, id, .alerting)
            tells && sound != nil ? [Effect.soundChanged(sound)] : []
        }
    }

    mutating func lock() throws { try expect(.lockChanged(isLocked: true), at: .zero) }
}

@Suite("Alarms that the system rings")
struct SystemAlarmsTests {
    private typealias S = AlarmStory
    private static let stopped: [Effect] = [
        .alertEnded(S.app, S.one, .stopped), .stateChanged(S.app, S.one, nil),
    ]

    @Test(
        "An alarm rings over a locked phone, though its app was thrown out, until it is stopped (D-23)"
    )
    func rings() throws {
        var story = Transcript(S.machine())
        try story.schedule(S.alarm(sound: .named("wake.caf"), stop: .opensApp))
        try story.lock()
        try story.expect(.appEnded(S.app), at: .seconds(1))
        try story.rings(sound: .file(S.wake))
        #expect(story.machine.deadline == nil, "no time ends it")
        try story.expect(.user(.tapStop), at: .seconds(30_000))
        try story.expect(.user(.slideToStop), at: .seconds(30_000)) {
            Self.stopped
            Effect.runIntent(S.app, S.one, .opensApp)
            Effect.soundChanged(nil)
        }
        try story.expect(.user(.slideToStop), at: .seconds(30_001))
        try story.expect(.ordered(S.app, .stop(S.operation, id: S.one)), at: .seconds(30_001)) {
            Effect.answered(S.app, S.operation, .failed(.invalid))
        }
    }

    @Test("A snooze needs no app, and rings again as often as it is snoozed (D-23)")
    func snooze() throws {
        var story = Transcript(S.machine())
        try story.schedule(S.alarm(second: .countdown(postAlert: .seconds(480))))
        try story.lock()
        try story.rings()
        for round in 0..<3 as Range<Int64> {
            let time = S.due + .seconds(500 * round)
            try story.expect(.user(.tapSecondary), at: time) {
                Effect.alertEnded(S.app, S.one, .snoozed)
                Effect.stateChanged(S.app, S.one, .countdown)
                Effect.soundChanged(nil)
            }
            try story.rings(at: time + .seconds(480))
        }
        try story.expect(.user(.slideToStop), at: .seconds(40_000)) {
            Self.stopped
            Effect.soundChanged(nil)
        }
    }

    @Test("Every button of the phone stops it, in iOS 26.0 a tap does, later a slide (D-23)")
    func buttons() throws {
        for (version, act, isDeaf) in [
            (IOSVersion(26), AlarmAct.tapStop, AlarmAct.slideToStop),
            (IOSVersion(26, 1), .slideToStop, .tapStop),
            (IOSVersion(26, 2), .slideToStop, .tapStop),
        ] {
            var story = Transcript(S.machine { $0.version = version })
            try story.schedule(S.alarm(stop: .opensApp))
            try story.rings(.init(high: 0, low: 1), .banner)
            var blind = story
            try blind.expect(.user(.pressHardwareButton), at: S.due) {
                Effect.alertEnded(S.app, S.one, .stoppedByHardwareButton)
                Effect.stateChanged(S.app, S.one, nil)
                Effect.runIntent(S.app, S.one, .inBackground)
                Effect.soundChanged(nil)
            }
            try story.expect(.user(isDeaf), at: S.due)
            try story.expect(.user(act), at: S.due) {
                Self.stopped
                Effect.runIntent(S.app, S.one, .opensApp)
                Effect.soundChanged(nil)
            }
        }
    }

    @Test(
        "Of alarms that overlap the last is shown and stopped first, and the sound goes on (D-23)"
    )
    func overlap() throws {
        var story = Transcript(S.machine())
        try story.lock()
        try story.schedule(S.alarm())
        try story.schedule(S.alarm(at: S.due + .seconds(30)), S.two)
        try story.rings()
        try story.rings(S.two, at: S.due + .seconds(30), tells: false)
        #expect(story.machine.shown == S.two)
        try story.expect(.user(.slideToStop), at: S.due + .seconds(40)) {
            Effect.alertEnded(S.app, S.two, .stopped)
            Effect.stateChanged(S.app, S.two, nil)
        }
        #expect(story.machine.sound == .standard)
        try story.expect(.user(.slideToStop), at: S.due + .seconds(41)) {
            Self.stopped
            Effect.soundChanged(nil)
        }
    }

    @Test("The second button's own intent runs only after the first unlock since the start")
    func secondIntent() throws {
        for wasUnlocked in [true, false] {
            var story = Transcript(S.machine())
            try story.schedule(S.alarm(second: .custom(.opensApp)))
            try story.expect(.powerChanged(isOn: false), at: .seconds(1))
            try story.expect(.powerChanged(isOn: true), at: .seconds(2))
            if wasUnlocked {
                try story.expect(.lockChanged(isLocked: false), at: .seconds(3))
                try story.expect(.lockChanged(isLocked: true), at: .seconds(4))
            }
            try story.rings()
            try story.expect(.user(.tapSecondary), at: S.due) {
                Effect.alertEnded(S.app, S.one, .secondary)
                Effect.stateChanged(S.app, S.one, nil)
                wasUnlocked ? [Effect.runIntent(S.app, S.one, .opensApp)] : []
                Effect.soundChanged(nil)
            }
        }
    }

    // MARK: Permission

    @Test(
        "The first schedule asks the user, and is answered when they have (AN-06)",
        arguments: [true, false]
    )
    func asks(isGranted: Bool) throws {
        let machine = S.machine(
            status: .undetermined,
            app: { $0.permission.isGrantedWhenAsked = isGranted }
        )
        var story = Transcript(machine)
        try story.expect(S.schedule(S.alarm()), at: .zero)
        #expect(story.machine.deadline == nil, "an alert waits for its app to be in front")
        try story.expect(.frontChanged(S.app, isInFront: true), at: .seconds(1))
        try story.expectWake(at: .seconds(3)) {
            isGranted ? [Effect.stateChanged(S.app, S.one, .scheduled)] : []
            Effect.answered(S.app, S.operation, isGranted ? .done : .failed(.notAuthorized))
        }
        try story.expect(.ordered(S.app, .requestAuthorization(S.operation)), at: .seconds(4)) {
            Effect.answered(S.app, S.operation, .authorization(isGranted: isGranted))
        }
    }

    @Test(
        "Without a usage description nothing can be scheduled, and before iOS 26 nothing at all (AN-06)"
    )
    func refused() throws {
        var silent = Transcript(S.machine(app: { $0.hasUsageDescription = false }))
        try silent.expect(S.schedule(S.alarm()), at: .zero) {
            Effect.answered(S.app, S.operation, .failed(.notAuthorized))
        }
        var old = Transcript(S.machine { $0.version = IOSVersion(18) })
        try old.expect(S.schedule(S.alarm()), at: .zero) {
            Effect.answered(S.app, S.operation, .failed(.unavailable))
        }
        try old.expect(.ordered(S.app, .listAlarms(S.operation)), at: .zero) {
            Effect.answered(S.app, S.operation, .failed(.unavailable))
        }
    }

    @Test(
        "An alarm fails silently where the permission was revoked or the app is hidden (AN-06, D-23)"
    )
    func silentFailures() throws {
        let causes: [(Event, AlarmFault)] = [
            (.permissionChanged(S.app, isGranted: false), .notAuthorized),
            (.protectionChanged(S.app, isProtected: true), .appProtected),
        ]
        for (event, fault) in causes {
            var story = Transcript(S.machine())
            try story.schedule(S.alarm())
            try story.expect(event, at: .seconds(1))
            try story.expectWake(at: S.due) {
                Effect.failed(S.app, S.one, fault)
                Effect.stateChanged(S.app, S.one, nil)
            }
        }
        var simulator = Transcript(S.machine { $0.isSimulator = true })
        try simulator.schedule(S.alarm())
        try simulator.lock()
        try simulator.expectWake(at: S.due) {
            Effect.failed(S.app, S.one, .simulatorLocked)
            Effect.stateChanged(S.app, S.one, nil)
        }
    }

    // MARK: Names, number, reboot

    @Test(
        "An identifier that is used again replaces its alarm, twice in a row, and cancel removes it"
    )
    func replaces() throws {
        var story = Transcript(S.machine())
        try story.schedule(S.alarm(at: .seconds(100)))
        for round in 1...2 as ClosedRange<Int64> {
            let alarm = S.alarm(at: .seconds(1_000 * round))
            try story.expect(S.schedule(alarm), at: .seconds(round)) {
                Effect.stateChanged(S.app, S.one, nil)
                Effect.stateChanged(S.app, S.one, .scheduled)
                Effect.answered(S.app, S.operation, .done)
            }
        }
        #expect(story.machine.deadline?.instant == .zero.advanced(by: .seconds(2_000)))
        try story.expect(.ordered(S.other, .cancel(S.operation, id: S.one)), at: .seconds(3)) {
            Effect.answered(S.other, S.operation, .failed(.invalid))
        }
        try story.expect(.ordered(S.app, .cancel(S.operation, id: S.one)), at: .seconds(3)) {
            Effect.stateChanged(S.app, S.one, nil)
            Effect.answered(S.app, S.operation, .done)
        }
        try story.expect(.ordered(S.app, .cancel(S.operation, id: S.one)), at: .seconds(4)) {
            Effect.answered(S.app, S.operation, .failed(.invalid))
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("One alarm beyond the system's number is refused, one in the place of another is not")
    func limit() throws {
        var story = Transcript(S.machine { $0.alarmsMax = 1 })
        try story.schedule(S.alarm())
        try story.expect(S.schedule(S.alarm(), S.two), at: .zero) {
            Effect.answered(S.app, S.operation, .failed(.maximumLimitReached))
        }
        try story.schedule(S.alarm(), S.two, of: S.other)
        try story.expect(S.schedule(S.alarm()), at: .zero) {
            Effect.stateChanged(S.app, S.one, nil)
            Effect.stateChanged(S.app, S.one, .scheduled)
            Effect.answered(S.app, S.operation, .done)
        }
        try story.expect(S.schedule(S.alarm(), S.two), at: .seconds(23_400)) {
            Effect.answered(S.app, S.operation, .failed(.invalid))
        }
    }

    @Test("Alarms survive two reboots; what was due while the phone was off is missed")
    func reboots() throws {
        var story = Transcript(S.machine())
        try story.schedule(S.daily)
        try story.schedule(S.alarm(at: .seconds(50)), S.two)
        for second in [10, 20] as [Int64] {
            try story.expect(.powerChanged(isOn: false), at: .seconds(second))
            #expect(story.machine.deadline == nil)
            try story.expect(.powerChanged(isOn: true), at: .seconds(second + 5))
        }
        try story.expect(.powerChanged(isOn: false), at: .seconds(40))
        try story.expect(.powerChanged(isOn: true), at: .seconds(60)) {
            Effect.failed(S.app, S.two, .phoneOff)
            Effect.stateChanged(S.app, S.two, nil)
        }
        for day in 0...1 as ClosedRange<Int64> {
            let time = S.due + .seconds(86_400 * day)
            try story.rings(at: time)
            try story.expect(.powerChanged(isOn: false), at: time) {
                Effect.alertEnded(S.app, S.one, .phoneOff)
                Effect.stateChanged(S.app, S.one, .scheduled)
                Effect.soundChanged(nil)
            }
            try story.expect(.powerChanged(isOn: true), at: time + .seconds(9))
        }
    }

    // MARK: Time

    @Test("A fixed alarm keeps its instant across a flight, a relative one its local hour (AN-01)")
    func flight() throws {
        var story = Transcript(S.machine())
        try story.lock()
        try story.schedule(S.alarm())
        try story.schedule(S.daily, S.two)
        // Nine hours east of Greenwich it is 09:00 at once, and 06:30 comes 21.5 h later.
        try story.expect(.clockChanged(.zone(secondsFromGMT: 9 * 3_600)), at: .seconds(60))
        try story.rings(S.two, at: .seconds(60), isLate: true)
        try story.expect(.user(.slideToStop), at: .seconds(61)) {
            Effect.alertEnded(S.app, S.two, .stopped)
            Effect.stateChanged(S.app, S.two, .scheduled)
            Effect.soundChanged(nil)
        }
        try story.rings()
        try story.expect(.ordered(S.app, .stop(S.operation, id: S.one)), at: S.due) {
            Effect.alertEnded(S.app, S.one, .byApp)
            Effect.stateChanged(S.app, S.one, nil)
            Effect.answered(S.app, S.operation, .done)
            Effect.soundChanged(nil)
        }
        try story.rings(S.two, at: .seconds(86_400 - 9 * 3_600 + 23_400))
    }

    @Test(
        "A time that daylight saving skips rings at the transition, one that it repeats rings once"
    )
    func daylightSaving() throws {
        let alarm = AlarmConfiguration(.relative(ClockTime(hour: 2, minute: 30), repeats: .all))
        var spring = Transcript(S.machine())
        try spring.lock()
        try spring.schedule(alarm)
        try spring.expect(.clockChanged(.zone(secondsFromGMT: 3_600)), at: .seconds(7_200))
        try spring.rings(at: .seconds(7_200), isLate: true)
        var autumn = Transcript(S.machine())
        try autumn.lock()
        try autumn.schedule(alarm)
        try autumn.rings(at: .seconds(9_000))
        try autumn.expect(.user(.slideToStop), at: .seconds(9_001)) {
            Effect.alertEnded(S.app, S.one, .stopped)
            Effect.stateChanged(S.app, S.one, .scheduled)
            Effect.soundChanged(nil)
        }
        try autumn.expect(.clockChanged(.zone(secondsFromGMT: -3_600)), at: .seconds(10_800))
        #expect(autumn.machine.deadline?.instant == .zero.advanced(by: .seconds(99_000)))
    }

    @Test("A clock that is set by hand moves what is fixed to it")
    func clockSet() throws {
        var story = Transcript(S.machine())
        try story.lock()
        try story.schedule(S.alarm())
        let earlier = WallTime(secondsSince1970: 60)
        try story.expect(.clockChanged(.set(earlier)), at: .seconds(3_600))
        try story.rings(at: S.due + .seconds(3_540))
    }

    @Test("A clock set back makes a daily alarm ring again, twice in a row (AN-01)")
    func setBack() throws {
        var story = Transcript(S.machine())
        try story.lock()
        try story.schedule(S.daily)
        for round in 1...2 {
            let time = S.due * round
            try story.rings(at: time)
            try story.expect(.user(.slideToStop), at: time) {
                Effect.alertEnded(S.app, S.one, .stopped)
                Effect.stateChanged(S.app, S.one, .scheduled)
                Effect.soundChanged(nil)
            }
            let midnight = WallTime(secondsSince1970: 0)
            try story.expect(.clockChanged(.set(midnight)), at: time)
        }
        let later = WallTime(secondsSince1970: 7 * 3_600)
        try story.expect(.clockChanged(.set(later)), at: S.due * 2)
        try story.rings(at: S.due * 2, isLate: true)
    }

    @Test("A snooze longer than can be said traps nowhere")
    func endlessSnooze() throws {
        var story = Transcript(S.machine())
        try story.schedule(S.alarm(second: .countdown(postAlert: .seconds(Int64.max))))
        try story.rings(S.one, .banner)
        try story.expect(.user(.tapSecondary), at: S.due) {
            Effect.alertEnded(S.app, S.one, .snoozed)
            Effect.stateChanged(S.app, S.one, .countdown)
            Effect.soundChanged(nil)
        }
    }

    @Test("A clock at the ends of what can be said traps nowhere and wakes nobody for ever")
    func clockEnds() {
        for wall in [Int64.min, .max] {
            for zone in [Int64.min, 0, .max] {
                var machine = S.machine()
                _ = machine.drive(S.schedule(S.daily), at: .zero)
                let time = WallTime(nanosecondsSince1970: wall)
                _ = machine.drive(.clockChanged(.zone(secondsFromGMT: zone)), at: .zero)
                _ = machine.drive(.clockChanged(.set(time)), at: .zero)
                var calls = 0
                while let due = machine.deadline?.instant, due.nanoseconds < .max, calls < 9 {
                    _ = machine.drive(nil, at: max(.zero, due))
                    _ = machine.drive(.user(.slideToStop), at: max(.zero, due))
                    calls += 1
                }
                #expect(calls == 9 || machine.deadline?.instant == Instant(nanoseconds: .max))
            }
        }
    }

    @Test("CivilWeekdays are those of the local calendar")
    func weekdays() {
        let thursday = CivilTime(WallTime(secondsSince1970: 0))
        #expect(CivilWeekdays(of: thursday) == CivilWeekdays(rawValue: 1 << 4))
        let six = ClockTime(hour: 6, minute: 0)
        let saturday = thursday.next(six, on: .saturday)
        #expect(saturday.reading.secondsSince1970 == 2 * 86_400 + 6 * 3_600)
        #expect(saturday.next(six, on: .saturday).reading.secondsSince1970 == 9 * 86_400 + 21_600)
        let before = CivilTime(WallTime(secondsSince1970: -1))
        #expect(before.next(.midnight) == thursday)
        #expect(CivilWeekdays(of: before) == CivilWeekdays(rawValue: 1 << 3))
    }
}
