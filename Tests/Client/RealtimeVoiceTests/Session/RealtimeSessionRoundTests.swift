import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("A session, a login and an identity: the second round is like the first")
struct RealtimeSessionRoundTests {
    @Test(
        "A conversation after another is like a first one (L12, RS-04)",
        arguments: 0..<20 as Range<UInt64>
    )
    func session(seed: UInt64) throws {
        try checkSecondRound(
            seed: seed,
            steps: 150,
            make: { RealtimeSession(configuration: SessionStory.configuration, seed: 1) },
            rule: SecondRoundRule(
                rest: [
                    .disconnectRequested, .scenePhaseChanged(.active),
                    .pathChanged(.satisfied(.wifi)), .muteChanged(isMuted: false),
                    .audioAccessChanged(.available),
                    .clockChanged(WallTime(secondsSince1970: 1_800_000_000)),
                ],
                kept: [
                    "generator", "operations", "roomsMade", "countsPackets",
                    "countsServerChecks", "identity",
                    // Instants that lie behind.
                    "latestPathAttempt", "pathLostUntil", "strayJoinSince",
                ],
                identities: ["OperationID", "RoomID"]
            )
        ) { _ in
            var weather = SessionWeather()
            weather.isRelative = true
            return { random, _, orders in
                for order in orders { weather.note(order) }
                return weather.next(&random)
            }
        }
    }

    @Test(
        "A login after a logout is like a first one (L12, RS-12)",
        arguments: 0..<20 as Range<UInt64>
    )
    func login(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 120,
            make: { LoginSession(seed: 1) },
            rule: SecondRoundRule(
                // The next user is asked to sign in, with a challenge of their own.
                rest: [.requested, .loggedOut],
                // Each proof begins anew; a challenge is asked for again from when it came.
                kept: ["operations", "generator", "challengeEnd", "isSentAgain", "state"],
                answer: { order in
                    switch order {
                    case .readSecureStorage(let id): .secureStorageRead(id, .value(nil))
                    case .writeSecureStorage(let id, _): .secureStorageWritten(id, isKept: true)
                    case .callAPI(let id, _): .apiAnswered(id, .challenge("challenge"))
                    default: nil
                    }
                },
                tellsAgain: false
            )
        ) { _ in
            var operation = OperationID(number: 0)
            return { random, _, orders in
                for order in orders {
                    switch order {
                    case .readSecureStorage(let id), .writeSecureStorage(let id, _),
                        .callAPI(let id, _):
                        operation = id
                    default: break
                    }
                }
                return switch random.below(12) {
                case 0, 1: .requested
                case 2: .passkeyAsserted("assertion")
                case 3: .appleSignedIn(identityToken: "apple")
                case 4: .loggedOut
                case 5: .tokenRefused
                case 6: .secureStorageRead(operation, .value("token"))
                case 7: .secureStorageRead(operation, .value(nil))
                case 8: .apiAnswered(operation, .refused(statusCode: 400))
                case 9: .apiAnswered(operation, .challenge("challenge"))
                default:
                    .apiAnswered(
                        operation,
                        .session(token: "token", timeToLive: .seconds(random.below(90)))
                    )
                }
            }
        }
        #expect(compared > 0)
    }
}
