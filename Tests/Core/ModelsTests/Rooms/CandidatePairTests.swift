@testable import KodamaNetwork
@testable import KodamaSession
import SansIO
import Testing

@Suite("A candidate pair's checks")
struct CandidatePairTests {
    private static func instant(_ milliseconds: Int) -> Instant {
        Instant.zero.advanced(by: .milliseconds(milliseconds))
    }

    /// A pair after so many checks, 48 ms apart, of which each is answered 200 ms later.
    private static func pair(checks: Int) -> CandidatePair {
        let address = NetworkAddress(host: 0, interface: 0, lease: 0)
        var pair = CandidatePair(
            local: SocketAddress(address: address, port: 1),
            remote: SocketAddress(address: address, port: 2),
            credentials: IceCredentials(participant: 1, target: .publisher, generation: 0),
            rank: 0
        )
        for number in 0..<checks {
            pair.noteCheck(UInt32(number), at: instant(48 * number))
        }
        for number in 0..<checks {
            let sample = pair.noteAnswer(UInt32(number), at: instant(200 + 48 * number))
            #expect(sample == .milliseconds(200))
        }
        return pair
    }

    @Test(
        "Each answer is a round trip, though others were out; the fifth makes the pair stable",
        arguments: [(4, 900), (5, 2_500)]
    )
    func stable(checks: Int, interval: Int) {
        let pair = Self.pair(checks: checks)
        #expect(pair.roundTripsMeasured == checks)
        #expect(pair.roundTrip == .milliseconds(200))
        let next = pair.nextCheck(isSelected: true, isWeak: false, RoomClientConfiguration())
        #expect(next == Self.instant(48 * (checks - 1) + interval))
    }

    @Test("An answer counts after seconds of further checks, and not after a minute")
    func lateAnswers() {
        var pair = Self.pair(checks: 0)
        for number in 0..<73 { pair.noteCheck(UInt32(number), at: Self.instant(48 * number)) }
        #expect(pair.noteAnswer(0, at: Self.instant(3_500)) == .milliseconds(3_500))
        #expect(pair.writeState == .writable)
        pair.noteCheck(100, at: Self.instant(61_100))
        #expect(pair.noteAnswer(1, at: Self.instant(61_100)) == nil)
        #expect(pair.noteAnswer(72, at: Self.instant(61_100)) == .milliseconds(61_100 - 48 * 72))
    }

    @Test("An answer counts once, and one to no check not at all")
    func answersTwice() {
        var pair = Self.pair(checks: 5)
        #expect(pair.noteAnswer(4, at: Self.instant(500)) == nil)
        #expect(pair.noteAnswer(99, at: Self.instant(500)) == nil)
        #expect(pair.roundTripsMeasured == 5)
        #expect(pair.lastReceived == Self.instant(500))
    }
}
