import AppServer
import CoachAccount
import CoachExchange
import CoachStore
import SansIO
import SansIOTesting
import Testing

@Suite("Reflections are stored once, events are counted once, nothing is given up")
struct OutboxDeliveryTests {
    private static let evening = ReflectionReport(
        id: "e1",
        day: "2026-11-27",
        summary: "fine",
        affect: "calm",
        topics: ["tea"]
    )

    private static func perform(
        _ effect: OutboxDelivery.Effect,
        in town: CoachTown,
        _ shown: (OutboxDelivery.Status) -> Void = { _ in }
    ) throws -> OutboxDelivery.Event? {
        switch effect {
        case .load(let operation, let outbox, let countMax):
            return .loaded(operation, try town.store.batch(of: outbox, countMax: countMax))
        case .mark(let operation, let outbox, let mark):
            try town.store.mark(mark, in: outbox, at: town.wall)
            return .marked(operation, isDone: true)
        case .callServer(let operation, let request):
            return .serverAnswered(operation, town.send(request))
        case .cancelCall: return nil
        case .show(let status):
            shown(status)
            return nil
        }
    }

    private static func deliver(
        _ outbox: OutboxDelivery.Outbox,
        _ town: CoachTown,
        _ shown: (OutboxDelivery.Status) -> Void = { _ in }
    ) throws -> OutboxDelivery {
        try town.run {
            (OutboxDelivery(outbox, seed: 9), [.written])
        } perform: {
            try Self.perform($0, in: town, shown)
        }
    }

    private static func town(
        _ seed: UInt64,
        events: Int = 120,
        _ change: (inout CoachTown) -> Void = { _ in }
    ) throws -> CoachTown {
        var town = try CoachTown(seed: seed)
        change(&town)
        for number in 0..<events {
            let event = MetricEvent(id: "i\(number)", name: .nudgeSent, time: town.wall)
            try town.store.save(CoachInteraction(event), at: town.wall)
        }
        for number in 0..<5 {
            var report = Self.evening
            report.id = "e\(number)"
            try town.store.save(CoachReflection(report), at: town.wall)
        }
        return town
    }

    private static func check(_ town: CoachTown, events: Int64 = 120) throws {
        let user = CoachTown.user
        #expect(town.server.coach.count(of: .nudgeSent, of: user) == events)
        #expect(town.server.coach.reflections(of: user).map(\.id) == (0..<5).map { "e\($0)" })
        #expect(try town.store.batch(of: .metrics, countMax: 1) == .empty)
        #expect(try town.store.batch(of: .reflections, countMax: 1) == .empty)
    }

    @Test("Over a link that loses and repeats (AN-08, AN-09)", arguments: 0..<30 as Range<UInt64>)
    func lossy(seed: UInt64) throws {
        let town = try Self.town(seed) { $0.lossPercent = 40 }
        #expect(try Self.deliver(.metrics, town).status == .delivered)
        #expect(try Self.deliver(.reflections, town).status == .delivered)
        try Self.check(town)
    }

    @Test("With a kill at every step (AN-08, AN-09)", arguments: 0..<3 as Range<UInt64>)
    func kills(seed: UInt64) throws {
        func live(killAt: Int?) throws -> CoachTown {
            let town = try Self.town(seed) { $0.lossPercent = 30 }
            town.killAt = killAt
            #expect(try Self.deliver(.metrics, town).status == .delivered, "\(killAt ?? 0)")
            #expect(try Self.deliver(.reflections, town).status == .delivered, "\(killAt ?? 0)")
            return town
        }
        let whole = try live(killAt: nil)
        for step in 1...whole.steps { try Self.check(live(killAt: step)) }
    }

    @Test(
        "An event that is rejected does not hold up the others, and is kept with the reason (AN-09)"
    )
    func rejected() throws {
        let town = try Self.town(1, events: 3)
        let old = MetricEvent(id: "old", name: .nudgeSent, time: time(5))
        let bad = MetricEvent(id: "no name", name: .nudgeSent, time: town.wall)
        try town.store.save(CoachInteraction(old), at: town.wall)
        try town.store.save(CoachInteraction(bad), at: town.wall)
        #expect(try Self.deliver(.metrics, town).status == .delivered)
        #expect(town.server.coach.count(of: .nudgeSent, of: CoachTown.user) == 3)
        let delivery = try town.store.record(CoachInteraction.self, "old")?.delivery
        #expect(delivery == .rejected("the event is too old"))
        let other = try #require(try town.store.record(CoachInteraction.self, "no name"))
        guard case .rejected = other.delivery else {
            Issue.record("another status")
            return
        }
    }

    @Test("A limit is shown, and what is left is delivered when it is reset (AN-20)")
    func limited() throws {
        let town = try CoachTown(seed: 1) { $0.coach.metrics = .init(35, in: .seconds(86_400)) }
        for number in 0..<120 {
            let event = MetricEvent(id: "i\(number)", name: .wakeDone, time: town.wall)
            try town.store.save(CoachInteraction(event), at: town.wall)
        }
        var shown: [OutboxDelivery.Status] = []
        let machine = try Self.deliver(.metrics, town) { shown.append($0) }
        #expect(machine.status == .delivered)
        #expect(town.server.coach.count(of: .wakeDone, of: CoachTown.user) == 120)
        #expect(town.now > Instant.zero.advanced(by: .seconds(3 * 86_400)))
        let limits = shown.filter { if case .limited = $0 { true } else { false } }
        #expect(limits.count == 3, "\(shown)")
    }

    @Test("No path hurries what waits for a limit or a session; a session does (AN-09, AN-20)")
    func heldBack() {
        let limit = UsageCount(kind: .metrics, used: 1, allowed: 1, resetsIn: .seconds(3_600))
        let busy = CoachAnswer.busy(RetryAfter(.seconds(250)))
        for (answer, wait) in [(.limited(limit), 3_600), (busy, 250), (.unauthorized, 900)]
            as [(CoachAnswer, Int64)]
        {
            var machine = OutboxDelivery(.metrics, seed: 1)
            let event = MetricEvent(id: "i", name: .wakeDone, time: time(1))
            _ = machine.drive(.written, at: .zero)
            let loaded = OutboxDelivery.Event.loaded(OperationID(number: 1), .metrics([event]))
            _ = machine.drive(loaded, at: .zero)
            // The second round is like the first.
            for round in 0..<2 as Range<Int64> {
                let now = Instant.zero.advanced(by: .seconds(round * wait))
                let operation = OperationID(number: UInt32(2 + round))
                _ = machine.drive(.serverAnswered(operation, answer), at: now)
                for second in 1...20 as ClosedRange<Int64> {
                    let later = now.advanced(by: .seconds(second * 10))
                    #expect(machine.drive(.pathRestored, at: later) == [])
                }
                let due = now.advanced(by: .seconds(wait))
                #expect(machine.deadline?.instant == due)
                #expect(machine.drive(nil, at: due).count == 1)
            }
            let later = Instant.zero.advanced(by: .seconds(3 * wait))
            _ = machine.drive(.serverAnswered(OperationID(number: 4), answer), at: later)
            let isSession = answer == .unauthorized
            let asked = machine.drive(.signedIn, at: later.advanced(by: .seconds(1))).contains {
                if case .callServer = $0 { true } else { false }
            }
            #expect(asked == isSession)
        }
    }

    @Test("An answer that says nothing of what was sent is not asked for again at once (AN-09)")
    func emptyAnswer() throws {
        var story = Transcript(OutboxDelivery(.metrics, seed: 1))
        let event = MetricEvent(id: "i", name: .wakeDone, time: time(1))
        func operation(_ number: UInt32) -> OperationID { OperationID(number: number) }
        try story.expect(.written, at: .zero) {
            OutboxDelivery.Effect.load(operation(1), .metrics, countMax: 50)
        }
        try story.expect(.loaded(operation(1), .metrics([event])), at: .zero) {
            OutboxDelivery.Effect.callServer(operation(2), .metrics([event]))
            OutboxDelivery.Effect.show(.delivering)
        }
        try story.expect(.serverAnswered(operation(2), .counted(["x"], refused: [])), at: .zero)
        try story.expectWake(at: .seconds(30)) {
            OutboxDelivery.Effect.load(operation(3), .metrics, countMax: 50)
        }
    }

    @Test(
        "Whatever the answers, another question is planned (AN-09)",
        arguments: 0..<40 as Range<UInt64>
    )
    func neverGivesUp(seed: UInt64) throws {
        var random = LawRandom(seed: seed)
        var machine = OutboxDelivery(.metrics, seed: seed)
        let event = MetricEvent(id: "i", name: .wakeDone, time: time(1))
        var now = Instant.zero
        var effects = machine.drive(.written, at: now)
        let answers: [CoachAnswer] = [
            .failed, .unauthorized, .malformed, .refused(statusCode: 500), .accepted,
            .counted([], refused: []), .counted(["x"], refused: []), .gone,
            .limited(UsageCount(kind: .metrics, used: 1, allowed: 1, resetsIn: .seconds(60))),
        ]
        for _ in 0..<300 {
            var next: [OutboxDelivery.Effect] = []
            for effect in effects {
                switch effect {
                case .load(let operation, _, _):
                    next += machine.drive(.loaded(operation, .metrics([event])), at: now)
                case .mark(let operation, _, _):
                    next += machine.drive(.marked(operation, isDone: false), at: now)
                case .callServer(let operation, _) where random.chance(percent: 70):
                    let answer = answers[random.below(answers.count)]
                    next += machine.drive(.serverAnswered(operation, answer), at: now)
                default: break
                }
            }
            effects = next
            guard effects.isEmpty else { continue }
            let due = try #require(machine.deadline, "nothing is planned any more")
            #expect(now.duration(to: due.instant) <= .seconds(86_400))
            now = due.instant
            effects = machine.drive(nil, at: now)
        }
        #expect(now > Instant.zero.advanced(by: .seconds(60)), "it asks without a pause")
    }

    @Test("The delivery keeps the laws of its contract", arguments: 0..<30 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        let event = MetricEvent(id: "i", name: .wakeDone, time: time(1))
        let answers: [CoachAnswer] = [
            .counted(["i"], refused: []), .rejected("no"), .failed, .unauthorized, .accepted,
            .limited(UsageCount(kind: .metrics, used: 1, allowed: 1, resetsIn: .zero)),
        ]
        let outbox: OutboxDelivery.Outbox = seed % 2 == 0 ? .metrics : .reflections
        try checkLaws(
            seed: seed,
            steps: 400,
            make: { OutboxDelivery(outbox, seed: seed) },
            foreign: [
                .loaded(OperationID(number: .max), .metrics([event])),
                .loaded(OperationID(number: .max), .empty),
                .loadFailed(OperationID(number: .max)),
                .marked(OperationID(number: .max), isDone: true),
                .marked(OperationID(number: .max), isDone: false),
            ] + answers.map { .serverAnswered(OperationID(number: .max), $0) }
        ) { random, _ in
            let operation = OperationID(number: UInt32(1 + random.below(80)))
            switch random.below(9) {
            case 0: return .written
            case 1: return .loaded(operation, .metrics([event, event]))
            case 2: return .loaded(operation, .reflection(Self.evening))
            case 3: return .loaded(operation, .empty)
            case 4: return .marked(operation, isDone: random.chance(percent: 70))
            case 5: return .loadFailed(operation)
            case 6: return random.chance(percent: 50) ? .pathRestored : .signedIn
            default: return .serverAnswered(operation, answers[random.below(answers.count)])
            }
        }
    }
}
