import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("A pair that wants the Internet and cannot have it")
struct HandoverInternetTests {
    /// A handover that is driven by itself.
    private struct Pair {
        var handover = Handover()
        /// When the Internet was asked for, in ms.
        var requests: [Int64] = []
        /// What it said of its own Internet.
        var notices: [PathStatusNotice] = []

        mutating func hear(_ event: Handover.Event, atMillisecond millisecond: Int64) {
            let now = Instant(nanoseconds: millisecond * 1_000_000)
            note(handover.handle(event, at: now), at: now)
        }

        mutating func run(toMillisecond millisecond: Int64) {
            while let due = handover.deadline?.instant, due.nanoseconds <= millisecond * 1_000_000 {
                note(handover.wake(at: due), at: due)
            }
        }

        private mutating func note(_ effects: [Handover.Effect], at now: Instant) {
            for effect in effects {
                switch effect {
                case .bringUpInternet: requests.append(now.nanoseconds / 1_000_000)
                case .sendNotice(let status, let path, let number) where path == .internet:
                    notices.append(
                        PathStatusNotice(path: path, status: status, number: number)
                    )
                default: break
                }
            }
        }
    }

    @Test("When there is a way again, what failed is asked for at once and as often as at first")
    func possibleAgain() {
        var pair = Pair()
        pair.hear(.started, atMillisecond: 0)
        pair.run(toMillisecond: 4_000)
        // It fails at once, four times: after 2, 4 and 8 s; the fifth attempt waits for 16.
        for _ in 0..<4 {
            pair.hear(.internetFailed, atMillisecond: pair.requests.last ?? 0)
            pair.run(toMillisecond: 20_000)
        }
        #expect(pair.requests == [4_000, 6_000, 10_000, 18_000])
        pair.hear(.internetPossible, atMillisecond: 21_000)
        #expect(pair.requests.last == 21_000 && !pair.handover.isInternetUnavailable)
        pair.hear(.internetFailed, atMillisecond: 21_000)
        pair.run(toMillisecond: 24_000)
        #expect(pair.requests.last == 23_000)
    }

    @Test("A way that is told of again while nothing has failed changes nothing")
    func possibleAllAlong() {
        var pair = Pair()
        pair.hear(.started, atMillisecond: 0)
        pair.run(toMillisecond: 4_000)
        pair.hear(.internetPossible, atMillisecond: 5_000)
        #expect(pair.requests == [4_000])
    }

    /// A pair that talks over the Internet, for which the radio waits to be tried.
    private static func onInternet() -> Pair {
        var pair = Pair()
        for event in [
            Handover.Event.started, .pathActivated(.internet), .pathActivated(.local),
            .judged(.good, .local), .judged(.good, .internet),
        ] {
            pair.hear(event, atMillisecond: 0)
        }
        return pair
    }

    @Test(
        "Cut off from the Internet, both ends send by a radio that waits as well (A-F-012)",
        arguments: [(1_000, .localCandidate), (6_000, .localProbing)]
            as [(Int64, Handover.Phase)]
    )
    func cutOff(millisecond: Int64, phase: Handover.Phase) throws {
        var (anna, ben) = (Self.onInternet(), Self.onInternet())
        anna.run(toMillisecond: millisecond)
        ben.run(toMillisecond: millisecond)
        #expect(anna.handover.phase == phase && anna.handover.sendingPaths == .internet)
        anna.hear(.internetImpossible, atMillisecond: millisecond)
        #expect(anna.handover.phase == phase && anna.handover.sendingPaths == .both)
        let told = try #require(anna.notices.last)
        #expect(told.status == .backup)
        ben.hear(.noticeReceived(told), atMillisecond: millisecond + 8)
        #expect(ben.handover.sendingPaths == .both)
        #expect(ben.notices.isEmpty, "it speaks of its own Internet alone")
    }

    @Test("Once there is a way again the radio backs for a while, then the Internet goes on alone")
    func noLongerCutOff() throws {
        var (anna, ben) = (Self.onInternet(), Self.onInternet())
        anna.hear(.internetImpossible, atMillisecond: 100)
        let former = try #require(anna.notices.last)
        ben.hear(.noticeReceived(former), atMillisecond: 108)
        anna.hear(.internetPossible, atMillisecond: 300)
        let told = try #require(anna.notices.last)
        #expect(told.status == .available)
        ben.hear(.noticeReceived(told), atMillisecond: 308)
        ben.hear(.noticeReceived(former), atMillisecond: 320)
        anna.run(toMillisecond: 8_200)
        ben.run(toMillisecond: 8_200)
        #expect(anna.handover.sendingPaths == .both && ben.handover.sendingPaths == .both)
        anna.run(toMillisecond: 8_400)
        ben.run(toMillisecond: 8_400)
        #expect(anna.handover.sendingPaths == .internet && ben.handover.sendingPaths == .internet)
        #expect(anna.notices.last?.status == .available, "each copy may be lost: it is repeated")
        #expect(anna.notices.count > 5)
    }

    @Test("Who is met over the Internet again is not taken to be cut off from it any more")
    func metAgain() throws {
        var (anna, ben) = (Self.onInternet(), Self.onInternet())
        anna.hear(.internetImpossible, atMillisecond: 100)
        let told = try #require(anna.notices.last)
        ben.hear(.noticeReceived(told), atMillisecond: 108)
        ben.hear(.judged(.poor, .local), atMillisecond: 200)
        ben.hear(.pathLost(.internet), atMillisecond: 20_000)
        // Anna has let Ben go, and begins anew: nothing is to be taken back.
        ben.hear(.pathCameUp(.internet), atMillisecond: 40_000)
        ben.hear(.pathActivated(.internet), atMillisecond: 40_100)
        ben.hear(.judged(.good, .internet), atMillisecond: 41_000)
        #expect(ben.handover.sendingPaths == .both)
        ben.run(toMillisecond: 60_000)
        #expect(ben.handover.sendingPaths == .internet)
    }

    @Test("Nothing is said of an Internet that was not up when the way to it was lost")
    func cutOffWithoutInternet() {
        var pair = Pair()
        for event in [Handover.Event.started, .pathActivated(.local), .internetImpossible] {
            pair.hear(event, atMillisecond: 0)
        }
        pair.run(toMillisecond: 10_000)
        #expect(pair.notices.isEmpty && pair.handover.sendingPaths == .local)
    }
}
