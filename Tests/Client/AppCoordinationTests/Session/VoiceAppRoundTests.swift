import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The voice app: the second round is like the first")
struct VoiceAppRoundTests {
    @Test(
        "A conversation after others is like the first of a launch (L12, RS-04, RS-15)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        var configuration = VoiceAppConfiguration()
        configuration.session.outerRetry.jitter = .zero
        configuration.session.probe.isEnabled = false
        let compared = try checkSecondRound(
            seed: seed,
            steps: 150,
            make: { VoiceAppCoordinator(configuration: configuration, seed: 1) },
            rule: SecondRoundRule(
                rest: [
                    .scenePhaseChanged(.active), .pathChanged(.satisfied(.wifi)),
                    .clockChanged(WallTime(secondsSince1970: 1_800_000_000)),
                    .muteTapped(isMuted: false), .audioSessionReturned, .launched,
                    .connectTapped, .disconnectTapped,
                ],
                kept: [
                    "generator", "operations", "roomsMade", "countsPackets",
                    "countsServerChecks", "identity",
                    // Instants that lie behind.
                    "latestPathAttempt", "pathLostUntil", "audioTakenUntil", "strayJoinSince",
                ],
                identities: ["OperationID", "RoomID"],
                answer: { effect in
                    switch effect {
                    case .readSecureStorage(let id, .deviceIdentity):
                        .secureStorageRead(id, .value(VoiceAppStory.deviceID))
                    case .readSecureStorage(let id, _): .secureStorageRead(id, .value(nil))
                    case .writeSecureStorage(let id, _, _):
                        .secureStorageWritten(id, isKept: true)
                    case .requestMicrophonePermission(let id):
                        .microphonePermissionAnswered(id, isGranted: true)
                    case .startVoiceEngine(let id): .voiceEngineAnswered(id, isRunning: true)
                    default: nil
                    }
                }
            )
        ) { _ in
            var weather = VoiceAppWeather()
            return { random, _, orders in
                for order in orders { weather.note(order) }
                return weather.next(&random)
            }
        }
        #expect(compared > 0)
    }
}
