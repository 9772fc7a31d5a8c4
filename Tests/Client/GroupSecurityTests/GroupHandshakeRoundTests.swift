import SansIO
import SansIOTesting
import Testing

@testable import GroupSecurity

@Suite("A handshake that is over: the second round is like the first")
struct GroupHandshakeRoundTests {
    static func compare(seed: UInt64) throws -> Int {
        try checkSecondRound(
            seed: seed,
            steps: 80,
            make: { People.handshake(of: People.anna, seed: seed) },
            rule: SecondRoundRule(
                rest: [],
                // Keys are drawn on, an offer that was answered is not answered again, and a share that was used
                // up is whole again by time.
                kept: ["entropy", "answered", "offersUntilNanoseconds"],
                tellsAgain: false
            )
        ) { _ in
            var peer = People.handshake(of: People.ben, seed: seed + 50)
            var packets: [[UInt8]] = []
            return { random, now, orders in
                for case .send(let packet) in orders {
                    packets = Array((packets + [packet]).suffix(4))
                }
                guard random.chance(percent: 75), let last = packets.last else { return .requested }
                let effects =
                    switch random.below(4) {
                    case 0: peer.handle(.requested, at: now)
                    case 1: peer.wake(at: now)
                    default: peer.handle(.packetReceived(last), at: now)
                    }
                return .packetReceived(effects.sent.last ?? last)
            }
        }
    }

    @Test(
        "Once it waits for nothing, nothing is left of a handshake (L12)",
        arguments: 0..<8 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        #expect(try Self.compare(seed: seed) > 0)
    }
}
