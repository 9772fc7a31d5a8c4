@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

@Suite("The hours of a Focus, and the way back to an app")
struct FocusAndBreadcrumbTests {
    private typealias Change = FocusSchedule.Effect
    private typealias Crumb = Breadcrumb.Effect
    private static let night = FocusSchedule.Window(
        Focus(.sleep),
        from: ClockTime(hour: 22, minute: 0),
        to: ClockTime(hour: 7, minute: 0)
    )
    private static let clock = LocalClock(showing: WallTime(secondsSince1970: 12 * 3_600))
    private static let coach = FrontApp.app(AppID(0))
    private static let game = FrontApp.other(1)

    @Test("A Focus is on from evening to morning, night after night")
    func nights() throws {
        var story = Transcript(FocusSchedule([Self.night], clock: Self.clock))
        #expect(story.machine.focus == nil)
        for night in 0...1 as ClosedRange<Int64> {
            let noon = Duration.seconds(86_400 * night)
            try story.expectWake(at: noon + .seconds(10 * 3_600)) {
                Change.focusChanged(Focus(.sleep))
            }
            try story.expectWake(at: noon + .seconds(19 * 3_600)) { Change.focusChanged(nil) }
        }
    }

    @Test("A phone that starts at night is in its Focus; a flight ends it, a switch by hand too")
    func changes() throws {
        let midnight = LocalClock(showing: WallTime(secondsSince1970: 0))
        var story = Transcript(FocusSchedule([Self.night], clock: midnight))
        #expect(story.machine.focus == Focus(.sleep))
        try story.expect(.switchedByHand(nil), at: .seconds(1)) { Change.focusChanged(nil) }
        try story.expectWake(at: .seconds(7 * 3_600))
        try story.expect(.clockChanged(.zone(secondsFromGMT: -9 * 3_600)), at: .seconds(7 * 3_600))
        {
            Change.focusChanged(Focus(.sleep))
        }
        try story.expectWake(at: .seconds(16 * 3_600)) { Change.focusChanged(nil) }
        #expect(Transcript(FocusSchedule([], clock: midnight)).machine.deadline == nil)
    }

    @Test("The breadcrumb leads back once to the app that a notification was tapped over (D-24)")
    func back() throws {
        var story = Transcript(Breadcrumb())
        try story.expect(.opened(Self.game), at: .zero)
        for second in [1, 3] as [Int64] {
            try story.expect(.openedFromElsewhere(Self.coach), at: .seconds(second)) {
                Crumb.changed(Self.game)
            }
            try story.expect(.tapped, at: .seconds(second + 1)) {
                Crumb.changed(nil)
                Crumb.returned(Self.game)
            }
            #expect(story.machine.front == Self.game)
            try story.expect(.tapped, at: .seconds(second + 1))
        }
    }

    @Test(
        "A third app, the home screen or a call takes it away; over the home screen there is none (D-24)"
    )
    func lost() throws {
        for event in [Breadcrumb.Event.opened(.other(2)), .opened(.home), .covered] {
            var story = Transcript(Breadcrumb(front: Self.game))
            try story.expect(.openedFromElsewhere(Self.coach), at: .zero) {
                Crumb.changed(Self.game)
            }
            try story.expect(event, at: .seconds(1)) { Crumb.changed(nil) }
            try story.expect(.tapped, at: .seconds(2))
        }
        var locked = Transcript(Breadcrumb())
        try locked.expect(.openedFromElsewhere(Self.coach), at: .zero)
        // One level: a second notification forgets the first way.
        var story = Transcript(Breadcrumb(front: Self.game))
        try story.expect(.openedFromElsewhere(Self.coach), at: .zero) { Crumb.changed(Self.game) }
        try story.expect(.openedFromElsewhere(.other(2)), at: .seconds(1)) {
            Crumb.changed(Self.coach)
        }
    }

    @Test("Both keep the laws of their contract", arguments: 0..<50 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(
            seed: seed,
            steps: 200,
            make: {
                let window = FocusSchedule.Window(
                    Focus(.other),
                    from: ClockTime(hour: 12, minute: 1),
                    to: ClockTime(hour: 12, minute: 3)
                )
                return FocusSchedule([window, Self.night], clock: Self.clock)
            },
            event: { random, _ in
                let wall = WallTime(secondsSince1970: 43_000 + Int64(random.below(500)))
                return random.chance(percent: 50)
                    ? .clockChanged(.set(wall))
                    : .switchedByHand(random.chance(percent: 50) ? Focus(.sleep) : nil)
            }
        )
        try checkLaws(seed: seed, steps: 200, make: { Breadcrumb() }) { random, _ in
            let app: FrontApp = random.chance(percent: 30) ? .home : .other(random.below(3))
            switch random.below(4) {
            case 0: return .opened(app)
            case 1: return .tapped
            case 2: return .covered
            default: return .openedFromElsewhere(app)
            }
        }
    }
}
