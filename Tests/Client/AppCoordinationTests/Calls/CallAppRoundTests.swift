import AppCoordination
import IncomingCalls
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The calling app: the second round is like the first")
struct CallAppRoundTests {
    @Test(
        "Calls after others are like the first of a launch (L12, VP-05)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 150,
            make: {
                CallAppCoordinator(
                    configuration: CallAppStory.configuration,
                    restoring: CallAppStorage(),
                    clock: WallClock(showing: CallAppStory.launch),
                    microphone: .allowed,
                    seed: 1
                )
            },
            rule: SecondRoundRule(
                rest: [
                    .scenePhaseChanged(.active), .pathChanged(.satisfied(.wifi)),
                    .clockChanged(CallAppStory.launch), .launched, .providerReset,
                    .audioDeactivated, .pushTokenInvalidated, .logoutTapped,
                ],
                kept: [
                    "generator", "operations", "roomsMade", "countsPackets",
                    "countsServerChecks", "identity", "memory", "position", "mayHaveMissed",
                    "withdrawn", "user", "doubtsEnd", "challengeEnd", "noticed",
                    // Instants that lie behind.
                    "latestPathTry", "latestPathAttempt", "pathLostUntil", "strayJoinSince",
                    // A line's call begins with all of them anew; each proof of a login with the last.
                    "isMuted", "isConnected", "isHeard", "isApart", "isKnownApart", "isSentAgain",
                    // What is still to be told of calls, or asked of missed ones, is after the next login.
                    "farewells", "isWanted", "doubts", "expected", "state",
                    // A login that the server has refused leaves none.
                    "formerCredentials",
                ],
                identities: ["OperationID", "RoomID", "UniqueID"],
                answer: { effect in
                    switch effect {
                    case .readSecureStorage(let id, .deviceIdentity):
                        .secureStorageRead(id, .value(CallAppStory.deviceID))
                    case .readSecureStorage(let id, _): .secureStorageRead(id, .value("login"))
                    case .writeSecureStorage(let id, _, _):
                        .secureStorageWritten(id, isKept: true)
                    case .callServer(let id, .missed, _): .callAnswered(id, .missed([]))
                    case .callServer(let id, _, _): .callAnswered(id, .accepted)
                    case .callAPI(let id, _): .apiAnswered(id, .challenge("c"))
                    default: nil
                    }
                },
                tellsAgain: false
            )
        ) { round in
            var weather = CallAppWeather(from: UInt32(round) * 100_000)
            return { random, _, orders in
                for order in orders { weather.note(order) }
                return weather.next(&random)
            }
        }
        #expect(compared > 0)
    }
}
