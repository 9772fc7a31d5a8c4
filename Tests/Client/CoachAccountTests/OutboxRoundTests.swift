import CoachExchange
import SansIO
import SansIOTesting
import Testing

@testable import CoachAccount

@Suite("An outbox that is empty again: the second round is like the first")
struct OutboxRoundTests {
    private static let reflection = ReflectionReport(
        id: "e1",
        day: "2026-11-27",
        summary: "fine",
        affect: "calm",
        topics: ["tea"]
    )

    private static func event(_ number: Int) -> MetricEvent {
        MetricEvent(
            id: "i\(number)",
            name: .nudgeSent,
            time: WallTime(nanosecondsSince1970: 0)
        )
    }

    static func compare(seed: UInt64) throws -> Int {
        let outbox: OutboxDelivery.Outbox = seed % 2 == 0 ? .metrics : .reflections
        return try checkSecondRound(
            seed: seed,
            steps: 150,
            make: { OutboxDelivery(outbox, seed: seed) },
            rule: SecondRoundRule(
                rest: [.written, .signedIn, .pathRestored],
                restTime: .seconds(200_000),
                // Chance and numbers go on; each request begins its own waits; no path is hurried for at once.
                kept: ["generator", "operations", "backoff", "hold", "latestHurry"],
                answer: { order in
                    switch order {
                    case .load(let operation, _, _): .loaded(operation, .empty)
                    case .mark(let operation, _, _): .marked(operation, isDone: true)
                    case .callServer(let operation, .metrics(let events)):
                        .serverAnswered(operation, .counted(events.map(\.id), refused: []))
                    case .callServer(let operation, _): .serverAnswered(operation, .accepted)
                    case .cancelCall, .show: nil
                    }
                },
                tellsAgain: false
            )
        ) { _ in
            var latest: [OperationID] = []
            return { random, _, orders in
                for order in orders {
                    switch order {
                    case .load(let operation, _, _), .mark(let operation, _, _),
                        .callServer(let operation, _):
                        latest = Array((latest + [operation]).suffix(3))
                    case .cancelCall, .show: break
                    }
                }
                let operation =
                    latest.isEmpty ? OperationID(number: 99) : latest[random.below(latest.count)]
                return next(operation, &random)
            }
        }
    }

    private static func next(
        _ operation: OperationID,
        _ random: inout LawRandom
    ) -> OutboxDelivery.Event {
        switch random.below(12) {
        case 0: return .written
        case 1: return random.chance(percent: 50) ? .pathRestored : .signedIn
        case 2, 3: return .loaded(operation, .metrics((0..<3).map(event)))
        case 4, 5: return .loaded(operation, .reflection(reflection))
        case 6: return .loaded(operation, .empty)
        case 7: return .marked(operation, isDone: random.chance(percent: 70))
        case 8: return .loadFailed(operation)
        default:
            let limit = UsageCount(kind: .metrics, used: 1, allowed: 1, resetsIn: .seconds(60))
            let answers: [CoachAnswer] = [
                .counted(["i0", "i1"], refused: []), .rejected("no"), .rejected("no"), .failed,
                .unauthorized, .accepted, .limited(limit),
            ]
            return .serverAnswered(operation, answers[random.below(answers.count)])
        }
    }

    @Test(
        "Once everything is delivered nothing is left of how it went (L12)",
        arguments: 0..<40 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        #expect(try Self.compare(seed: seed) > 0)
    }
}
