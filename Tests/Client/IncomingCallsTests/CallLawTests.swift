import IncomingCalls
import SansIO
import SansIOTesting
import Testing

@Suite("The laws of the calls' machines")
struct CallLawTests {
    @Test("A registry keeps the laws of its contract", arguments: 0..<5 as Range<UInt64>)
    func registry(decade: UInt64) throws {
        var joins = 0
        for seed in decade * 10..<decade * 10 + 10 {
            var weather = CallWeather()
            let configuration: CallsConfiguration = seed % 5 == 4 ? .asSpecified : .init()
            let microphone: MicrophoneAccess = seed % 4 == 3 ? .undecided : .allowed
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { CallStory.registry(configuration, microphone: microphone) },
                foreign: [
                    .reportFinished(OperationID(number: .max), .unknown),
                    .requestFinished(OperationID(number: .max), isAccepted: false),
                ] + CallAnswer.some.map { .apiAnswered(OperationID(number: .max), $0) },
                frame: { effect in
                    weather.note(effect)
                    return nil
                }
            ) { random, _ in
                weather.next(&random)
            }
            joins += weather.joins
        }
        #expect(joins > 2, "stories without conversations prove little")
    }

    @Test("A call's signalling keeps the laws of its contract, to its end")
    func signalling() throws {
        for seed in 0..<50 as Range<UInt64> {
            try checkLaws(
                seed: seed,
                steps: 120,
                make: { CallSignalling(callId: "c-1", seed: 1) },
                foreign: CallAnswer.some.map { .apiAnswered(OperationID(number: .max), $0) }
            ) { random, _ in
                let operation = OperationID(number: UInt32(1 + random.below(60)))
                return switch random.below(15) {
                case 0: .credentialsChanged(nil)
                case 1: .credentialsChanged(CallStory.credentials)
                case 2:
                    .placeRequested(OutgoingCall(callId: "c", contactId: "u", hasVideo: false))
                case 3: .watchRequested(every: .seconds(1))
                case 4: .checkRequested
                case 5: .answerRequested
                case 6: random.chance(percent: 20) ? .endRequested(.declined) : .pathRestored
                case 7: random.chance(percent: 5) ? .abandoned : .checkRequested
                case 8: .apiAnswered(operation, .status(.answered))
                case 9: .apiAnswered(operation, .offer(CallOffer(room: "r", hasVideo: false)))
                case 10: .apiAnswered(operation, .answered(room: "r"))
                case 11: .apiAnswered(operation, .placed(room: "r"))
                case 12: .apiAnswered(operation, .refused(statusCode: 503))
                case 13: .paceChanged(every: .seconds(10))
                default: .apiAnswered(operation, .failed)
                }
            }
        }
    }

    @Test("A token's registration keeps the laws of its contract")
    func registration() throws {
        for seed in 0..<50 as Range<UInt64> {
            try checkLaws(
                seed: seed,
                steps: 200,
                make: { PushTokenRegistration(bundleId: "app", seed: 1) },
                foreign: CallAnswer.some.map { .apiAnswered(OperationID(number: .max), $0) }
            ) { random, _ in
                let operation = OperationID(number: UInt32(1 + random.below(60)))
                return switch random.below(11) {
                case 0: .tokenReceived([UInt8(random.below(3))])
                case 1: .tokenReceived([])
                case 2: .tokenInvalidated
                case 3: .credentialsChanged(CallStory.credentials)
                case 4: .credentialsChanged(nil)
                case 5: .pathRestored
                case 6: .apiAnswered(operation, .accepted)
                case 7: .apiAnswered(operation, .refused(statusCode: 401))
                case 8: .loggedOut
                case 9: .cameToFront
                default: .apiAnswered(operation, .failed)
                }
            }
        }
    }

    @Test("An inbox of missed calls keeps the laws of its contract")
    func inbox() throws {
        for seed in 0..<50 as Range<UInt64> {
            try checkLaws(
                seed: seed,
                steps: 200,
                make: { MissedCallInbox(restoring: "3", seed: 1) },
                foreign: CallAnswer.some.map { .apiAnswered(OperationID(number: .max), $0) }
            ) { random, now in
                let operation = OperationID(number: UInt32(1 + random.below(60)))
                let calls = (0..<random.below(30)).map { _ in
                    MissedCall(
                        sequence: Int64(random.below(500)),
                        callId: "c",
                        fromUserId: "u",
                        fromDisplayName: "n",
                        endedAt: CallStory.launch,
                        reason: .cancelled
                    )
                }
                return switch random.below(9) {
                case 0, 1: .checkRequested
                case 8: .frontChanged(isInFront: random.chance(percent: 50))
                case 2: .credentialsChanged(CallStory.credentials)
                case 3: .credentialsChanged(nil)
                case 4: .apiAnswered(operation, .missed(calls))
                case 5, 6:
                    .callMissed(
                        from: now.advanced(by: .seconds(random.below(30))),
                        by: now.advanced(by: .seconds(random.below(60)))
                    )
                default: .apiAnswered(operation, .failed)
                }
            }
        }
    }
}

extension CallAnswer {
    /// One of each kind that ends or moves something where it is taken.
    fileprivate static let some: [CallAnswer] = [
        .accepted, .placed(room: "other"), .status(.answered), .status(.ended(.hungUp)),
        .offer(CallOffer(room: "other", hasVideo: false)), .answered(room: "other"),
        .ended(.declined), .missed([]), .foreignDevice, .refused(statusCode: 401), .failed,
    ]
}
