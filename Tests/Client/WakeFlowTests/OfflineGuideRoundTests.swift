import SansIO
import SansIOTesting
import Testing
import WakeFlow

@Suite("A conversation that is over: the next one's second voice is like the first's")
struct OfflineGuideRoundTests {
    private static func machine(seed: UInt64) -> OfflineGuide {
        var configuration = OfflineGuideConfiguration()
        // No summary is given up: chance would go on from one story to the next.
        configuration.sendPatience = .seconds(1_000_000)
        return OfflineGuide(configuration: configuration, hasClone: true, seed: seed)
    }

    private static var rule: SecondRoundRule<OfflineGuide> {
        SecondRoundRule(
            rest: [
                .conversationEnded, .cloneChanged(isAvailable: true), .flagsChanged(CoachFlags()),
                .clockChanged(ModelMorning.midnight),
            ],
            // Numbers, and what the beginning of a conversation forgets.
            kept: [
                "operations", "generator", "stretches", "modeChanges", "silences", "hasHeardAgent",
            ],
            answer: { order in
                guard case .sendSummary(let operation, _) = order else { return nil }
                return .summaryAnswered(operation, accepted: true)
            },
            // Both have the stretches' numbers in their keys.
            compares: { order in
                switch order {
                case .store, .sendSummary: false
                default: true
                }
            }
        )
    }

    /// Tells of conversations; summaries are answered, soon or late.
    private static func teller() -> StoryTeller<OfflineGuide> {
        var (line, packets, hasBegun) = (0, Int64(0), false)
        var sent: [OperationID] = []
        return { random, _, orders in
            for case .sendSummary(let operation, _) in orders { sent.append(operation) }
            guard hasBegun else {
                hasBegun = true
                return .conversationBegan(UniqueID(high: random.next(), low: 1))
            }
            packets += random.chance(percent: 60) ? 1 : 0
            switch random.below(20) {
            case 0: return .conversationBegan(UniqueID(high: random.next(), low: 1))
            case 1: return .conversationEnded
            case 2, 3: return .voiceDoubted
            case 4: return .voiceConfirmed
            case 5, 6: return .handedOver
            case 7: return .takenBack
            case 8, 9, 10:
                line += 1
                return .lineOrdered(
                    ScriptLine(number: line, step: line, isRepetition: false, text: "line")
                )
            case 11: return .lineFinished(number: line)
            case 12: return .heard("OK")
            case 13: return .cloneChanged(isAvailable: random.chance(percent: 50))
            case 14, 15:
                guard let operation = sent.popLast() else { return .agentPackets(packets) }
                return .summaryAnswered(operation, accepted: true)
            default: return .agentPackets(packets)
            }
        }
    }

    @Test(
        "Once it has ended nothing is left of how it went, and the next goes like a first (L12)",
        arguments: 0..<40 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 200,
            make: { Self.machine(seed: seed) },
            rule: Self.rule
        ) { _ in
            Self.teller()
        }
        #expect(compared > 20)
    }
}
