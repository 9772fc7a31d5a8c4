@testable import KodamaPhone
import SansIO
import SansIOTesting
import KodamaSimulation
import Testing

private typealias Effect = BackgroundTasks.Effect
private typealias Event = BackgroundTasks.Event

@Suite("Tasks that the system runs in the background")
struct BackgroundTasksTests {
    private static let app = AppID(0)
    private static let operation = OperationID(number: 1)
    private static let hour = Duration.seconds(3_600)

    /// Refreshes every 6 h, processing every 10 h.
    private static func tasks(
        _ condition: BackgroundCondition = BackgroundCondition(),
        seed: UInt64 = 1,
        _ configure: (inout BackgroundConfiguration) -> Void = { _ in }
    ) -> BackgroundTasks {
        var configuration = BackgroundConfiguration()
        configuration.refreshSpacing.sigmaMillionths = 0
        configuration.processingSpacing = .seconds(36_000)...(.seconds(36_000))
        configure(&configuration)
        return BackgroundTasks(
            appCount: 2,
            clock: LocalClock(showing: WallTime(secondsSince1970: 0)),
            condition: condition,
            draws: RandomStream(seed: seed, purpose: "background", entity: "phone"),
            configuration: configuration
        )
    }

    private static func submit(
        _ kind: BackgroundTaskRequest.Kind = .refresh,
        _ identifier: String = "preload",
        after seconds: Int64? = nil,
        needsPower: Bool = false
    ) -> Event {
        let earliest = seconds.map { WallTime(secondsSince1970: $0) }
        var request = BackgroundTaskRequest(identifier, kind, earliestBegin: earliest)
        request.requiresExternalPower = needsPower
        return .submitted(app, operation, request)
    }

    private static func condition(_ set: (inout BackgroundCondition) -> Void) -> BackgroundCondition
    {
        var condition = BackgroundCondition()
        set(&condition)
        return condition
    }

    private static let taken = Effect.answered(app, operation, nil)
    private static let began = Effect.began(app, identifier: "preload")
    private static let expired = Effect.expired(app, identifier: "preload")

    @Test("The earliest date is a lower bound: the system's own opportunity comes after it (AN-01)")
    func lowerBound() throws {
        for (earliest, start) in [(60, 6), (10 * 3_600, 10)] as [(Int64, Int64)] {
            var story = Transcript(Self.tasks())
            try story.expect(Self.submit(after: earliest), at: .zero) { Self.taken }
            try story.expectWake(at: Self.hour * Int(start)) { Self.began }
            try story.expect(
                .completed(Self.app, identifier: "preload"),
                at: Self.hour * Int(start)
            )
            #expect(story.machine.deadline == nil)
        }
    }

    @Test("A refresh expires after 30 s, and its app is ended if it goes on; twice in a row")
    func expires() throws {
        var story = Transcript(Self.tasks())
        for round in 1...2 {
            let start = Self.hour * (6 * round)
            try story.expect(Self.submit(), at: start - .seconds(60)) { Self.taken }
            try story.expectWake(at: start) { Self.began }
            try story.expectWake(at: start + .seconds(30)) { Self.expired }
            try story.expectWake(at: start + .seconds(35)) {
                Effect.overran(Self.app, identifier: "preload")
            }
        }
        var early = Transcript(Self.tasks { $0.refreshExpiresEarly = .one })
        try early.expect(Self.submit(), at: .zero) { Self.taken }
        try early.expectWake(at: Self.hour * 6) { Self.began }
        let due = try #require(early.machine.deadline?.instant)
        let runTime = Instant.zero.advanced(by: Self.hour * 6).duration(to: due)
        #expect((.seconds(2)...(.seconds(5))).contains(runTime))
    }

    @Test(
        "Low battery, Low Power Mode, heat or a phone not yet unlocked keep tasks waiting (AN-01)"
    )
    func conditions() throws {
        let bad = [
            Self.condition { $0.batteryPercent = 19 }, Self.condition { $0.isLowPowerMode = true },
            Self.condition { $0.isHot = true }, Self.condition { $0.isReady = false },
        ]
        for condition in bad {
            var story = Transcript(Self.tasks(condition))
            try story.expect(Self.submit(), at: .zero) { Self.taken }
            #expect(story.machine.deadline == nil)
            try story.expect(.conditionChanged(BackgroundCondition()), at: Self.hour * 7)
            try story.expectWake(at: Self.hour * 7, isLate: true) { Self.began }
        }
        let charging = Self.condition {
            $0.batteryPercent = 1
            $0.isCharging = true
        }
        var story = Transcript(Self.tasks(charging))
        try story.expect(Self.submit(), at: .zero) { Self.taken }
        try story.expectWake(at: Self.hour * 6) { Self.began }
    }

    @Test("Processing that needs power waits for the charger")
    func power() throws {
        var story = Transcript(Self.tasks())
        try story.expect(Self.submit(.processing, needsPower: true), at: .zero) { Self.taken }
        #expect(story.machine.deadline == nil)
        let charging = Self.condition { $0.isCharging = true }
        try story.expect(.conditionChanged(charging), at: Self.hour)
        try story.expectWake(at: Self.hour * 10) { Self.began }
        try story.expectWake(at: Self.hour * 10 + .seconds(300)) { Self.expired }
        try story.expect(.completed(Self.app, identifier: "preload"), at: Self.hour * 11)
        #expect(story.machine.deadline == nil, "an app that ends its task in time is spared")
    }

    @Test(
        "An app that the user threw out gets none until the user opens it, twice in a row (AN-01)"
    )
    func thrownOut() throws {
        var story = Transcript(Self.tasks())
        try story.expect(Self.submit(), at: .zero) { Self.taken }
        for round in 1...2 {
            let time = Self.hour * (6 * round)
            try story.expect(.appEnded(Self.app, byUser: true), at: time - .seconds(9))
            try story.expect(.appEnded(Self.app, byUser: false), at: time - .seconds(8))
            #expect(story.machine.deadline == nil)
            try story.expect(.frontChanged(Self.app, isInFront: true), at: time - .seconds(7))
            #expect(story.machine.deadline == nil, "nor while it is in front")
            try story.expect(.frontChanged(Self.app, isInFront: false), at: time - .seconds(6))
            try story.expectWake(at: time) { Self.began }
            try story.expect(.appEnded(Self.app, byUser: false), at: time)
            try story.expect(Self.submit(), at: time) { Self.taken }
        }
        #expect(story.machine.deadline != nil, "a crash is no reason")
    }

    @Test("An opportunity that nothing waited for is lost: a request waits for the next (AN-01)")
    func passed() throws {
        for (kind, next) in [(BackgroundTaskRequest.Kind.refresh, 12), (.processing, 20)] {
            for hour in [11, 12] {
                var story = Transcript(Self.tasks())
                let event = Self.submit(kind)
                try story.expect(event, at: Self.hour * hour) { Self.taken }
                try story.expectWake(at: Self.hour * next) { Self.began }
            }
        }
    }

    @Test("A day's budget is six refreshes")
    func budget() throws {
        var story = Transcript(Self.tasks { $0.refreshSpacing.median = .seconds(3_600) })
        for round in 1...7 {
            let start = Self.hour * (round == 7 ? 25 : round)
            try story.expect(Self.submit(), at: Self.hour * (min(round, 7) - 1)) { Self.taken }
            try story.expectWake(at: start) { Self.began }
            try story.expect(.completed(Self.app, identifier: "preload"), at: start)
        }
    }

    @Test("One refresh and ten processing requests wait; the same identifier replaces its own")
    func requests() throws {
        var story = Transcript(Self.tasks())
        let full = Effect.answered(Self.app, Self.operation, .tooManyPendingTaskRequests)
        for _ in 0..<2 { try story.expect(Self.submit(), at: .zero) { Self.taken } }
        try story.expect(Self.submit(.refresh, "b"), at: .zero) { full }
        for number in 0..<10 {
            try story.expect(Self.submit(.processing, "\(number)"), at: .zero) { Self.taken }
        }
        try story.expect(Self.submit(.processing, "b"), at: .zero) { full }
        try story.expect(.cancelled(Self.app, identifier: "preload"), at: .zero)
        try story.expect(Self.submit(.refresh, "b"), at: .zero) { Self.taken }
        try story.expect(.refreshAllowed(Self.app, false), at: .zero)
        #expect(story.machine.deadline == nil)
        try story.expect(Self.submit(.refresh, "b"), at: .zero) {
            Effect.answered(Self.app, Self.operation, .unavailable)
        }
    }

    @Test("A continued task begins in front only, and ends when the user cancels it (AN-17)")
    func continued() throws {
        var story = Transcript(Self.tasks())
        try story.expect(Self.submit(.continued), at: .zero) {
            Effect.answered(Self.app, Self.operation, .unavailable)
        }
        try story.expect(.frontChanged(Self.app, isInFront: true), at: .zero)
        try story.expect(Self.submit(.continued), at: .zero) {
            Self.taken
            Self.began
        }
        #expect(story.machine.deadline == nil)
        for _ in 0..<2 {
            let isFirst = story.machine.deadline == nil
            try story.expect(.cancelledByUser(Self.app, identifier: "preload"), at: .seconds(9)) {
                isFirst ? [Self.expired] : []
            }
        }
        var broken = Transcript(Self.tasks { $0.continuedNeverStarts = true })
        try broken.expect(.frontChanged(Self.app, isInFront: true), at: .zero)
        try broken.expect(Self.submit(.continued), at: .zero) { Self.taken }
    }

    @Test("Tasks keep the laws of their contract", arguments: 0..<100 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        var begun = 0
        try checkLaws(
            seed: seed,
            steps: 300,
            make: {
                Self.tasks(seed: seed) {
                    $0.refreshSpacing = LatencyLaw(median: .seconds(20), sigmaMillionths: 500_000)
                    $0.processingSpacing = .seconds(10)...(.seconds(60))
                    $0.refreshExpiresEarly = Probability(partsPerMillion: 500_000)
                    $0.refreshesPerDayMax = 100
                }
            },
            frame: { effect in
                if case .began = effect { begun += 1 }
                return nil
            },
            event: { random, _ in random.backgroundEvent() }
        )
        #expect(begun > 0)
    }
}

extension LawRandom {
    fileprivate mutating func backgroundEvent() -> BackgroundTasks.Event {
        let app = AppID(below(2))
        let id = "\(below(4))"
        let flag = chance(percent: 50)
        switch below(10) {
        case 0...3:
            let kind = BackgroundTaskRequest.Kind.allCases[below(3)]
            let earliest = flag ? WallTime(secondsSince1970: Int64(below(300))) : nil
            let request = BackgroundTaskRequest(id, kind, earliestBegin: earliest)
            return .submitted(app, OperationID(number: 1), request)
        case 4:
            return flag ? .cancelled(app, identifier: id) : .cancelledByUser(app, identifier: id)
        case 5: return .completed(app, identifier: id)
        case 6:
            var condition = BackgroundCondition()
            condition.isLowPowerMode = chance(percent: 20)
            return .conditionChanged(condition)
        case 7: return .frontChanged(app, isInFront: flag)
        case 8:
            return chance(percent: 30) ? .appEnded(app, byUser: flag) : .refreshAllowed(app, flag)
        default: return .clockChanged(.set(WallTime(secondsSince1970: Int64(below(300)))))
        }
    }
}
