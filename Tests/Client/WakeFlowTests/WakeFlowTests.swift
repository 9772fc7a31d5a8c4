import SansIO
import SansIOTesting
import Testing
import WakeFlow

/// 07:00 in Tokyo is 22:00 UTC of the day before.
private let seven = ModelMorning.midnight.advanced(by: .seconds(22 * 3_600))
private let minute: Int64 = 60

@Suite("A wake rings, leads to a conversation, and is answered for")
struct WakeFlowTests {
    private func evening(
        _ configuration: WakeConfiguration = .sparse,
        days: Weekdays = [],
        grants: WakeGrants = ModelMorning.everything
    ) -> ModelMorning {
        var phone = ModelMorning(configuration, grants: grants)
        phone.launch()
        phone.set(7, 0, days)
        return phone
    }

    @Test("A ladder of sounds with distinct ids is armed, a minute apart (AN-01, D-23)")
    func ladder() {
        let phone = evening()
        #expect(phone.sounds(after: seven) == (0..<10).map { $0 * minute })
        #expect(Set(phone.system.map(\.id)).count == 10)
        #expect(phone.system.allSatisfy { $0.path == .systemAlarm })
    }

    @Test(
        "A tap takes the ladder back, connects at once and leads through the guide (AN-02, RS-13)"
    )
    func tap() throws {
        var phone = evening()
        phone.pass(until: seven.advanced(by: .seconds(90)))
        phone.send(.tapped(try #require(phone.sounding).id))
        #expect(phone.system.isEmpty && phone.shown.isEmpty)
        #expect(phone.log.contains(.connectSession))
        phone.pass(.seconds(2))
        phone.send(.conversationStarted)
        phone.sayAll()
        #expect(phone.outcomes == [.done])
        #expect(phone.log.contains(.endSession))
        #expect(phone.facts == ["wake_triggered", "wake_joined", "wake_done"])
        #expect(phone.disk.wakes.isEmpty)
    }

    @Test("The second morning goes like the first")
    func twice() throws {
        var phone = evening(days: .everyDay)
        for day in 0..<3 as Range<Int64> {
            let due = seven.advanced(by: .seconds(day * 86_400))
            phone.pass(until: due.advanced(by: .seconds(61)))
            _ = phone.takeLog()
            let entry = try #require(phone.sounding)
            #expect(entry.id.rung == 1)
            phone.send(.tapped(entry.id))
            #expect(phone.sounds(after: due).first == 86_400)
            phone.send(.conversationStarted)
            phone.sayAll()
            #expect(phone.outcomes == [.done])
            let next = phone.sounds(after: due)
            #expect(next.prefix(3) == [86_400, 86_460, 86_520])
        }
        #expect(phone.outbox.count == 9)
        #expect(Set(phone.outbox.map(\.key)).count == 9)
    }

    @Test(
        "A stop connects, and the ladder begins again a minute later if no conversation does (D-23)"
    )
    func stop() throws {
        var phone = evening()
        phone.pass(until: seven)
        let entry = try #require(phone.sounding)
        let first = Set(phone.system.map(\.id))
        phone.send(.stopped(entry.id))
        #expect(phone.log.contains(.connectSession))
        #expect(phone.sounds(after: seven) == (1...10).map { $0 * minute })
        #expect(first.isDisjoint(with: phone.system.map(\.id)))
        phone.pass(.seconds(2))
        phone.send(.conversationStarted)
        #expect(phone.system.isEmpty)
        // Nobody answers: each step's line is said twice, then the ladder begins again.
        phone.pass(.seconds(120))
        #expect(phone.sounds(after: seven).first == 122 + minute)
        #expect(phone.outcomes.isEmpty)
        phone.pass(until: seven.advanced(by: .seconds(1_800)))
        #expect(phone.outcomes == [.notDone])
        #expect(phone.system.isEmpty)
    }

    @Test("Snoozing moves the ladder by nine minutes, three times; after that it counts as a stop")
    func snooze() throws {
        var phone = evening()
        phone.pass(until: seven)
        for _ in 0..<3 {
            let entry = try #require(phone.sounding)
            phone.send(.snoozed(entry.id))
            #expect(phone.sounds(after: phone.time).first == 540)
            #expect(!phone.log.contains(.connectSession))
            phone.pass(.seconds(540))
        }
        let entry = try #require(phone.sounding)
        phone.send(.snoozed(entry.id))
        #expect(phone.log.contains(.connectSession))
        #expect(phone.facts == ["wake_triggered"])
    }

    @Test("A conversation that cannot be had is held offline after 5 s (AN-02)")
    func noNetwork() throws {
        var phone = evening()
        phone.pass(until: seven)
        phone.send(.tapped(try #require(phone.sounding).id))
        phone.pass(.milliseconds(4_999))
        #expect(!phone.facts.contains("wake_joined"))
        phone.pass(.milliseconds(1))
        #expect(phone.facts.contains("wake_joined"))
        phone.sayAll()
        #expect(phone.outcomes == [.done])
    }

    @Test(
        "A call cuts the guide off, also while the session connects (AN-02)",
        arguments: [false, true]
    )
    func call(isConnected: Bool) throws {
        var phone = evening()
        phone.pass(until: seven)
        phone.send(.callBegan)
        #expect(phone.sounds(after: seven).count == 9)
        phone.send(.tapped(try #require(phone.sounding).id))
        if isConnected { phone.send(.conversationStarted) }
        phone.send(.callBegan)
        #expect(phone.outcomes == [.cutOff])
        #expect(phone.log.last == .morningEnded(WakeID(number: 1), .cutOff))
        #expect(phone.system.isEmpty)
    }

    @Test("The user gives up, during the guide or between two sounds (AN-02)")
    func gaveUp() throws {
        var phone = evening()
        phone.pass(until: seven)
        phone.send(.stopped(try #require(phone.sounding).id))
        phone.send(.conversationStarted)
        phone.pass(.seconds(121))
        #expect(!phone.system.isEmpty)
        phone.send(.gaveUp)
        #expect(phone.outcomes == [.gaveUp])
        #expect(phone.system.isEmpty)
    }

    @Test("A morning that was slept through is found at the next launch, shown or not (D-26)")
    func missed() {
        for wasShown in [true, false] {
            var phone = evening(days: .everyDay)
            // Suspended: no wake is delivered.
            phone.now = phone.now.advanced(by: .seconds(30 * 3_600))
            phone.fire()
            if !wasShown { phone.shown = [] }
            phone.relaunch()
            #expect(phone.outcomes == [.missed(wasShown: wasShown)])
            #expect(phone.facts == (wasShown ? ["wake_triggered"] : []))
            #expect(phone.sounds(after: seven).first == 86_400)
            phone.relaunch()
            #expect(phone.outcomes.count == 1)
        }
    }

    @Test(
        "A user who has run the routine alone hears nothing that day, and the next as ever (AN-07)"
    )
    func ranAlone() throws {
        var phone = evening(days: .everyDay)
        phone.pass(until: seven.advanced(by: .seconds(-20 * minute)))
        phone.send(.ranAlone)
        #expect(phone.outcomes == [.ranAlone])
        #expect(phone.facts.isEmpty, "analytics count no wake that did not come")
        #expect(phone.sounds(after: seven).first == 86_400)
        phone.relaunch()
        #expect(phone.sounds(after: seven).first == 86_400, "not even after a kill")
        // Said at breakfast, in the middle of a morning that the app has begun, it takes nothing back.
        phone.pass(until: seven.advanced(by: .seconds(86_400 + 61)))
        phone.send(.snoozed(try #require(phone.sounding).id))
        let before = phone.system
        phone.send(.ranAlone)
        #expect(phone.system == before)
    }

    @Test("Mornings after one that was slept through ring without the app")
    func daysAhead() {
        let phone = evening(days: .workdays)
        // Saturday 09:00 in Tokyo: Monday to Friday follow.
        let days = phone.sounds(after: seven).map { $0 / 86_400 }
        #expect(Set(days) == [1, 2, 3, 4, 5])
        #expect(days.filter { $0 == 1 }.count == 10)
    }

    @Test("An alarm for this weekday next week waits until no clock set back rings it today (K-03)")
    func nextWeek() throws {
        let notifications = WakeGrants(systemVersion: 18, notifications: .granted)
        for (grants, isDated) in [(ModelMorning.everything, false), (notifications, true)] {
            var phone = evening(days: .everyDay, grants: grants)
            // Twice in a row, by whatever was armed before.
            for day in 0...1 as ClosedRange<Int64> {
                let due = seven.advanced(by: .seconds(86_400 * day))
                func hasNextWeek() -> Bool { phone.sounds(after: due).contains(604_800) }
                phone.pass(until: due.advanced(by: .seconds(61)))
                phone.send(.snoozed(try #require(phone.sounding).id))
                #expect(hasNextWeek() == isDated)
                phone.pass(until: due.advanced(by: .seconds(14_340)))
                phone.relaunch()
                #expect(hasNextWeek() == isDated)
                phone.pass(until: due.advanced(by: .seconds(14_460)))
                phone.relaunch()
                #expect(hasNextWeek())
            }
        }
    }

    @Test("All wakes together stay within the entries, and each keeps a sound (64 pending)")
    func entries() {
        var phone = ModelMorning()
        phone.launch()
        for number in 1...20 as ClosedRange<UInt32> {
            phone.set(7, Int32(number), number % 3 == 0 ? .everyDay : [], id: number)
            #expect(phone.system.count <= 28)
        }
        #expect(Set(phone.system.map(\.id.wake)).count == 20)
        _ = phone.takeLog()
        phone.set(8, 0, id: 21)
        #expect(phone.log == [.wakeRefused(WakeID(number: 21))])
    }

    @Test(
        "The path is the best that is granted and flagged (D-23, AN-06, AN-11)",
        arguments: [
            (26, Grant.granted, Grant.granted, Grant.granted, true, WakePath.systemAlarm),
            (25, .granted, .granted, .granted, true, .criticalAlert),
            (26, .denied, .granted, .granted, true, .criticalAlert),
            (26, .undecided, .granted, .granted, false, .timeSensitive),
            (18, .undecided, .granted, .denied, true, .timeSensitive),
            (18, .undecided, .denied, .granted, true, nil),
            (26, .denied, .undecided, .denied, true, nil),
        ] as [(Int, Grant, Grant, Grant, Bool, WakePath?)]
    )
    func path(
        version: Int,
        alarm: Grant,
        notifications: Grant,
        critical: Grant,
        usesCritical: Bool,
        path: WakePath?
    ) {
        let grants = WakeGrants(
            systemVersion: version,
            systemAlarm: alarm,
            notifications: notifications,
            criticalAlert: critical
        )
        var phone = ModelMorning(grants: grants)
        phone.send(.flagsChanged(CoachFlags(usesCriticalAlert: usesCritical)))
        phone.launch()
        phone.set(7, 0)
        #expect(phone.log.contains(.pathChanged(path)))
        #expect(Set(phone.system.map(\.path)) == (path.map { [$0] } ?? []))
    }

    @Test("A permission that is taken back the evening before moves the ladder to the next path")
    func revoked() {
        var phone = evening()
        let first = Set(phone.system.map(\.id))
        let refused = phone.system.removeFirst()
        phone.send(.armingFailed(refused.id, .denied))
        #expect(phone.system.allSatisfy { $0.path == .timeSensitive })
        #expect(phone.sounds(after: seven).count == 10)
        #expect(first.isDisjoint(with: phone.system.map(\.id)))
    }

    @Test("A system that takes fewer entries gets fewer")
    func limit() throws {
        var phone = evening()
        let refused = try #require(phone.system.last)
        phone.system.removeLast()
        phone.send(.armingFailed(refused.id, .limitReached))
        #expect(phone.sounds(after: seven) == (0..<9).map { $0 * minute })
    }

    @Test("An alarm that fires at midnight is armed anew and begins no morning")
    func midnight() throws {
        var phone = evening()
        phone.pass(until: seven.advanced(by: .seconds(-7 * 3_600)))
        let fired = try #require(phone.system.first)
        phone.system.removeFirst()
        _ = phone.takeLog()
        phone.send(.tapped(fired.id))
        #expect(!phone.log.contains(.connectSession))
        #expect(phone.sounds(after: seven) == (0..<10).map { $0 * minute })
        #expect(phone.facts.isEmpty)
    }

    @Test("A notification of a morning that is over opens a conversation without a morning (RS-13)")
    func old() {
        var phone = evening(days: .everyDay)
        let old = WakeEntryID(wake: WakeID(number: 1), arming: 999, rung: 0)
        _ = phone.takeLog()
        phone.send(.tapped(old))
        #expect(phone.log == [.disarm(old), .openConversation])
    }

    @Test("Who hangs up in the guide, or before it, is woken again (D-23, AN-20)")
    func hungUp() throws {
        for isConnected in [false, true] {
            var phone = evening()
            for _ in 0..<2 {
                phone.pass(until: max(phone.time, seven))
                phone.send(.stopped(try #require(phone.sounding).id))
                if isConnected { phone.send(.conversationStarted) }
                _ = phone.takeLog()
                phone.send(.hungUp)
                #expect(phone.log.contains(.endSession))
                #expect(!phone.log.contains(.connectSession))
                #expect(phone.sounds(after: phone.time).first == minute)
                phone.pass(until: phone.time.advanced(by: .seconds(minute)))
            }
            #expect(!phone.facts.contains("wake_done"))
        }
    }

    @Test("Of two wakes the later one is silent while the user talks, and answered with it")
    func two() throws {
        var phone = evening()
        phone.set(7, 3, id: 2)
        phone.pass(until: seven)
        phone.send(.tapped(try #require(phone.sounding).id))
        #expect(phone.sounds(after: seven).first == 3 * minute)
        phone.send(.conversationStarted)
        phone.pass(.seconds(50))
        phone.send(.heard("OK"))
        phone.pass(.seconds(130))
        #expect(phone.system.isEmpty)
        phone.send(.heard("澄む"))
        phone.send(.heard("完了"))
        #expect(phone.outcomes == [.done, .done])
        #expect(phone.system.isEmpty)
    }

    @Test("A morning that came to nothing arms the next ones")
    func nextDay() throws {
        var phone = evening(days: .everyDay)
        for day in 1...2 as ClosedRange<Int64> {
            phone.pass(until: seven.advanced(by: .seconds((day - 1) * 86_400)))
            phone.send(.stopped(try #require(phone.sounding).id))
            phone.send(.conversationStarted)
            phone.pass(.seconds(3_600))
            #expect(phone.outcomes == Array(repeating: .notDone, count: Int(day)))
            #expect(phone.sounds(after: seven).prefix(2) == [day * 86_400, day * 86_400 + 60])
        }
    }

    @Test("A wake that finds an earlier one unfinished takes the morning over, and both count once")
    func overtaken() throws {
        var phone = evening()
        phone.set(7, 3, id: 2)
        phone.pass(until: seven)
        phone.send(.snoozed(try #require(phone.sounding).id))
        phone.pass(.seconds(180))
        phone.send(.tapped(try #require(phone.sounding).id))
        #expect(phone.outcomes == [.notDone])
        #expect(phone.system.isEmpty)
        phone.send(.conversationStarted)
        phone.sayAll()
        #expect(phone.outcomes == [.notDone, .done])
        let kinds = ["wake_triggered", "wake_triggered", "wake_joined", "wake_done"]
        #expect(phone.facts == kinds)
    }

    @Test("Events before the phone is known wait for it")
    func backlog() throws {
        var phone = evening()
        phone.pass(until: seven)
        let entry = try #require(phone.sounding)
        phone.flow = WakeFlow(restoring: phone.disk, configuration: phone.configuration)
        _ = phone.takeLog()
        phone.send(.tapped(entry.id))
        #expect(phone.log.isEmpty)
        phone.launch()
        #expect(phone.log.contains(.connectSession))
    }

    @Test(
        "A ladder begins again only before the morning's half hour is over (D-23)",
        arguments: [1_739, 1_740] as [Int64]
    )
    func lastRearm(seconds: Int64) throws {
        var phone = evening()
        phone.pass(until: seven.advanced(by: .seconds(seconds)))
        phone.send(.stopped(try #require(phone.sounding).id))
        #expect(phone.log.contains(.connectSession))
        #expect(phone.sounds(after: seven).first == (seconds == 1_739 ? 1_799 : nil))
    }
}
