import CoachAccount
import CoachExchange
import SansIO
import SansIOTesting
import Testing

@Suite("How long the account waits, and how much it asks at once")
struct WindowTests {
    private static func operation(_ number: UInt32) -> OperationID { OperationID(number: number) }
    private static let events = ["a", "b", "c"].map {
        MetricEvent(id: $0, name: .wakeDone, time: time(1))
    }

    @Test("A path that flaps makes no storm of requests (AN-09)")
    func flapping() {
        var machine = OutboxDelivery(.metrics, seed: 1)
        _ = machine.drive(.written, at: .zero)
        var now = Instant.zero
        var asked = 0
        var latest: OperationID?
        func follow(_ effects: [OutboxDelivery.Effect]) {
            for case .callServer(let operation, _) in effects {
                asked += 1
                latest = operation
            }
        }
        follow(machine.drive(.loaded(Self.operation(1), .metrics(Self.events)), at: now))
        for round in 1...2 {
            for _ in 1...20 {
                if let operation = latest {
                    latest = nil
                    _ = machine.drive(.serverAnswered(operation, .failed), at: now)
                }
                now = now.advanced(by: .milliseconds(100))
                if let due = machine.deadline?.instant, due <= now {
                    follow(machine.drive(nil, at: now))
                }
                follow(machine.drive(.pathRestored, at: now))
            }
            #expect((1...6 * round).contains(asked), "\(asked) requests in \(2 * round) s")
        }
    }

    @Test(
        "Once the event that the server rejects is found, events go in whole batches again (AN-09)"
    )
    func wholeBatches() throws {
        var story = Transcript(OutboxDelivery(.metrics, seed: 1))
        try story.expect(.written, at: .zero) {
            OutboxDelivery.Effect.load(Self.operation(1), .metrics, countMax: 50)
        }
        for round in 0..<2 as Range<UInt32> {
            let first = 6 * round
            func operation(_ number: UInt32) -> OperationID { Self.operation(first + number) }
            let isFirst = round == 0
            let now = Duration.seconds(30 * Int64(round))
            try story.expect(.loaded(operation(1), .metrics(Self.events)), at: now) {
                OutboxDelivery.Effect.callServer(operation(2), .metrics(Self.events))
                isFirst ? [OutboxDelivery.Effect.show(.delivering)] : []
            }
            try story.expect(.serverAnswered(operation(2), .rejected("no")), at: now) {
                OutboxDelivery.Effect.load(operation(3), .metrics, countMax: 1)
            }
            let one = [Self.events[0]]
            try story.expect(.loaded(operation(3), .metrics(one)), at: now) {
                OutboxDelivery.Effect.callServer(operation(4), .metrics(one))
            }
            let counted = CoachAnswer.counted(["a"], refused: [])
            try story.expect(.serverAnswered(operation(4), counted), at: now) {
                OutboxDelivery.Effect.mark(
                    operation(5),
                    .metrics,
                    OutboxDelivery.Mark(taken: ["a"])
                )
            }
            try story.expect(.marked(operation(5), isDone: false), at: now)
            try story.expectWake(at: now + .seconds(30)) {
                OutboxDelivery.Effect.mark(
                    operation(6),
                    .metrics,
                    OutboxDelivery.Mark(taken: ["a"])
                )
            }
            try story.expect(.marked(operation(6), isDone: true), at: now + .seconds(30)) {
                OutboxDelivery.Effect.load(operation(7), .metrics, countMax: 50)
            }
        }
    }

    @Test("A limit that is reset by now is not shown, and none for longer than a month (AN-20)")
    func limits() throws {
        var story = Transcript(UsageLimits())
        func count(_ used: Int64, _ seconds: Int64) -> UsageCount {
            UsageCount(kind: .metrics, used: used, allowed: 5, resetsIn: .seconds(seconds))
        }
        try story.expect(.refused(count(5, 0)), at: .zero)
        #expect(story.machine.deadline == nil)
        let month = Duration.seconds(31 * 86_400)
        for start in [Duration.zero, month] {
            try story.expect(.refused(count(5, 90 * 86_400)), at: start) {
                UsageLimits.Effect.show([.metrics])
            }
            try story.expectWake(at: start + month) { UsageLimits.Effect.show([]) }
        }
        try story.expect(.refused(count(5, 60)), at: month * 2) {
            UsageLimits.Effect.show([.metrics])
        }
        // Used up and reached are the same; one less is not.
        try story.expect(.counted([count(4, 60)]), at: month * 2) { UsageLimits.Effect.show([]) }
    }
}
