import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The laws of the session's machines")
struct RealtimeSessionLawTests {
    @Test("A session keeps the laws of its contract", arguments: 0..<10 as Range<UInt64>)
    func session(decade: UInt64) throws {
        var connects = 0
        for seed in decade * 10..<decade * 10 + 10 {
            var weather = SessionWeather()
            try checkLaws(
                seed: seed,
                steps: 400,
                make: { RealtimeSession(configuration: .init(), seed: seed) },
                foreign: SessionWeather.foreign,
                frame: { effect in
                    weather.note(effect)
                    if case .room(_, .connect) = effect { connects += 1 }
                    return nil
                }
            ) { random, _ in
                weather.next(&random)
            }
        }
        #expect(connects > 50, "stories without connects prove little")
    }

    @Test("A device identity store keeps the laws of its contract")
    func store() throws {
        for seed in 0..<100 as Range<UInt64> {
            try checkLaws(
                seed: seed,
                steps: 100,
                make: { DeviceIdentityStore(seed: seed) },
                foreign: [
                    .secureStorageRead(OperationID(number: .max), .value("other")),
                    .secureStorageRead(OperationID(number: .max), .failed),
                    .secureStorageWritten(OperationID(number: .max), isKept: true),
                    .secureStorageWritten(OperationID(number: .max), isKept: false),
                ]
            ) { random, _ in
                let operation = OperationID(number: UInt32(random.below(20)))
                return switch random.below(4) {
                case 0: .requested
                case 1: .secureStorageRead(operation, .failed)
                case 2: .secureStorageRead(operation, .value(nil))
                default: .secureStorageWritten(operation, isKept: random.chance(percent: 50))
                }
            }
        }
    }

    @Test("A login keeps the laws of its contract")
    func login() throws {
        for seed in 0..<100 as Range<UInt64> {
            try checkLaws(
                seed: seed,
                steps: 200,
                make: { LoginSession(seed: 1) },
                foreign: LoginSession.foreign
            ) { random, _ in
                let operation = OperationID(number: UInt32(random.below(60)))
                return switch random.below(12) {
                case 0: .requested
                case 1: .passkeyAsserted("assertion")
                case 2: .appleSignedIn(identityToken: "apple")
                case 3: .loggedOut
                case 4: .tokenRefused
                case 5: .secureStorageRead(operation, .value("token"))
                case 6: .secureStorageRead(operation, .value(nil))
                case 7: .apiAnswered(operation, .refused(statusCode: 400))
                case 8, 9: .apiAnswered(operation, .challenge("challenge"))
                default:
                    .apiAnswered(
                        operation,
                        .session(token: "token", timeToLive: .seconds(random.below(90)))
                    )
                }
            }
        }
    }
}

extension LoginSession {
    /// Answers to operations that no login has begun; of a busy server it takes any word.
    static let foreign: [Event] = [
        .secureStorageRead(OperationID(number: .max), .value("other")),
        .secureStorageRead(OperationID(number: .max), .value(nil)),
        .secureStorageRead(OperationID(number: .max), .failed),
        .secureStorageWritten(OperationID(number: .max), isKept: true),
        .secureStorageWritten(OperationID(number: .max), isKept: false),
        .apiAnswered(OperationID(number: .max), .challenge("other")),
        .apiAnswered(
            OperationID(number: .max),
            .session(token: "other", timeToLive: .seconds(90))
        ),
        .apiAnswered(OperationID(number: .max), .failed(.timedOut)),
    ]
}

extension SessionWeather {
    /// Answers to operations that no session has begun.
    static let foreign: [RealtimeSession.Event] = [
        .apiAnswered(OperationID(number: .max), .refused(statusCode: 401)),
        .apiAnswered(OperationID(number: .max), .failed(.timedOut)),
        .apiAnswered(OperationID(number: .max), .foreignDevice),
        .probeAnswered(OperationID(number: .max)),
        .room(RoomID(number: 1), .connectFinished(OperationID(number: .max), nil)),
        .room(RoomID(number: 1), .microphoneFinished(OperationID(number: .max), .network)),
        .room(RoomID(number: 1), .disconnectFinished(OperationID(number: .max))),
    ]
}
