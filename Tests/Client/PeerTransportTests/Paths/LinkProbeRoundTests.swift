import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("A path that comes up again: the second round is like the first")
struct LinkProbeRoundTests {
    @Test(
        "A path that was lost and comes up again is judged as a new one (L12, S-HO-003)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 200,
            make: { LinkProbe(path: .local, judge: ThresholdJudge()) },
            rule: SecondRoundRule(
                rest: [
                    .pathCameUp, .talkEnded, .talkEndedElsewhere, .probingEnded,
                    .peersCounted(heard: 0, present: 0), .pathLost,
                ],
                // The next ping's number goes on, and a transit on the wire is unwrapped from the last one.
                kept: [
                    "next", "pingTransits", "losses", "voiceJitter", "pingJitter",
                    "judgedNanoseconds", "pingNanoseconds", "excusedNanoseconds",
                ],
                identities: ["SerialNumber"]
            )
        ) { _ in
            var number: UInt32 = .max - 30
            var pings: [Ping] = []
            return { random, now, orders in
                for case .send(.ping(let ping)) in orders { pings.append(ping) }
                pings.removeFirst(max(0, pings.count - 8))
                switch random.below(40) {
                case 0...3: return .pathCameUp
                case 4: return .pathLost
                case 5: return .probingBegan
                case 6: return .probingEnded
                case 7: return .talkEnded
                case 8...18:
                    guard !pings.isEmpty else { return .pathCameUp }
                    let ping = pings.remove(at: random.below(pings.count))
                    let held = UInt32(random.below(9_000))
                    return .pongReceived(Pong(ping, heldMicroseconds: held))
                case 19: return .peersCounted(heard: random.below(6), present: random.below(6))
                case 20...22: return .voiceHeardElsewhere(sequence: SerialNumber(number &+ 2))
                case 23: return .talkEndedElsewhere
                case 24: return .asked
                default:
                    number &+= UInt32(random.below(random.chance(percent: 3) ? 900 : 3))
                    return .voiceReceived(
                        sequence: SerialNumber(number),
                        captureIndex: now.nanoseconds / 20_000_000,
                        marks: random.chance(percent: 5) ? .talkEnd : []
                    )
                }
            }
        }
        #expect(compared > 0)
    }
}
