import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting
import Testing

private typealias Story = ReplicaStory

@Suite("The replica's synchronizer: the second round is like the first")
struct ReplicaRoundTests {
    @Test(
        "A sync after a logout is like a first one (L12, RP-01)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 150,
            make: { Story.machine(seed: 1) },
            rule: SecondRoundRule(
                rest: [
                    .opened(Story.standing(7, generation: "g1")), .pathChanged(isSatisfied: true),
                    .signedOut,
                ],
                // A sync counts its repeats from its own beginning; what is to be sent is sent with the next
                // one, whoever it is for, and the last try lies behind. Whether the app is seen, and has time left
                // where it is not, is the phone's.
                kept: [
                    "generator", "operations", "repeats", "latestPathTry", "isPathTry", "writeDue",
                    "isAway", "isOutOfTime",
                ],
                // Its waits are drawn.
                tellsAgain: false
            )
        ) { _ in
            var weather = ReplicaLawTests.Weather()
            return { random, _, orders in
                for order in orders { weather.note(order) }
                return weather.next(&random)
            }
        }
        #expect(compared > 0)
    }
}
