import AppCoordination
import GroupSecurity
import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("A group cannot be followed by what its phones show (S-GRP-011)")
struct IntercomGroupSignTests {
    /// The app of somebody who is alone in a group.
    private struct Phone {
        var app: IntercomGroupCoordinator
        /// What was shown from when on, in seconds.
        private(set) var shown: [(second: Int64, period: SignPeriod, sign: [UInt8])] = []

        init() {
            var entropy = Entropy(seed: 1, label: "shown")
            app = IntercomGroupCoordinator(
                identity: MemberIdentity(entropy: &entropy),
                streamID: 7,
                judge: ThresholdJudge(),
                entropy: entropy
            )
        }

        mutating func hear(_ event: IntercomGroupEvent, atSecond second: Int64) {
            let now = Instant(nanoseconds: second * 1_000_000_000)
            note(app.handle(event, at: now), at: now)
        }

        /// Does what is due until then.
        mutating func run(toSecond second: Int64) {
            while let due = app.deadline?.instant, due.nanoseconds <= second * 1_000_000_000 {
                note(app.wake(at: due), at: due)
            }
        }

        private mutating func note(_ effects: [IntercomGroupEffect], at now: Instant) {
            for effect in effects {
                guard case .seekNearby(let hash, let period, let sign) = effect else { continue }
                #expect(hash == GroupCall.group.hash && hash.period(of: sign) == period)
                shown.append((now.nanoseconds / 1_000_000_000, period, sign))
            }
        }
    }

    @Test("Every quarter of an hour by the phone's clock another sign is shown")
    func renewed() {
        var phone = Phone()
        phone.hear(.clockShows(WallTime(secondsSince1970: 9_000 - 100)), atSecond: 0)
        phone.hear(.groupChosen(GroupCall.group, known: []), atSecond: 10)
        phone.run(toSecond: 2_000)
        #expect(phone.shown.map(\.second) == [10, 100, 1_000, 1_900])
        #expect(phone.shown.map(\.period.end.secondsSince1970) == [9_000, 9_900, 10_800, 11_700])
        let halves = phone.shown.flatMap { [Array($0.sign[..<16]), Array($0.sign[16...])] }
        #expect(Set(halves).count == halves.count, "no part of a sign stays")
    }

    @Test("A clock that is set counts at once")
    func clockSet() {
        var phone = Phone()
        phone.hear(.groupChosen(GroupCall.group, known: []), atSecond: 10)
        phone.hear(.clockShows(WallTime(secondsSince1970: 100)), atSecond: 20)
        phone.hear(.clockShows(WallTime(secondsSince1970: 9_899)), atSecond: 30)
        phone.run(toSecond: 40)
        // Set back within the period, which lasts longer for that.
        phone.hear(.clockShows(WallTime(secondsSince1970: 9_900)), atSecond: 50)
        phone.run(toSecond: 949)
        #expect(phone.shown.map(\.second) == [10, 30, 31])
        phone.run(toSecond: 951)
        #expect(phone.shown.map(\.second) == [10, 30, 31, 950])
    }

    @Test("Whoever has left shows nothing any more")
    func left() {
        var phone = Phone()
        phone.hear(.groupChosen(GroupCall.group, known: []), atSecond: 10)
        phone.hear(.groupLeft, atSecond: 20)
        phone.run(toSecond: 3_000)
        #expect(phone.shown.map(\.second) == [10])
    }
}
