import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting
import Testing

private typealias Story = ReplicaStory

@Suite("The laws of the replica's synchronizer")
struct ReplicaLawTests {
    @Test("A synchronizer keeps the laws of its contract", arguments: 0..<8 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var asked = 0
        var taken = 0
        var staged = 0
        for seed in decade * 10..<decade * 10 + 10 {
            var weather = Weather()
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { Story.machine(seed: seed) },
                foreign: [
                    .secretRead(OperationID(number: .max), .found("other")),
                    .secretRead(OperationID(number: .max), .missing),
                    .unsentLoaded(
                        OperationID(number: .max),
                        UnsentBatch(changes: [], hasMore: false)
                    ),
                    .stored(OperationID(number: .max), .outOfOrder),
                    .stored(OperationID(number: .max), .failed),
                    .serverAnswered(OperationID(number: .max), .unauthorized),
                    .serverAnswered(OperationID(number: .max), .migrated(schema: 9)),
                    .serverAnswered(OperationID(number: .max), .failed),
                ],
                frame: { effect in
                    weather.note(effect)
                    return nil
                },
                event: { random, _ in weather.next(&random) }
            )
            asked += weather.asked
            taken += weather.taken
            staged += weather.staged
        }
        #expect(asked > 100, "stories without requests prove little")
        #expect(taken > 10 && staged > 0, "and so do those in which the file takes nothing")
    }

    /// Draws events, most of them answers to what the machine has just ordered.
    struct Weather {
        private var latest: ReplicaEffect?
        private(set) var asked = 0
        private(set) var taken = 0
        private(set) var staged = 0

        mutating func note(_ effect: ReplicaEffect) {
            switch effect {
            case .readSecret, .loadUnsent: latest = effect
            case .take:
                latest = effect
                taken += 1
            case .stage:
                latest = effect
                staged += 1
            case .setAside: latest = effect
            case .callServer:
                latest = effect
                asked += 1
            case .keepCredential, .cancelCall, .show, .signInRequired, .follow, .claim,
                .beginBackgroundTask, .endBackgroundTask:
                break
            }
        }

        mutating func next(_ random: inout LawRandom) -> ReplicaEvent {
            if let latest, random.chance(percent: 70) {
                self.latest = nil
                return answer(latest, &random)
            }
            return switch random.below(15) {
            case 13: .wentToBackground
            case 14: random.chance(percent: 50) ? .timeExpired : .cameToFront
            case 0: .opened(Story.standing(7, generation: random.chance(percent: 30) ? nil : "g1"))
            case 1: .signedIn(session: random.chance(percent: 80) ? "s-ada" : "s-bob")
            case 2: random.chance(percent: 30) ? .signedOut : .wrote
            case 3: .pathChanged(isSatisfied: random.chance(percent: 80))
            case 4: .pathChanged(isSatisfied: true)
            case 5: .cameToFront
            case 6, 7: .wrote
            case 8: .syncRequested
            case 9: .stored(operation(&random), .done(Story.standing(9)))
            case 10: .secretRead(operation(&random), .missing)
            case 11: .unsentLoaded(operation(&random), Story.nothing)
            default: .serverAnswered(operation(&random), .failed)
            }
        }

        private func operation(_ random: inout LawRandom) -> OperationID {
            OperationID(number: UInt32(1 + random.below(60)))
        }

        private func answer(_ effect: ReplicaEffect, _ random: inout LawRandom) -> ReplicaEvent {
            switch effect {
            case .readSecret(let operation, let secret):
                let text = secret == .session ? "s-ada" : Story.kept()
                let answers: [SecretAnswer] = [.missing, .unavailable, .found("junk")]
                return .secretRead(
                    operation,
                    random.chance(percent: 80) ? .found(text) : answers[random.below(3)]
                )
            case .loadUnsent(let operation, _, _):
                let changes = Story.unsent(1...Int64(1 + random.below(3)))
                return .unsentLoaded(
                    operation,
                    UnsentBatch(changes: changes, hasMore: random.chance(percent: 20))
                )
            case .take(let operation, let page):
                let done = StoreOutcome.done(Story.standing(page.through))
                return .stored(operation, outcome(done, &random))
            case .stage(let operation, let page, _, _):
                let generation = page.next == nil ? page.generation : nil
                let done = StoreOutcome.done(Story.standing(40, generation: generation))
                return .stored(operation, outcome(done, &random))
            case .setAside(let operation, _):
                let done = StoreOutcome.done(Story.standing(9, generation: nil))
                return .stored(operation, outcome(done, &random))
            case .callServer(let operation, let request):
                return .serverAnswered(operation, answer(request, &random))
            case .keepCredential, .cancelCall, .show, .signInRequired, .follow, .claim,
                .beginBackgroundTask, .endBackgroundTask:
                return .wrote
            }
        }

        private func outcome(_ done: StoreOutcome, _ random: inout LawRandom) -> StoreOutcome {
            let refusals: [StoreOutcome] = [.failed, .outOfOrder, .noRoom]
            return random.chance(percent: 90) ? done : refusals[random.below(3)]
        }

        private func answer(_ request: ReplicaRequest, _ random: inout LawRandom) -> ReplicaAnswer {
            if random.chance(percent: 30) {
                let answers: [ReplicaAnswer] = [
                    .schemaDiffers(random.below(12) == 0 ? 3 : 1), .snapshotNeeded, .unauthorized,
                    .refused(statusCode: 503), .malformed, .failed,
                ]
                return answers[random.below(answers.count)]
            }
            let isMore = random.chance(percent: 40)
            return switch request {
            case .credential: .credential(Story.credential)
            case .sync(let exchange, _) where random.below(6) == 0:
                .changesRefused(
                    exchange.changes.prefix(2).map { .init(sequence: $0.sequence, reason: "rule") }
                )
            case .sync(let exchange, _):
                .page(Story.page(from: exchange.position, 2, applied: 3, hasMore: isMore))
            case .snapshot: .snapshot(Story.rows("a", next: isMore ? "c-\(random.below(3))" : nil))
            case .migrate: .migrated(schema: 2)
            }
        }
    }
}
