import IncomingCalls
import SansIO
import SansIOTesting
import Testing

@Suite("The calls' machines: the second round is like the first")
struct CallRoundTests {
    @Test("Calls after others are like first ones (L12, VP-05)", arguments: 0..<20 as Range<UInt64>)
    func registry(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 120,
            make: { CallStory.registry() },
            rule: SecondRoundRule(
                rest: [
                    .providerReset, .credentialsChanged(CallStory.credentials), .pathRestored,
                    .clockChanged(CallStory.launch), .audioDeactivated,
                ],
                kept: ["generator", "operations", "memory", "microphone", "user"],
                identities: ["OperationID", "UniqueID"],
                answer: { order in
                    switch order {
                    case .callAPI(let id, _), .callAPIAsFormer(let id, _, _):
                        .apiAnswered(id, .accepted)
                    default: nil
                    }
                },
                compares: { if case .writeStorage = $0 { false } else { true } }
            )
        ) { round in
            var weather = CallWeather(from: UInt32(round) * 100_000)
            return { random, _, orders in
                for order in orders { weather.note(order) }
                return weather.next(&random)
            }
        }
        #expect(compared > 0)
    }

    @Test(
        "A token's registration after a logout is like a first one (L12, VP-01)",
        arguments: 0..<20 as Range<UInt64>
    )
    func registration(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 100,
            make: { PushTokenRegistration(bundleId: "app", seed: seed) },
            rule: SecondRoundRule(
                rest: [
                    .credentialsChanged(CallStory.credentials), .tokenInvalidated, .loggedOut,
                    .credentialsChanged(nil),
                ],
                // That calls may have been missed is true for who signs in next as well: it costs a request.
                kept: ["operations", "mayHaveMissed", "latestPathTry", "generator"],
                answer: { order in
                    if case .callAPI(let id, _) = order { .apiAnswered(id, .accepted) } else { nil }
                },
                compares: { order in
                    switch order {
                    case .registered, .registeredLate: false
                    default: true
                    }
                },
                // Its waits are drawn.
                tellsAgain: false
            )
        ) { _ in
            var operation = OperationID(number: 0)
            return { random, _, orders in
                for order in orders {
                    if case .callAPI(let id, _) = order { operation = id }
                }
                return switch random.below(11) {
                case 0, 1: .tokenReceived([UInt8(random.below(3))])
                case 2: .tokenInvalidated
                case 3, 4: .credentialsChanged(CallStory.credentials)
                case 5: .credentialsChanged(nil)
                case 6: .pathRestored
                case 7: .apiAnswered(operation, .accepted)
                case 8: .apiAnswered(operation, .refused(statusCode: 401))
                case 9: .cameToFront
                default: .apiAnswered(operation, .failed)
                }
            }
        }
        #expect(compared > 0)
    }

    @Test(
        "An inbox that has fetched what was missed is like a new one (L12, VP-07)",
        arguments: 0..<20 as Range<UInt64>
    )
    func inbox(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 100,
            make: { MissedCallInbox(restoring: "0", seed: seed) },
            rule: SecondRoundRule(
                rest: [.credentialsChanged(CallStory.credentials), .checkRequested],
                kept: ["operations", "position", "doubtsEnd", "noticed", "generator"],
                answer: { order in
                    if case .callAPI(let id, _) = order {
                        .apiAnswered(id, .missed([]))
                    } else {
                        nil
                    }
                },
                // The position that is kept and asked from is what the round before has reached.
                compares: { order in
                    switch order {
                    case .writeStorage, .callAPI: false
                    default: true
                    }
                },
                // Its waits are drawn.
                tellsAgain: false
            )
        ) { round in
            var operation = OperationID(number: 0)
            var sequence = Int64(round) * 10_000
            return { random, now, orders in
                for order in orders {
                    if case .callAPI(let id, _) = order { operation = id }
                }
                switch random.below(8) {
                case 0, 1: return .checkRequested
                case 2, 3: return .credentialsChanged(CallStory.credentials)
                case 4:
                    let calls = (0..<random.below(30)).map { _ in
                        sequence += 1
                        return MissedCall(
                            sequence: sequence,
                            callId: "c-\(sequence)",
                            fromUserId: "u",
                            fromDisplayName: "n",
                            endedAt: CallStory.launch,
                            reason: .cancelled
                        )
                    }
                    return .apiAnswered(operation, .missed(calls))
                case 5:
                    return .callMissed(
                        from: now.advanced(by: .seconds(random.below(30))),
                        by: now.advanced(by: .seconds(random.below(60)))
                    )
                default: return .apiAnswered(operation, .failed)
                }
            }
        }
        #expect(compared > 0)
    }
}
