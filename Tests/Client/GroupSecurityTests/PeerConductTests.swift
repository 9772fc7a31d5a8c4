import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("A peer's conduct")
struct PeerConductTests {
    /// How many refusals, one every so many milliseconds, cut a peer; `nil` if none does.
    private func refusalsUntilCut(
        _ refusal: PacketRefusal,
        everyMilliseconds period: Int64,
        among count: Int,
        besideAuthentic: Bool = false
    ) -> Int? {
        var conduct = PeerConduct()
        var effects: [PeerConduct.Effect] = []
        for index in 1...count {
            let now = Instant(nanoseconds: Int64(index) * period * 1_000_000)
            effects += conduct.handle(
                .packetRefused(refusal, besideAuthentic: besideAuthentic),
                at: now
            )
            guard effects.isEmpty else {
                #expect(effects == [.cut(refusal)])
                #expect(conduct.isFinished && conduct.counts[refusal] == Int64(index))
                return index
            }
        }
        #expect(conduct.counts.total == Int64(count))
        return nil
    }

    @Test("Another group is cut at once (S-GRP-012, A-F-019)")
    func foreign() {
        #expect(refusalsUntilCut(.foreignGroup, everyMilliseconds: 0, among: 10) == 1)
        #expect(refusalsUntilCut(.foreignMember, everyMilliseconds: 0, among: 10) == 1)
    }

    @Test("What anybody on the air can send keeps no member out for longer than a cut (S-SEC-004)")
    func bars() {
        let barring = PacketRefusal.allCases.filter(\.barsPeer)
        #expect(barring == [.foreignGroup, .foreignMember, .unreadable])
    }

    @Test("Forgery is borne twenty times and then cut, unless it is rarer than one a second")
    func deceit() {
        for refusal in [PacketRefusal.forged, .malformed, .unknownVersion, .reflected, .unreadable]
        {
            #expect(refusalsUntilCut(refusal, everyMilliseconds: 0, among: 100) == 21)
            #expect(refusalsUntilCut(refusal, everyMilliseconds: 20, among: 100) == 21)
            #expect(refusalsUntilCut(refusal, everyMilliseconds: 500, among: 100) == 40)
            #expect(refusalsUntilCut(refusal, everyMilliseconds: 1_000, among: 5_000) == nil)
        }
    }

    @Test("Replays at the rate of voice cut, a link's own copies never do (S-SEC-004)")
    func repetition() {
        #expect(refusalsUntilCut(.replayed, everyMilliseconds: 20, among: 1_000) == 313)
        // One frame in a hundred doubled by the link, at 50 a second.
        #expect(refusalsUntilCut(.replayed, everyMilliseconds: 2_000, among: 10_000) == nil)
    }

    @Test("The tail of a session that ended is borne for ten seconds of voice")
    func leftovers() {
        #expect(refusalsUntilCut(.unknownSession, everyMilliseconds: 20, among: 10_000) == nil)
        #expect(refusalsUntilCut(.unknownSession, everyMilliseconds: 10, among: 2_000) == 1_000)
    }

    @Test(
        "What anybody can send in a peer's name never cuts one that is heard beside it (S-SEC-004)"
    )
    func vouchedFor() {
        for refusal in PacketRefusal.allCases {
            let count = refusalsUntilCut(
                refusal,
                everyMilliseconds: 1,
                among: 10_000,
                besideAuthentic: true
            )
            #expect(count == (refusal == .unreadable ? 21 : nil), "\(refusal)")
        }
    }

    @Test("What was cut says nothing more")
    func finished() {
        var conduct = PeerConduct()
        var effects: [PeerConduct.Effect] = []
        for _ in 0..<100 {
            effects += conduct.handle(.packetRefused(.forged, besideAuthentic: false), at: .zero)
        }
        #expect(effects.count == 1)
        #expect(conduct.counts.total == 21)
    }

    @Test("The record keeps the laws of a state machine", arguments: 0..<20 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        var cuts = 0
        try checkLaws(
            seed: seed,
            steps: 2_000,
            make: { PeerConduct() },
            frame: { _ in
                cuts += 1
                return nil
            }
        ) { random, _ in
            let honest: [PacketRefusal] = [.replayed, .stale, .unknownSession, .unknownEpoch]
            let all = PacketRefusal.allCases
            return .packetRefused(
                random.chance(percent: 98) ? honest[random.below(4)] : all[random.below(all.count)],
                besideAuthentic: random.chance(percent: 10)
            )
        }
        #expect(cuts > 0, "a record that never cuts proves little")
    }
}
