import SansIO
import SansIOTesting
import Testing
import WakeFlow

@Suite("A wake that was removed and is set again: the second round is like the first")
struct WakeFlowRoundTests {
    static func compare(seed: UInt64) throws -> Int {
        let facts = PhoneFacts(
            time: ModelMorning.midnight,
            zone: ModelMorning.tokyo,
            grants: ModelMorning.everything,
            pending: []
        )
        let removals = (1...3).map { WakeFlow.Event.wakeRemoved(WakeID(number: UInt32($0))) }
        return try checkSecondRound(
            seed: seed,
            steps: 200,
            make: { WakeFlow() },
            rule: SecondRoundRule(
                rest: [.resumed(facts), .gaveUp] + removals + [
                    .conversationFailed, .backgroundTaskExpired, .flagsChanged(CoachFlags()),
                    .resumed(facts),
                ],
                // Numbers; what is said or asked once in a process; the preloads of days that were.
                kept: [
                    "arming", "operations", "askedFor", "shownPath", "requestedFor", "sound",
                    "preloadedFor",
                    "preloadFailedFor", "audio", "sync",
                ],
                answer: { order in
                    switch order {
                    case .fetchAudio(let operation): .audioFetched(operation, .failed)
                    case .syncConversation(let operation):
                        .conversationSynced(operation, accepted: true)
                    default: nil
                    }
                },
                tellsAgain: false
            )
        ) { _ in
            var weather = WakeWeather()
            return { random, _, orders in
                for order in orders { weather.note(order) }
                return weather.next(&random)
            }
        }
    }

    @Test(
        "Once all wakes are removed nothing is left of them but numbers (L12)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        #expect(try Self.compare(seed: seed) > 0)
    }
}
