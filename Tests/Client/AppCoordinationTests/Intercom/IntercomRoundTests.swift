import AppCoordination
import PeerTransport
import SansIO
import SansIOTesting
import Testing
import VoiceActivity

@Suite("The intercom app: the second round is like the first")
struct IntercomRoundTests {
    @Test(
        "A group after another is like a first one (L12, S-GRP-001)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 200,
            make: { Scene.app() },
            rule: SecondRoundRule(
                rest: [.sound(.audioSessionReturned), .muteChanged(false), .groupLeft],
                kept: [
                    "operations", "isConfigured", "gateMemory", "keepaliveMemory",
                    "playoutMemory",
                    // The own stream goes on in another group, and so does the voice that it carries.
                    "nextSequence", "lastCaptureIndex", "levels", "speech", "opensAt",
                    // What was received of a stream is received twice in no group.
                    "departed",
                ],
                tellsAgain: false
            )
        ) { _ in
            var weather = IntercomWeather()
            return { random, now, _ in weather.next(&random, now) }
        }
        #expect(compared > 0)
    }
}
