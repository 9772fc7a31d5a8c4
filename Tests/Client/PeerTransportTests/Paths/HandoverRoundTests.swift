import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("A pair that has lost both paths: the second round is like the first")
struct HandoverRoundTests {
    static func compare(seed: UInt64) throws -> Int {
        let notices = [TransportPath.local, .internet].map {
            // Later than all of the story's, which takes some minutes.
            Handover.Event.noticeReceived(
                PathStatusNotice(path: $0, status: .available, number: SerialNumber(7_000_000))
            )
        }
        return try checkSecondRound(
            seed: seed,
            steps: 200,
            make: { Handover() },
            rule: SecondRoundRule(
                // Both have been up, so that both have told how they see them.
                rest: [
                    .started, .pathActivated(.internet), .internetImpossible, .internetPossible,
                    .pathActivated(.local), .pathLost(.local), .pathLost(.internet),
                    .internetFailed, .internetPossible,
                ] + notices,
                // What was learnt of returns, and a notice that is told once more when a path is up again.
                kept: ["returnDelay", "returnedAt", "noticeRepeatsLeft"],
                identities: ["SerialNumber"],
                tellsAgain: false
            )
        ) { _ in
            var hasBegun = false
            return { random, now, _ in
                guard hasBegun else {
                    hasBegun = true
                    return .started
                }
                return event(&random, now)
            }
        }
    }

    private static func event(_ random: inout LawRandom, _ now: Instant) -> Handover.Event {
        let path: TransportPath = random.chance(percent: 50) ? .local : .internet
        switch random.below(40) {
        case 0...2: return .pathCameUp(path)
        case 3...10: return .pathActivated(path)
        case 11, 12: return .pathLost(path)
        case 13: return .internetFailed
        case 14...20:
            let number = UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000)
            let status: PathStatus = random.chance(percent: 70) ? .available : .backup
            return .noticeReceived(
                PathStatusNotice(path: path, status: status, number: SerialNumber(number))
            )
        case 21, 22: return .talkBegan
        case 23: return .radioAnswered
        case 24, 25: return random.chance(percent: 40) ? .internetImpossible : .internetPossible
        default:
            let verdicts: [LinkVerdict] = [.good, .good, .good, .good, .poor, .bad]
            return .judged(verdicts[random.below(verdicts.count)], path)
        }
    }

    @Test(
        "A pair without a path waits for one as a pair that never had one (L12)",
        arguments: 0..<40 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        #expect(try Self.compare(seed: seed) > 0)
    }
}
