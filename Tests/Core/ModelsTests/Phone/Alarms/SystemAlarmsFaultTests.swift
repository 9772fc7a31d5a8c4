@testable import KodamaPhone
import SansIO
import SansIOTesting
import KodamaSimulation
import Testing

private typealias Effect = SystemAlarms.Effect

@Suite("How system alarms fail")
struct SystemAlarmsFaultTests {
    private typealias S = AlarmStory

    /// An alarm that is due alerts so, with this bug always and with it never.
    private func expectAlert(
        _ alert: AlarmAlert,
        isLocked: Bool = true,
        version: IOSVersion = IOSVersion(26, 1),
        _ set: (inout AlarmFaultRates) -> Void
    ) throws {
        var story = Transcript(S.faulty(version: version, set))
        try story.schedule(S.alarm(sound: .named("wake.caf")))
        if isLocked { try story.lock() }
        try story.rings(alert.presentation, alert.sound)
    }

    @Test("Sound files fall back to the system's sound without an error")
    func sounds() throws {
        for name in ["wake.caf", "Sounds/wake.caf", "none.caf", "long.caf"] {
            let machine = S.machine(app: {
                $0.sounds.append(SoundFile("long.caf", length: .seconds(31)))
            })
            var story = Transcript(machine)
            try story.schedule(S.alarm(sound: .named(name)))
            try story.lock()
            try story.rings(sound: name == "wake.caf" ? .file(S.wake) : .standard)
        }
    }

    @Test("An alert may be silent, without its sound, a tone or a buzz (D-23)")
    func silences() throws {
        let always = Probability.one
        try expectAlert(AlarmAlert(.nowhere, sound: nil)) { $0.alertsInSilence = always }
        try expectAlert(AlarmAlert(.fullScreen, sound: nil)) { $0.soundReset = always }
        let (old, new) = (IOSVersion(26), IOSVersion(26, 1))
        try expectAlert(AlarmAlert(.fullScreen, sound: .errorTone), version: old) {
            $0.errorTone = always
        }
        try expectAlert(AlarmAlert(.fullScreen, sound: .file(S.wake)), version: new) {
            $0.errorTone = always
        }
        try expectAlert(AlarmAlert(.banner, sound: nil), isLocked: false) {
            $0.unlockedOnlyBuzzes = always
        }
        try expectAlert(AlarmAlert(.fullScreen, sound: .file(S.wake))) {
            $0.unlockedOnlyBuzzes = always
        }
        try expectAlert(AlarmAlert(.banner, sound: .file(S.wake)), isLocked: false) { _ in }
    }

    @Test("An alert that nobody sees can't be stopped on the screen")
    func unseen() throws {
        var story = Transcript(S.faulty { $0.alertsInSilence = .one })
        try story.schedule(S.alarm())
        try story.lock()
        try story.rings(.nowhere, nil)
        try story.expect(.user(.slideToStop), at: S.due)
        #expect(story.machine.shown == nil)
        try story.expect(.ordered(S.app, .listAlarms(S.operation)), at: S.due) {
            Effect.answered(S.app, S.operation, .alarms([AlarmEntry(S.one, .alerting)]))
        }
    }

    @Test("A frozen alert is silent and deaf for 45 min, then rings")
    func frozen() throws {
        var story = Transcript(S.faulty { $0.freezes = .one })
        try story.schedule(S.alarm())
        try story.lock()
        try story.rings(sound: .standard, tells: false)
        try story.expect(.user(.pressHardwareButton), at: S.due + .seconds(60))
        try story.expectWake(at: S.due + .seconds(2_700)) { Effect.soundChanged(.standard) }
        try story.expect(.user(.slideToStop), at: S.due + .seconds(2_701)) {
            Effect.alertEnded(S.app, S.one, .stopped)
            Effect.stateChanged(S.app, S.one, nil)
            Effect.soundChanged(nil)
        }
    }

    @Test("A countdown without a widget extension may be dismissed unrung, another alarm is not")
    func widget() throws {
        for hasWidget in [true, false] {
            let machine = S.faulty(app: { $0.hasWidgetExtension = hasWidget }) {
                $0.dismissedWithoutWidget = .one
            }
            var story = Transcript(machine)
            try story.lock()
            try story.schedule(S.alarm(second: .countdown(postAlert: .seconds(60))))
            guard !hasWidget else {
                try story.rings()
                continue
            }
            try story.expectWake(at: S.due) {
                Effect.failed(S.app, S.one, .dismissedUnrung)
                Effect.stateChanged(S.app, S.one, nil)
            }
            try story.schedule(S.alarm(at: S.due + .seconds(1)), at: S.due)
            try story.rings(at: S.due + .seconds(1))
        }
    }

    @Test("A phone call may end the sound of what rings, which is still shown")
    func call() throws {
        for rate in [Probability.zero, .one] {
            var story = Transcript(S.faulty { $0.callEndsSound = rate })
            try story.schedule(S.alarm())
            try story.lock()
            try story.rings()
            try story.expect(.phoneCall(isOn: true), at: S.due) {
                rate == .one ? [Effect.soundChanged(nil)] : []
            }
            try story.expect(.phoneCall(isOn: false), at: S.due + .seconds(60))
            #expect(story.machine.shown == S.one)
        }
    }

    @Test("A Live Activity may stay after a stop")
    func liveActivity() throws {
        var story = Transcript(S.faulty { $0.liveActivityStays = .one })
        try story.schedule(S.alarm())
        try story.lock()
        try story.rings()
        try story.expect(.user(.slideToStop), at: S.due) {
            Effect.alertEnded(S.app, S.one, .stopped)
            Effect.liveActivityStayed(S.app, S.one)
            Effect.stateChanged(S.app, S.one, nil)
            Effect.soundChanged(nil)
        }
    }

    @Test(
        "An alarm that fires at midnight does not fire at its time, a daily one the day after does"
    )
    func midnight() throws {
        var story = Transcript(S.faulty { $0.firesAtMidnight = .one })
        // Scheduled at 00:00, it has its midnight behind it; at 22:00 the next is ahead.
        try story.schedule(S.daily, S.two)
        #expect(story.machine.deadline?.instant == .zero.advanced(by: S.due))
        try story.lock()
        try story.schedule(S.alarm(at: .seconds(86_400) + S.due), at: .seconds(10))
        try story.rings(S.two)
        try story.expect(.user(.slideToStop), at: S.due) {
            Effect.alertEnded(S.app, S.two, .stopped)
            Effect.stateChanged(S.app, S.two, .scheduled)
            Effect.soundChanged(nil)
        }
        var fired: [UniqueID] = []
        for effect in story.wake(at: .seconds(86_400)) {
            if case .alertBegan(_, let id, _) = effect { fired.append(id) }
        }
        #expect(fired.sorted { $0.low < $1.low } == [S.one, S.two])
        _ = story.send(.user(.slideToStop), at: .seconds(86_401))
        _ = story.send(.user(.slideToStop), at: .seconds(86_401))
        #expect(story.machine.deadline?.instant == .zero.advanced(by: .seconds(2 * 86_400)))
    }

    @Test("Of two alarms of one instant one may be lost, and either may be the one")
    func collision() throws {
        var losers: [UniqueID: Int] = [:]
        for seed in 0..<200 as Range<UInt64> {
            var story = Transcript(S.machine(seed: seed) { $0.faults.collisionLosesOne = .one })
            try story.schedule(S.alarm())
            try story.schedule(S.alarm(), S.two, of: S.other)
            var rang = 0
            for effect in story.wake(at: S.due) {
                if case .failed(_, let id, .lostCollision) = effect { losers[id, default: 0] += 1 }
                if case .alertBegan = effect { rang += 1 }
            }
            #expect(rang == 1)
        }
        #expect(losers[S.one, default: 0] > 60 && losers[S.two, default: 0] > 60)
        var fair = Transcript(S.machine())
        try fair.schedule(S.alarm())
        try fair.schedule(S.alarm(), S.two, of: S.other)
        #expect(fair.wake(at: S.due).count == 5, "both alert, and one sound begins")
        #expect(fair.send(.user(.slideToStop), at: S.due).count == 2, "the other rings on")
    }

    @Test(
        "Alarms of a dense series on a locked phone ring 20 s to 5 min late, others in time (K-24)"
    )
    func dense() throws {
        func ringsAt(spacing: Int64, isLocked: Bool, bunched: Bool) throws -> [Int64] {
            let machine = S.faulty {
                $0.denseSeriesLate = .one
                $0.bunchesLateAlarms = bunched
            }
            var story = Transcript(machine)
            if isLocked { try story.lock() }
            try story.schedule(S.alarm())
            try story.schedule(S.alarm(at: S.due + .seconds(spacing)), S.two)
            var times: [Int64] = []
            while let due = story.machine.deadline?.instant {
                for effect in story.wake(at: Instant.zero.duration(to: due)) {
                    if case .alertBegan = effect {
                        times.append(due.nanoseconds / 1_000_000_000 - 23_400)
                    }
                }
            }
            return times
        }
        #expect(try ringsAt(spacing: 30, isLocked: false, bunched: false) == [0, 30])
        #expect(try ringsAt(spacing: 61, isLocked: true, bunched: false) == [0, 61])
        let late = try ringsAt(spacing: 30, isLocked: true, bunched: false)
        #expect(late.count == 2 && late[0] >= 20 && late[1] <= 330 && late[0] != late[1])
        let bunched = try ringsAt(spacing: 10, isLocked: true, bunched: true)
        #expect(bunched.count == 2 && bunched[0] == bunched[1])
    }

    @Test("A bug comes as often as its rate says, over 100,000 alarms")
    func rates() {
        var machine = S.machine {
            $0.faults.soundReset = Probability(partsPerMillion: 50_000)
            $0.faults.alertsInSilence = Probability(partsPerMillion: 10_000)
        }
        var (reset, silent) = (0, 0)
        for round in 1...100_000 as ClosedRange<Int64> {
            let time = Instant.zero.advanced(by: .seconds(round))
            let due = S.alarm(at: .seconds(round) + .milliseconds(500))
            _ = machine.drive(S.schedule(due), at: time)
            for effect in machine.drive(nil, at: time.advanced(by: .milliseconds(500))) {
                guard case .alertBegan(_, _, let alert) = effect else { continue }
                if alert.presentation == .nowhere {
                    silent += 1
                } else if alert.sound == nil {
                    reset += 1
                }
            }
            _ = machine.drive(
                .ordered(S.app, .cancel(S.operation, id: S.one)),
                at: time.advanced(by: .milliseconds(600))
            )
        }
        // Four standard deviations: 276 of 4,950 and 126 of 1,000.
        #expect((4_674...5_226).contains(reset))
        #expect((874...1_126).contains(silent))
    }

    @Test("Alarms keep the laws of their contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var (alerts, faults) = (0, 0)
        for seed in decade * 25..<decade * 25 + 25 {
            try checkLaws(
                seed: seed,
                steps: 300,
                make: {
                    S.machine(status: .undetermined, seed: seed) {
                        let half = Probability(partsPerMillion: 500_000)
                        $0.faults.denseSeriesLate = half
                        $0.faults.bunchesLateAlarms = seed % 2 == 0
                        $0.faults.alertsInSilence = Probability(partsPerMillion: 100_000)
                        $0.faults.freezes = Probability(partsPerMillion: 100_000)
                        $0.faults.firesAtMidnight = half
                        $0.faults.collisionLosesOne = half
                        $0.alarmsMax = 6
                    }
                },
                frame: { effect in
                    if case .alertBegan = effect { alerts += 1 }
                    if case .failed = effect { faults += 1 }
                    return nil
                },
                event: { random, now in random.alarmEvent(at: now) }
            )
        }
        #expect(alerts > 0 && faults > 0)
    }
}

extension Transcript<SystemAlarms> {
    fileprivate mutating func rings(
        _ presentation: AlarmAlert.Presentation,
        _ sound: SystemSound?
    ) throws {
        try rings(AlarmStory.one, at: AlarmStory.due, presentation, sound: sound)
    }
}

extension Transcript {
    /// Gives the machine an event, whatever it orders.
    mutating func send(_ event: Machine.Event, at time: Duration) -> [Machine.Effect] {
        drive(event, at: time)
    }

    /// Wakes the machine, whatever it orders.
    mutating func wake(at time: Duration) -> [Machine.Effect] {
        drive(nil, at: time)
    }

    private mutating func drive(_ event: Machine.Event?, at time: Duration) -> [Machine.Effect] {
        var copy = machine
        let effects = copy.drive(event, at: Instant.zero.advanced(by: time))
        self = Transcript(copy)
        return effects
    }
}

extension LawRandom {
    fileprivate mutating func alarmEvent(at now: Instant) -> SystemAlarms.Event {
        let app = AppID(below(2))
        let id = UniqueID(high: 0, low: UInt64(below(6)))
        let operation = OperationID(number: 1)
        let flag = chance(percent: 50)
        switch below(20) {
        case 0...6:
            let seconds = Int64(below(120)) - 5
            let wall = WallTime(nanosecondsSince1970: now.nanoseconds).advanced(
                by: .seconds(seconds)
            )
            let second = AlarmConfiguration.SecondaryButton.countdown(postAlert: .seconds(seconds))
            let minute = Int(now.nanoseconds / 60_000_000_000) % 1_400 + below(3)
            let time = ClockTime(hour: minute / 60, minute: minute % 60)
            let schedule: AlarmConfiguration.Schedule =
                flag ? .fixed(wall) : .relative(time, repeats: below(2) == 0 ? .all : [])
            let alarm = AlarmConfiguration(schedule, stopIntent: .opensApp, secondaryButton: second)
            return .ordered(app, .schedule(operation, id: id, alarm))
        case 7: return .ordered(app, flag ? .cancel(operation, id: id) : .stop(operation, id: id))
        case 8: return .ordered(app, .countdown(operation, id: id))
        case 9: return .ordered(app, .listAlarms(operation))
        case 10: return .lockChanged(isLocked: flag)
        case 11: return chance(percent: 20) ? .powerChanged(isOn: false) : .powerChanged(isOn: true)
        case 12: return .phoneCall(isOn: flag)
        case 13:
            let zone = Int64(below(3)) * 60
            let wall = WallTime(nanosecondsSince1970: Int64(below(500)) * 1_000_000_000)
            return .clockChanged(flag ? .zone(secondsFromGMT: zone) : .set(wall))
        case 14: return .frontChanged(app, isInFront: flag)
        case 15: return .permissionChanged(app, isGranted: chance(percent: 80))
        case 16:
            return chance(percent: 50) ? .protectionChanged(app, isProtected: flag) : .appEnded(app)
        case 17: return chance(percent: 20) ? .appEnded(app) : .user(.pressHardwareButton)
        default: return .user(AlarmAct.allCases[below(AlarmAct.allCases.count)])
        }
    }
}
