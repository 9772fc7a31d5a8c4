@testable import KodamaPhone
import SansIO
import SansIOTesting
import KodamaSimulation
import Testing

private typealias Effect = ScreenTimeDetector.Effect

@Suite("The system's count of the time in distracting apps")
struct ScreenTimeDetectorTests {
    private static let app = AppID(0)
    private static let operation = OperationID(number: 1)
    private static let nudge = NotificationRequest("nudge", nil, level: .timeSensitive)
    private static let minute = Duration.seconds(60)
    private static let posts = Effect.post(app, nudge)

    private static func detector(
        seed: UInt64 = 1,
        _ configure: (inout ScreenTimeConfiguration) -> Void = { _ in }
    ) -> ScreenTimeDetector {
        var configuration = ScreenTimeConfiguration()
        configure(&configuration)
        return ScreenTimeDetector(
            clock: LocalClock(showing: WallTime(secondsSince1970: 0)),
            draws: RandomStream(seed: seed, purpose: "screen time", entity: "phone"),
            configuration: configuration
        )
    }

    private static func start(
        _ thresholds: [Duration],
        _ name: String = "day",
        length: Duration = .seconds(86_400),
        from start: ClockTime = .midnight
    ) -> ScreenTimeDetector.Event {
        let activity = ScreenTimeDetector.Activity(
            name,
            start: start,
            length: length,
            thresholds: thresholds,
            notification: nudge
        )
        return .startOrdered(app, operation, activity)
    }

    private static func story(
        _ thresholds: [Duration],
        _ configure: (inout ScreenTimeConfiguration) -> Void = { _ in }
    ) throws -> Transcript<ScreenTimeDetector> {
        var story = Transcript(detector(configure))
        try story.expect(start(thresholds), at: .zero) { Effect.answered(app, operation, nil) }
        return story
    }

    @Test("A threshold fires once a day when the use adds up to it, and again the next day (D-25)")
    func addsUp() throws {
        var story = try Self.story([Self.minute * 5])
        for day in 0...1 {
            let start = Duration.seconds(86_400 * day)
            if day == 1 { try story.expectWake(at: start) }
            try story.expect(.useChanged(isOn: true), at: start + Self.minute)
            try story.expect(.useChanged(isOn: false), at: start + Self.minute * 4)
            try story.expect(.useChanged(isOn: true), at: start + Self.minute * 10)
            try story.expectWake(at: start + Self.minute * 12) { Self.posts }
            try story.expect(.useChanged(isOn: false), at: start + Self.minute * 99)
        }
    }

    @Test("Use outside the interval does not count")
    func outside() throws {
        var story = Transcript(Self.detector())
        let event = Self.start(
            [Self.minute * 5],
            length: Self.minute * 15,
            from: ClockTime(hour: 1, minute: 0)
        )
        try story.expect(event, at: .zero) { Effect.answered(Self.app, Self.operation, nil) }
        try story.expect(.useChanged(isOn: true), at: Self.minute * 30)
        try story.expectWake(at: Self.minute * 60)
        try story.expectWake(at: Self.minute * 65) { Self.posts }
    }

    @Test("Each threshold fires as it is reached; one longer than the day never does (D-25)")
    func several() throws {
        var story = try Self.story([Self.minute * 5, Self.minute * 6, .seconds(Int64.max)])
        try story.expect(.useChanged(isOn: true), at: .zero)
        try story.expectWake(at: Self.minute * 5) { Self.posts }
        try story.expectWake(at: Self.minute * 6) { Self.posts }
        #expect(story.machine.deadline?.instant == .zero.advanced(by: .seconds(86_400)))
    }

    @Test("A wake that comes late counts the use of the new interval too (L4)")
    func late() throws {
        var story = try Self.story([Self.minute * 5])
        try story.expect(.useChanged(isOn: true), at: .seconds(86_340))
        try story.expectWake(at: .seconds(86_640), isLate: true)
        try story.expectWake(at: .seconds(86_700)) { Self.posts }
    }

    @Test("A threshold may fire never, when monitoring starts, or late (D-25)")
    func outcomes() throws {
        var never = try Self.story([Self.minute]) { $0.firesNever = .one }
        try never.expect(.useChanged(isOn: true), at: .zero)
        try never.expectWake(at: Self.minute)
        try never.expect(.useChanged(isOn: false), at: Self.minute * 2)
        #expect(never.machine.deadline?.instant == .zero.advanced(by: .seconds(86_400)))
        var early = try Self.story([Self.minute]) { $0.firesAtStart = .one }
        try early.expectWake(at: .zero) { Self.posts }
        var late = try Self.story([Self.minute]) { $0.firesLate = .one }
        try late.expect(.useChanged(isOn: true), at: .zero)
        try late.expectWake(at: Self.minute)
        let due = try #require(late.machine.deadline?.instant)
        let delay = Instant.zero.advanced(by: Self.minute).duration(to: due)
        #expect((Self.minute...Self.minute * 30).contains(delay))
    }

    @Test("Use on another device counts where that bug is on")
    func elsewhere() throws {
        for counts in [true, false] {
            var story = try Self.story([Self.minute]) { $0.countsOtherDevices = counts }
            try story.expect(.usedElsewhere(Self.minute), at: .seconds(9))
            let midnight = Instant.zero.advanced(by: .seconds(86_400))
            #expect((story.machine.deadline?.instant == midnight) != counts)
            if counts { try story.expectWake(at: .seconds(9)) { Self.posts } }
        }
    }

    @Test("What the system does not watch is refused (AN-06)")
    func refusals() throws {
        var refused = Transcript(Self.detector { $0.isAuthorized = false })
        try refused.expect(Self.start([]), at: .zero) {
            Effect.answered(Self.app, Self.operation, .unauthorized)
        }
        var story = Transcript(Self.detector())
        try story.expect(Self.start([], length: .seconds(899)), at: .zero) {
            Effect.answered(Self.app, Self.operation, .invalidInterval)
        }
        for number in 0..<22 {
            let name = "\(min(number, 20))"
            try story.expect(Self.start([], name), at: .zero) {
                Effect.answered(Self.app, Self.operation, number < 20 ? nil : .excessiveActivities)
            }
        }
        try story.expect(Self.start([], "0"), at: .zero) {
            Effect.answered(Self.app, Self.operation, nil)
        }
        try story.expect(.stopOrdered(Self.app, name: "0"), at: .zero)
        try story.expect(Self.start([], "new"), at: .zero) {
            Effect.answered(Self.app, Self.operation, nil)
        }
    }

    @Test("The three outcomes come as often as their rates say, over 100,000 thresholds")
    func rates() {
        var machine = Self.detector {
            $0.firesNever = Probability(partsPerMillion: 100_000)
            $0.firesLate = Probability(partsPerMillion: 300_000)
        }
        var fires = [0, 0]
        for round in 0..<100_000 as Range<Int64> {
            let time = Instant.zero.advanced(by: .seconds(round * 5_000))
            _ = machine.drive(Self.start([Self.minute]), at: time)
            _ = machine.drive(.useChanged(isOn: true), at: time)
            let reached = time.advanced(by: Self.minute)
            let now = machine.drive(nil, at: reached).count
            // A new day's use would reach the threshold again.
            _ = machine.drive(.useChanged(isOn: false), at: reached)
            let later = machine.drive(nil, at: time.advanced(by: .seconds(1_861))).count
            fires[0] += now
            fires[1] += later
            _ = machine.drive(
                .stopOrdered(Self.app, name: "day"),
                at: time.advanced(by: .seconds(1_900))
            )
        }
        // Of the 90 % that fire 70 % do in time; four standard deviations.
        #expect((62_389...63_611).contains(fires[0]))
        #expect((26_438...27_562).contains(fires[1]))
    }

    @Test("The detector keeps the laws of its contract", arguments: 0..<100 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(
            seed: seed,
            steps: 200,
            make: {
                Self.detector(seed: seed) {
                    $0.firesLate = Probability(partsPerMillion: 300_000)
                    $0.firesAtStart = Probability(partsPerMillion: 100_000)
                    $0.countsOtherDevices = true
                }
            },
            event: { random, _ in
                let flag = random.chance(percent: 50)
                switch random.below(6) {
                case 0:
                    let start = ClockTime(hour: flag ? 0 : 23, minute: random.below(10))
                    let thresholds = [Duration.seconds(random.below(60)), .seconds(60)]
                    return Self.start(
                        thresholds,
                        "\(random.below(24))",
                        length: .seconds(900),
                        from: start
                    )
                case 1: return .stopOrdered(Self.app, name: "\(random.below(24))")
                case 2: return .usedElsewhere(.seconds(random.below(20)))
                case 3:
                    let wall = WallTime(secondsSince1970: Int64(random.below(2_000)) - 1_000)
                    return .clockChanged(flag ? .set(wall) : .zone(secondsFromGMT: 60))
                default: return .useChanged(isOn: flag)
                }
            }
        )
    }
}
