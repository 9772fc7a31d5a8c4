import AppCoordination
import CoachAccount
import CoachExchange
import SansIO
import SansIOTesting
import Testing
import WakeFlow

@Suite("The coach's account")
struct CoachAccountTests {
    private typealias Effect = CoachAccountEffect

    private static let one = OperationID(number: 1)
    private static let two = OperationID(number: 2)
    private static let three = OperationID(number: 3)
    private static let four = OperationID(number: 4)
    private static let noon = WallTime(secondsSince1970: 1_795_834_800)
    private static let event = MetricEvent(id: "a-1", name: .wakeDone, time: noon)

    /// The base point of P-256 (SEC 2, 2.4.2): a key by which nothing is signed here.
    private static let point: [UInt8] = [
        0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40,
        0xF2, 0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98,
        0xC2, 0x96, 0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C,
        0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68,
        0x37, 0xBF, 0x51, 0xF5,
    ]

    /// A session of a user named `ada`.
    static let ada = "e30.eyJzdWIiOiJhZGEifQ.1"

    /// An account of a store that is this user's, before anybody has signed in.
    static func machine(
        of user: String?,
        _ configuration: CoachAccountConfiguration = CoachAccountConfiguration()
    ) -> CoachAccountCoordinator {
        CoachAccountCoordinator(
            configuration: configuration,
            user: user,
            seeds: CoachAccountSeeds(reflections: 1, metrics: 2, entitlements: 3, voice: 4)
        )
    }

    /// An account whose owner has signed in.
    static func machine(
        _ configuration: CoachAccountConfiguration = CoachAccountConfiguration()
    ) -> CoachAccountCoordinator {
        var machine = machine(of: "ada", configuration)
        _ = machine.drive(.signedIn(session: ada), at: .zero)
        return machine
    }

    @Test("A launch asks for access, goes on where it stopped, and empties the outboxes (AN-08)")
    func launch() throws {
        var configuration = CoachAccountConfiguration()
        configuration.onboards = true
        let verifier = try #require(SubscriptionVerifier(publicKey: Self.point))
        configuration.subscription = .init(verifier: verifier, policy: .standard)
        for outcomes in [[], [.done]] as [[OnboardingOutcome]] {
            var story = Transcript(Self.machine(configuration))
            #expect(story.machine.hasAccess, "no user is locked out before the store is open")
            var facts = CoachAccountFacts(at: Self.noon)
            facts.onboarding = OnboardingProgress(outcomes: outcomes)
            try story.expect(.opened(facts), at: .zero) {
                Effect.tellUser("ada")
                Effect.callServer(.entitlements, Self.one, .entitlement(nil), session: Self.ada)
                Effect.showAccess(.none)
                Effect.voice(.destroyRecording)
                Effect.voice(.destroyVoiceKey)
                Effect.voice(.show(.none(nil)))
                Effect.onboarding(.show(outcomes.isEmpty ? .welcome : .account))
                Effect.load(.reflections, Self.one, countMax: 1)
                Effect.load(.metrics, Self.one, countMax: OutboxDelivery.metricsPerRequest)
            }
            #expect(!story.machine.hasAccess && !story.machine.isDelivered)
            try story.expect(.loaded(.reflections, Self.one, .empty), at: .zero) {
                Effect.showDelivery(.reflections, .delivered)
            }
            try story.expect(.loaded(.metrics, Self.one, .empty), at: .zero) {
                Effect.showDelivery(.metrics, .delivered)
            }
            #expect(story.machine.isDelivered)
        }
    }

    @Test("A limit that any request meets is shown until it is reset (AN-20)")
    func limits() throws {
        var story = Transcript(Self.machine())
        try story.expect(.outboxWritten(.metrics), at: .zero) {
            Effect.load(.metrics, Self.one, countMax: OutboxDelivery.metricsPerRequest)
        }
        try story.expect(.loaded(.metrics, Self.one, .metrics([Self.event])), at: .zero) {
            Effect.callServer(.metrics, Self.two, .metrics([Self.event]), session: Self.ada)
            Effect.showDelivery(.metrics, .delivering)
        }
        let limit = UsageCount(kind: .metrics, used: 2, allowed: 2, resetsIn: .seconds(60))
        try story.expect(.serverAnswered(.metrics, Self.two, .limited(limit)), at: .zero) {
            Effect.showLimits([.metrics])
            Effect.showDelivery(.metrics, .limited(limit))
        }
        try story.expectWake(at: .seconds(60)) {
            Effect.callServer(.metrics, Self.three, .metrics([Self.event]), session: Self.ada)
            Effect.showLimits([])
        }
    }

    @Test("An answer is for the machine that asked, though each numbers its own calls (AN-09)")
    func answers() throws {
        var story = Transcript(Self.machine())
        try story.expect(.outboxWritten(.metrics), at: .zero) {
            Effect.load(.metrics, Self.one, countMax: OutboxDelivery.metricsPerRequest)
        }
        try story.expect(.loaded(.metrics, Self.one, .metrics([Self.event])), at: .zero) {
            Effect.callServer(.metrics, Self.two, .metrics([Self.event]), session: Self.ada)
            Effect.showDelivery(.metrics, .delivering)
        }
        let counted = CoachAnswer.counted(["a-1"], refused: [])
        for part in CoachAccountPart.allCases where part != .metrics && part != .guide {
            try story.expect(.serverAnswered(part, Self.two, counted), at: .seconds(1))
        }
        try story.expect(.serverAnswered(.metrics, Self.two, counted), at: .seconds(1)) {
            Effect.mark(.metrics, Self.three, .init(taken: ["a-1"]))
        }
        try story.expect(.marked(.metrics, Self.three, isDone: true), at: .seconds(1)) {
            Effect.load(.metrics, Self.four, countMax: OutboxDelivery.metricsPerRequest)
        }
        try story.expect(.loaded(.metrics, Self.four, .empty), at: .seconds(1)) {
            Effect.showDelivery(.metrics, .delivered)
        }
    }

    @Test("The same fact and the same summary have one id, whenever they are told (AN-08, AN-09)")
    func ids() throws {
        let fact = CoachFact(.wakeDone, key: "wake_done/1/1795813200", time: Self.noon)
        for _ in 0..<2 {
            let event = try #require(MetricEvent(fact, of: "phone"))
            #expect(event.id == "phone-wake_done-1-1795813200" && event.name == .wakeDone)
        }
        #expect(MetricEvent(fact, of: "pad")?.id != MetricEvent(fact, of: "phone")?.id)
        for kind in CoachFact.Kind.allCases {
            let told = CoachFact(kind, key: kind.rawValue, time: Self.noon)
            #expect(MetricEvent(told, of: "phone") != nil, "\(kind) is counted by nobody")
        }
        var summary = OfflineSummary(key: "c/0", beganAt: Self.noon)
        let before = SummaryReport(summary)
        summary.heard = ["OK"]
        #expect(SummaryReport(summary).id == before.id && before.id == "c-0")
        #expect(SummaryReport(summary).heard == ["OK"])
    }

    @Test("A voice that is to be deleted is taken from the coach before it is destroyed (AN-04)")
    func deletion() throws {
        var story = Transcript(Self.machine())
        try story.expect(.voice(.opened(.registered(profile: "p", voice: "v"))), at: .zero) {
            Effect.voice(.destroyRecording)
            Effect.voice(.show(.registered))
        }
        try story.expect(.voice(.deletionRequested), at: .seconds(1)) {
            Effect.voice(.keepProgress(Self.one, .deleting(profile: "p")))
            Effect.tellClone(isAvailable: false)
        }
        try story.expect(.voice(.progressKept(Self.one, isKept: true)), at: .seconds(1)) {
            Effect.voice(.destroyRecording)
            Effect.voice(.destroyVoiceKey)
            Effect.voice(.show(.deleting))
            Effect.answerCoach(.voiceDeleted)
            Effect.callServer(.voice, Self.two, .deleteVoice(profile: "p"), session: Self.ada)
        }
        #expect(story.machine.hasAccess, "an app that costs nothing locks nobody out")
    }

    @Test("A network that is back has everything asked again that waits (AN-08)")
    func pathRestored() throws {
        var story = Transcript(Self.machine())
        try story.expect(.deliveryRequested, at: .zero) {
            Effect.load(.reflections, Self.one, countMax: 1)
            Effect.load(.metrics, Self.one, countMax: OutboxDelivery.metricsPerRequest)
        }
        try story.expect(.loaded(.metrics, Self.one, .metrics([Self.event])), at: .zero) {
            Effect.callServer(.metrics, Self.two, .metrics([Self.event]), session: Self.ada)
            Effect.showDelivery(.metrics, .delivering)
        }
        try story.expect(.serverAnswered(.metrics, Self.two, .failed), at: .zero)
        try story.expect(.pathRestored, at: .milliseconds(100)) {
            Effect.callServer(.metrics, Self.three, .metrics([Self.event]), session: Self.ada)
        }
        // One that is under way is not made twice.
        try story.expect(.pathRestored, at: .milliseconds(200))
    }

    @Test("The account keeps the laws of its contract", arguments: 0..<10 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var marks = 0
        for seed in decade * 10..<decade * 10 + 10 {
            var weather = AccountWeather()
            var configuration = CoachAccountConfiguration()
            configuration.onboards = seed % 2 == 0
            configuration.headphones = ["buds"]
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { Self.machine(configuration) },
                frame: { effect in
                    weather.note(effect)
                    if case .mark = effect { marks += 1 }
                    return nil
                }
            ) { random, _ in
                weather.next(&random)
            }
        }
        #expect(marks > 5, "stories in which nothing is delivered prove little")
    }

    @Test("A delivery after others is like the first of a launch (L12)", arguments: 0..<20)
    func secondRound(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 200,
            make: { Self.machine() },
            rule: SecondRoundRule(
                rest: [.signedIn(session: Self.ada), .deliveryRequested],
                kept: [
                    "generator", "operations", "latestHurry",
                    // A request, and a batch after a refused one, begin with them anew.
                    "backoff", "calls", "hold", "batchMax",
                ],
                answer: { AccountWeather.answer(to: $0) },
                tellsAgain: false
            )
        ) { _ in
            var weather = AccountWeather()
            weather.hasOutboxesAlone = true
            return { random, _, orders in
                for order in orders { weather.note(order) }
                return weather.next(&random)
            }
        }
        #expect(compared > 0)
    }
}

/// Draws what the store, the server and the user may say to an account.
private struct AccountWeather {
    var hasOutboxesAlone = false
    private var open: [CoachAccountEffect] = []
    private var count = 0

    mutating func note(_ effect: CoachAccountEffect) {
        open.append(effect)
        if open.count > 6 { open.removeFirst() }
    }

    mutating func next(_ random: inout LawRandom) -> CoachAccountEvent {
        if random.chance(percent: 60), !open.isEmpty {
            let effect = open[random.below(open.count)]
            if let answer = answer(to: effect, &random) { return answer }
        }
        switch random.below(hasOutboxesAlone ? 5 : 15) {
        case 0: return .outboxWritten(.reflections)
        case 1: return .outboxWritten(.metrics)
        case 2: return .pathRestored
        case 3: return .signedIn(session: CoachAccountTests.ada)
        case 4: return .deliveryRequested
        case 5:
            return .opened(CoachAccountFacts(at: WallTime(secondsSince1970: 1_795_834_800)))
        case 6: return .voice(.deletionRequested)
        case 7: return .voice(.opened(.registered(profile: "p", voice: "v")))
        case 8: return .selfTalk(.phrasesChanged(["やめよう"]))
        case 9: return .selfTalk(.outputChanged(.bluetooth("buds")))
        case 10: return .selfTalk(.triggerSeen)
        case 11: return .errand(.audioWanted(OperationID(number: UInt32(random.below(3)))))
        case 12: return .errand(.syncWanted(OperationID(number: UInt32(random.below(3)))))
        case 13: return .errand(.unwanted(OperationID(number: UInt32(random.below(3)))))
        default: return .onboarding(.stepEnded(.welcome, .done))
        }
    }

    /// An answer to an order, mostly the one that it hopes for.
    private mutating func answer(
        to effect: CoachAccountEffect,
        _ random: inout LawRandom
    ) -> CoachAccountEvent? {
        let isGood = random.chance(percent: 80)
        switch effect {
        case .load(let outbox, let operation, _):
            guard isGood else { return .loadFailed(outbox, operation) }
            guard random.chance(percent: 70) else { return .loaded(outbox, operation, .empty) }
            count += 1
            return .loaded(outbox, operation, batch(of: outbox))
        case .mark(let outbox, let operation, _): return .marked(outbox, operation, isDone: isGood)
        case .callServer(let part, let operation, _, _):
            if isGood { return Self.answer(to: effect) }
            let refusals: [CoachAnswer] = [
                .failed, .unauthorized, .rejected("no"), .malformed,
                .limited(
                    UsageCount(kind: .allCases[0], used: 1, allowed: 1, resetsIn: .seconds(9))
                ),
            ]
            return .serverAnswered(part, operation, refusals[random.below(refusals.count)])
        default: return Self.answer(to: effect)
        }
    }

    private func batch(of outbox: OutboxDelivery.Outbox) -> OutboxDelivery.Batch {
        let time = WallTime(secondsSince1970: 1_795_834_800)
        switch outbox {
        case .reflections:
            let report = ReflectionReport(
                id: "r-\(count)",
                day: "2026-11-28",
                summary: "散歩",
                affect: "calm",
                topics: []
            )
            return .reflection(report)
        case .metrics:
            return .metrics([MetricEvent(id: "m-\(count)", name: .wakeDone, time: time)])
        }
    }

    /// The answer that an order hopes for.
    static func answer(to effect: CoachAccountEffect) -> CoachAccountEvent? {
        switch effect {
        case .load(let outbox, let operation, _): .loaded(outbox, operation, .empty)
        case .mark(let outbox, let operation, _): .marked(outbox, operation, isDone: true)
        case .callServer(let part, let operation, let request, _):
            .serverAnswered(part, operation, answer(to: request))
        case .voice(.keepProgress(let operation, _)):
            .voice(.progressKept(operation, isKept: true))
        case .onboarding(.keep(let operation, _)): .onboarding(.kept(operation, isKept: true))
        case .onboarding(.show(let step)): .onboarding(.stepEnded(step, .done))
        case .selfTalk(.play(let operation, _)): .selfTalk(.phraseEnded(operation))
        default: nil
        }
    }

    private static func answer(to request: CoachRequest) -> CoachAnswer {
        if case .metrics(let events) = request {
            return .counted(events.map(\.id), refused: [])
        }
        return .accepted
    }
}
