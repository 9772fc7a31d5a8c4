@testable import KodamaPhone
import SansIO
import SansIOTesting
import KodamaSimulation
import Testing

private typealias Centre = UserNotificationCenter
private typealias Effect = UserNotificationCenter.Effect

/// What the stories of notifications begin with: the clock shows Thursday, 1970-01-01 00:00, at the start.
private enum Story {
    static let app = AppID(0)
    static let operation = OperationID(number: 1)
    static let wake = SoundFile("wake.caf", length: .seconds(30))
    static let shown = NotificationPresentation(isShown: true, sound: .standard)

    static func centre(
        _ settings: (inout NotificationSettings) -> Void = { _ in },
        _ configure: (inout NotificationConfiguration) -> Void = { _ in }
    ) -> Centre {
        var granted = NotificationSettings()
        granted.permission = PermissionCondition(.granted)
        settings(&granted)
        var configuration = NotificationConfiguration()
        configuration.delay = .zero...(.zero)
        configure(&configuration)
        return Centre(
            apps: [granted, granted],
            clock: LocalClock(showing: WallTime(secondsSince1970: 0)),
            draws: RandomStream(seed: 1, purpose: "notifications", entity: "phone"),
            configuration: configuration
        )
    }

    static func request(
        _ identifier: String = "a",
        after seconds: Int64 = 60,
        _ level: InterruptionLevel = .active,
        sound: SoundName? = .standard
    ) -> NotificationRequest {
        NotificationRequest(identifier, .interval(.seconds(seconds)), level: level, sound: sound)
    }

    static func add(_ request: NotificationRequest) -> Centre.Event {
        .ordered(app, .add(operation, request))
    }

    /// What comes of a notification of this level that is posted now.
    static func posted(
        _ level: InterruptionLevel,
        sound: SoundName? = .standard,
        at time: Duration = .zero,
        to centre: Centre
    ) -> [Effect] {
        var centre = centre
        let request = NotificationRequest("a", nil, level: level, sound: sound)
        return centre.drive(.posted(app, request), at: Instant.zero.advanced(by: time))
    }

    static func delivered(_ presentation: NotificationPresentation, _ id: String = "a") -> Effect {
        .delivered(app, identifier: id, presentation)
    }
}

extension Transcript<UserNotificationCenter> {
    fileprivate mutating func add(_ request: NotificationRequest, at time: Duration = .zero) throws
    {
        try expect(Story.add(request), at: time) {
            Effect.answered(Story.app, Story.operation, .done)
        }
    }
}

@Suite("Notifications that the system shows")
struct UserNotificationCenterTests {
    @Test(
        "A notification comes without its app, which finds it in the list at its next launch (D-26)"
    )
    func comes() throws {
        var story = Transcript(Story.centre())
        try story.add(Story.request())
        try story.expect(.appEnded(Story.app), at: .seconds(1))
        try story.expectWake(at: .seconds(60)) { Story.delivered(Story.shown) }
        #expect(story.machine.deadline == nil)
        let date = WallTime(secondsSince1970: 60)
        try story.expect(.ordered(Story.app, .getDelivered(Story.operation)), at: .seconds(99)) {
            let list = [DeliveredNotification("a", at: date)]
            Effect.answered(Story.app, Story.operation, .delivered(list))
        }
        try story.expect(.listCleared, at: .seconds(100))
        try story.expect(.ordered(Story.app, .getDelivered(Story.operation)), at: .seconds(101)) {
            Effect.answered(Story.app, Story.operation, .delivered([]))
        }
    }

    @Test("A tap opens the app once and takes the notification out of the list")
    func tap() throws {
        var story = Transcript(Story.centre())
        for round in 0...1 as ClosedRange<Int64> {
            try story.add(Story.request(), at: .seconds(100 * round))
            let time = Duration.seconds(100 * round + 60)
            try story.expectWake(at: time) { Story.delivered(Story.shown) }
            try story.expect(.tapped(AppID(1), identifier: "a"), at: time)
            try story.expect(.tapped(Story.app, identifier: "a"), at: time) {
                Effect.responded(Story.app, identifier: "a")
            }
            try story.expect(.tapped(Story.app, identifier: "a"), at: time)
        }
    }

    @Test(
        "Of 65 requests the latest or the first added is dropped, by the rule, without an error (D-23)"
    )
    func limit() throws {
        for (rule, dropped) in [
            (NotificationConfiguration.LimitRule.soonest, "30"), (.lastAdded, "0"),
        ] {
            var story = Transcript(Story.centre({ _ in }) { $0.limitRule = rule })
            for number in 0..<64 as Range<Int64> {
                let seconds = number == 30 ? 10_000 : 100 + number
                try story.add(Story.request("\(number)", after: seconds))
            }
            // One in the place of another is no more.
            try story.add(Story.request("63", after: 163))
            try story.expect(Story.add(Story.request("64", after: 50)), at: .zero) {
                Effect.answered(Story.app, Story.operation, .done)
                Effect.suppressed(Story.app, identifier: dropped, .overLimit)
            }
            guard rule == .soonest else { continue }
            try story.expect(Story.add(Story.request("65", after: 20_000)), at: .zero) {
                Effect.answered(Story.app, Story.operation, .done)
                Effect.suppressed(Story.app, identifier: "65", .overLimit)
            }
        }
    }

    @Test("An identifier replaces what waits and what came, twice in a row, and can be taken back")
    func replaces() throws {
        var story = Transcript(Story.centre())
        for seconds in [60, 70, 80] as [Int64] { try story.add(Story.request(after: seconds)) }
        try story.expectWake(at: .seconds(80)) { Story.delivered(Story.shown) }
        try story.add(Story.request(), at: .seconds(80))
        try story.expectWake(at: .seconds(140)) { Story.delivered(Story.shown) }
        #expect(story.machine.list(of: Story.app) == ["a"])
        try story.add(Story.request(), at: .seconds(140))
        try story.add(Story.request("b"), at: .seconds(140))
        try story.expect(.ordered(Story.app, .removePending(["a"])), at: .seconds(141))
        try story.expect(.ordered(Story.app, .getPending(Story.operation)), at: .seconds(141)) {
            Effect.answered(Story.app, Story.operation, .pending([Story.request("b")]))
        }
        try story.expect(.ordered(Story.app, .removeAllPending), at: .seconds(141))
        #expect(story.machine.deadline == nil)
        try story.expect(.ordered(Story.app, .removeDelivered(["a"])), at: .seconds(142))
        #expect(story.machine.list(of: Story.app) == [])
    }

    // MARK: What holds notifications back

    @Test("A Focus keeps what is not urgent, and what it does not let through (AN-01, D-23)")
    func focus() {
        func outcome(
            _ level: InterruptionLevel,
            _ focus: Focus,
            _ settings: (inout NotificationSettings) -> Void = { _ in }
        ) -> [Effect] {
            var centre = Story.centre(settings)
            _ = centre.drive(.focusChanged(focus), at: .zero)
            return Story.posted(level, to: centre)
        }
        let held = [Effect.suppressed(Story.app, identifier: "a", .focus)]
        let shown = [Story.delivered(Story.shown)]
        let loud = NotificationPresentation(isShown: true, sound: .standard, isCritical: true)
        let strict = Focus(.sleep, allowsTimeSensitive: false)
        #expect(outcome(.active, Focus(.sleep)) == held)
        #expect(outcome(.active, Focus(.sleep)) { $0.isAllowedInFocus = true } == shown)
        #expect(outcome(.timeSensitive, Focus(.sleep)) == shown)
        #expect(outcome(.timeSensitive, Focus(.sleep)) { $0.allowsTimeSensitive = false } == held)
        #expect(outcome(.timeSensitive, strict) == held)
        #expect(
            outcome(.critical, strict) { $0.hasCriticalEntitlement = true } == [
                Story.delivered(loud)
            ]
        )
        #expect(outcome(.critical, strict) == held, "Apple refuses the entitlement as a rule")
        #expect(outcome(.critical, Focus(.sleep)) == shown)
    }

    @Test("The scheduled summary shows what waited for it once, urgent ones pass")
    func summary() throws {
        var story = Transcript(Story.centre({ $0.isInSummary = true }))
        for day in 0...1 as ClosedRange<Int64> {
            let start = Duration.seconds(86_400 * day + (day == 0 ? 0 : 8 * 3_600))
            for (id, seconds) in [("a", 60), ("b", 61)] as [(String, Int64)] {
                try story.add(Story.request(id, after: seconds), at: start)
                try story.expectWake(at: start + .seconds(seconds)) {
                    Effect.suppressed(Story.app, identifier: id, .summary)
                }
            }
            let due = Duration.seconds(86_400 * day + (day == 0 ? 8 : 18) * 3_600)
            try story.expectWake(at: due) {
                Effect.summaryShown(Story.app, identifiers: ["a", "b"])
            }
            #expect(story.machine.deadline == nil)
        }
        #expect(
            Story.posted(.timeSensitive, to: story.machine, at: 2).first
                == Story.delivered(Story.shown)
        )
    }

    @Test("Each kind of permission that is missing takes away what it is for (AN-06)")
    func permissions() {
        func outcome(
            _ level: InterruptionLevel,
            _ set: (inout NotificationSettings) -> Void
        ) -> [Effect] {
            Story.posted(level, to: Story.centre(set))
        }
        #expect(
            outcome(.active) { $0.permission = PermissionCondition(.denied) }
                == [.suppressed(Story.app, identifier: "a", .notAuthorized)]
        )
        #expect(
            outcome(.active) { $0.allowsSounds = false }
                == [Story.delivered(NotificationPresentation(isShown: true, sound: nil))]
        )
        #expect(
            outcome(.active) { $0.allowsAlerts = false }
                == [Story.delivered(NotificationPresentation(isShown: false, sound: .standard))]
        )
        #expect(
            outcome(.critical) {
                $0.hasCriticalEntitlement = true
                $0.allowsCritical = false
            } == [Story.delivered(Story.shown)]
        )
        #expect(
            outcome(.passive) { _ in }
                == [Story.delivered(NotificationPresentation(isShown: false, sound: nil))]
        )
    }

    @Test(
        "The user is asked once, and later requests are answered at once (AN-06)",
        arguments: [true, false]
    )
    func asks(isGranted: Bool) throws {
        var story = Transcript(
            Story.centre({
                $0.permission = PermissionCondition(.undetermined)
                $0.permission.isGrantedWhenAsked = isGranted
            })
        )
        let ask = Centre.Event.ordered(Story.app, .requestAuthorization(Story.operation))
        let answer = Effect.answered(
            Story.app,
            Story.operation,
            .authorization(isGranted: isGranted)
        )
        try story.expect(.frontChanged(Story.app, isInFront: true), at: .zero)
        try story.expect(ask, at: .zero)
        try story.expect(ask, at: .seconds(1))
        try story.expectWake(at: .seconds(2)) {
            answer
            answer
        }
        try story.expect(ask, at: .seconds(3)) { answer }
        #expect(story.machine.deadline == nil)
    }

    @Test("Eight requests wait for the user, the ninth is refused at once (AN-06)")
    func asksTooOften() throws {
        var story = Transcript(
            Story.centre({ $0.permission = PermissionCondition(.undetermined) })
        )
        let ask = Centre.Event.ordered(Story.app, .requestAuthorization(Story.operation))
        func answer(_ isGranted: Bool) -> Effect {
            .answered(Story.app, Story.operation, .authorization(isGranted: isGranted))
        }
        try story.expect(.frontChanged(Story.app, isInFront: true), at: .zero)
        for _ in 0..<8 { try story.expect(ask, at: .zero) }
        try story.expect(ask, at: .zero) { answer(false) }
        try story.expectWake(at: .seconds(2)) { Array(repeating: answer(true), count: 8) }
    }

    @Test("A critical alert may be silent in a Sleep Focus, not in another")
    func criticalInSleep() {
        for kind in Focus.Kind.allCases {
            var centre = Story.centre({ $0.hasCriticalEntitlement = true }) {
                $0.criticalIsSilentInSleepFocus = .one
            }
            _ = centre.drive(.focusChanged(Focus(kind)), at: .zero)
            let sound: SystemSound? = kind == .sleep ? nil : .standard
            let came = NotificationPresentation(isShown: true, sound: sound, isCritical: true)
            #expect(Story.posted(.critical, to: centre) == [Story.delivered(came)])
        }
    }

    @Test("A sound longer than 30 s, in a folder or missing becomes the system's")
    func sounds() {
        var centre = Story.centre()
        let long = SoundFile("long.caf", length: .milliseconds(30_001))
        _ = centre.drive(.soundsChanged(Story.app, [Story.wake, long]), at: .zero)
        for (name, sound) in [
            ("wake.caf", SystemSound.file(Story.wake)), ("long.caf", .standard),
            ("x/wake.caf", .standard),
            ("none.caf", .standard),
        ] {
            let came = NotificationPresentation(isShown: true, sound: sound)
            #expect(
                Story.posted(.active, sound: .named(name), to: centre) == [Story.delivered(came)]
            )
        }
    }

    @Test("An app in front is asked, and its notification is shown or not as it says")
    func inFront() throws {
        var story = Transcript(Story.centre())
        try story.expect(.frontChanged(Story.app, isInFront: true), at: .zero)
        for isShown in [true, false] {
            let request = NotificationRequest("a", nil)
            try story.expect(.posted(Story.app, request), at: .seconds(1)) {
                Effect.willPresent(Story.app, identifier: "a")
            }
            let chosen = Centre.Event.presentationChosen(
                Story.app,
                identifier: "a",
                isShown: isShown
            )
            try story.expect(chosen, at: .seconds(1)) {
                isShown ? [Story.delivered(Story.shown)] : []
            }
            try story.expect(chosen, at: .seconds(1))
        }
    }

    // MARK: Time

    @Test("A calendar trigger follows the zone, an interval does not (AN-01)")
    func zone() throws {
        var story = Transcript(Story.centre())
        let time = CivilTime(WallTime(secondsSince1970: 23_400))
        try story.add(NotificationRequest("calendar", .calendar(time)))
        try story.add(Story.request("interval", after: 23_400))
        try story.expect(.clockChanged(.zone(secondsFromGMT: 3_600)), at: .seconds(1))
        try story.expectWake(at: .seconds(19_800)) { Story.delivered(Story.shown, "calendar") }
        try story.expectWake(at: .seconds(23_400)) { Story.delivered(Story.shown, "interval") }
        try story.add(NotificationRequest("past", .calendar(time)), at: .seconds(23_400))
        #expect(story.machine.deadline == nil)
    }

    @Test("A clock set back makes what repeats come again, twice in a row (AN-01)")
    func setBack() throws {
        var story = Transcript(Story.centre())
        let one = ClockTime(hour: 1, minute: 0)
        try story.add(NotificationRequest("d", .repeating(one)))
        for round in 1...2 as ClosedRange<Int64> {
            try story.expectWake(at: .seconds(3_600 * round)) { Story.delivered(Story.shown, "d") }
            let midnight = WallTime(secondsSince1970: 0)
            try story.expect(.clockChanged(.set(midnight)), at: .seconds(3_600 * round))
        }
    }

    @Test("Spans and times at the ends of what can be said trap nowhere")
    func ends() throws {
        var story = Transcript(Story.centre())
        try story.add(Story.request("a", after: .max))
        try story.add(NotificationRequest("b", .interval(.seconds(Int64.max), repeats: true)))
        let last = CivilTime(WallTime(nanosecondsSince1970: .max))
        try story.add(NotificationRequest("c", .calendar(last)))
        try story.add(NotificationRequest("d", .repeating(.midnight)))
        for wall in [Int64.min, .max] {
            for zone in [Int64.min, .max] {
                try story.expect(.clockChanged(.zone(secondsFromGMT: zone)), at: .zero)
                let time = WallTime(nanosecondsSince1970: wall)
                try story.expect(.clockChanged(.set(time)), at: .zero)
                _ = story.wake(at: .zero)
            }
        }
        #expect(story.machine.deadline?.instant == Instant(nanoseconds: .max))
    }

    @Test("What repeats comes again and again, and once after a long sleep (L4)")
    func repeats() throws {
        var story = Transcript(Story.centre())
        let short = NotificationRequest("short", .interval(.seconds(59), repeats: true))
        try story.expect(Story.add(short), at: .zero) {
            Effect.answered(Story.app, Story.operation, .failed)
        }
        try story.add(NotificationRequest("a", .interval(.seconds(60), repeats: true)))
        for second in [60, 120] as [Int64] {
            try story.expectWake(at: .seconds(second)) { Story.delivered(Story.shown) }
        }
        try story.expectWake(at: .seconds(1_000), isLate: true) { Story.delivered(Story.shown) }
        #expect(story.machine.deadline?.instant == .zero.advanced(by: .seconds(1_020)))
        try story.expect(.ordered(Story.app, .removeAllPending), at: .seconds(1_000))
        try story.add(
            NotificationRequest("d", .repeating(ClockTime(hour: 1, minute: 0))),
            at: .seconds(1_000)
        )
        for day in 0...1 as ClosedRange<Int64> {
            try story.expectWake(at: .seconds(86_400 * day + 3_600)) {
                Story.delivered(Story.shown, "d")
            }
        }
    }

    @Test(
        "Requests survive two reboots; what was due while the phone was off is lost",
        arguments: [true, false]
    )
    func reboots(comesLater: Bool) throws {
        var story = Transcript(Story.centre({ _ in }) { $0.deliversMissedAtStart = comesLater })
        try story.add(Story.request("a", after: 25))
        try story.add(Story.request("b", after: 100))
        try story.expect(.powerChanged(isOn: false), at: .seconds(10))
        try story.expect(.powerChanged(isOn: true), at: .seconds(15))
        try story.expect(.powerChanged(isOn: false), at: .seconds(20))
        #expect(story.machine.deadline == nil)
        try story.expect(.powerChanged(isOn: true), at: .seconds(30)) {
            comesLater ? [] : [Effect.suppressed(Story.app, identifier: "a", .phoneOff)]
        }
        if comesLater {
            try story.expectWake(at: .seconds(30), isLate: true) { Story.delivered(Story.shown) }
        }
        try story.expectWake(at: .seconds(100)) { Story.delivered(Story.shown, "b") }
    }

    @Test("Notifications come within a second of their time, evenly, over 100,000 of them (K-03)")
    func delays() {
        var centre = Story.centre({ _ in }) { $0.delay = .zero...(.seconds(1)) }
        var sum: Int64 = 0
        for round in 0..<100_000 as Range<Int64> {
            let start = Instant.zero.advanced(by: .seconds(10 * round))
            _ = centre.drive(Story.add(Story.request(after: 5)), at: start)
            guard let due = centre.deadline?.instant else { return #expect(Bool(false)) }
            let delay = start.duration(to: due).wholeNanoseconds - 5_000_000_000
            #expect((0...1_000_000_000).contains(delay))
            sum += delay / 1_000
            _ = centre.drive(nil, at: due)
        }
        // The mean's standard deviation is 0.91 ms: four of them on either side.
        #expect((496_350...503_650).contains(sum / 100_000))
    }

    @Test("The centre keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var shown = 0
        for seed in decade * 25..<decade * 25 + 25 {
            try checkLaws(
                seed: seed,
                steps: 300,
                make: {
                    Story.centre({ settings in
                        settings.isInSummary = seed % 2 == 0
                        settings.hasCriticalEntitlement = true
                    }) {
                        $0.delay = .zero...(.seconds(1))
                        $0.summaries = [
                            ClockTime(hour: 0, minute: 2), ClockTime(hour: 0, minute: 4),
                        ]
                    }
                },
                frame: { effect in
                    if case .delivered = effect { shown += 1 }
                    return nil
                },
                event: { random, now in random.notificationEvent(at: now) }
            )
        }
        #expect(shown > 0)
    }
}

extension Story {
    fileprivate static func posted(
        _ level: InterruptionLevel,
        to centre: Centre,
        at days: Int64
    ) -> [Effect] {
        posted(level, at: .seconds(86_400 * days), to: centre)
    }
}
