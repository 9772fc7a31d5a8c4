import SansIO
import SansIOTesting
import Testing

@testable import AppCoordination

@Suite("Microphone and speaker: the second round is like the first")
struct SoundKeeperRoundTests {
    @Test(
        "Sound that was wanted, and is wanted again, behaves as if never before (L12)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 120,
            make: { SoundKeeper() },
            // An interruption that goes on is no round of the keeper's.
            rule: SecondRoundRule(
                rest: [.audioSessionReturned, .wanted(false)],
                kept: ["operations", "isConfigured"],
                compares: { if case .configureAudioSession = $0 { false } else { true } }
            )
        ) { _ in
            var operation = OperationID(number: 0)
            return { random, _, orders in
                for order in orders {
                    switch order {
                    case .requestMicrophonePermission(let id), .startVoiceEngine(let id):
                        operation = id
                    case .configureAudioSession, .stopVoiceEngine, .soundChanged: break
                    }
                }
                return switch random.below(9) {
                case 0: .wanted(random.chance(percent: 70))
                case 1, 2:
                    .microphonePermissionAnswered(
                        operation,
                        isGranted: random.chance(percent: 95)
                    )
                case 3, 4:
                    .voiceEngineAnswered(operation, isRunning: random.chance(percent: 60))
                case 5: .voiceEngineOutranked(operation)
                case 6: .audioSessionTaken
                case 7: .engineConfigurationChanged
                default: .audioSessionReturned
                }
            }
        }
        #expect(compared > 0)
    }
}
