import SansIO
import Testing

@testable import PeerTransport

@Suite("Where playout should stand (S-HO-004, D-15)")
struct PlayoutTargetTests {
    private let limits = JitterBuffer.Limits(JitterBuffer.Configuration())

    private static func instant(_ milliseconds: Int64) -> Instant {
        Instant.zero.advanced(by: .milliseconds(milliseconds))
    }

    /// A target that knows a second of frames which took 50 ms by path 1.
    private func known() -> PlayoutTarget {
        var target = PlayoutTarget(limits)
        for index in 0..<50 as Range<Int64> {
            let now = Self.instant(index * 20 + 50)
            target.observe(index, marks: [], path: 1, at: now, limits: limits)
        }
        return target
    }

    @Test("A pre-roll after a pause leaves the target where earlier frames had put it (trap 6)")
    func burstAfterPause() {
        var target = known()
        let before = target.transitNanoseconds
        #expect(before >= 50_000_000)
        // The path counts as in use no more, and the spurt's first frames are 300 ms old.
        let now = Self.instant(3_000)
        target.observe(135, marks: .burst, path: 1, at: now, limits: limits)
        #expect(target.transitNanoseconds == before)
    }

    @Test("Before any other frame the quickest of a pre-roll must do")
    func burstAlone() {
        var target = PlayoutTarget(limits)
        for index in 0..<10 as Range<Int64> {
            target.observe(index, marks: .burst, path: 1, at: Self.instant(250), limits: limits)
        }
        let quickest: Int64 = 250_000_000 - 9 * 20_000_000
        #expect(target.transitNanoseconds == quickest + target.delayNanoseconds)
    }

    @Test("A path that is slower than the buffer is long counts only while no other one delivers")
    func farPath() {
        var target = known()
        let before = target.transitNanoseconds
        // Its frames take 3,050 ms, the other path's 50; the last of those came at 1,030 ms.
        let early = Self.instant(-100 * 20 + 3_050)
        target.observe(-100, marks: [], path: 2, at: early, limits: limits)
        #expect(target.transitNanoseconds == before)
        let late = Self.instant(-70 * 20 + 3_050)
        target.observe(-70, marks: [], path: 2, at: late, limits: limits)
        #expect(target.transitNanoseconds == 3_050_000_000 + limits.floorNanoseconds)
    }

    @Test("The delay of a path that the buffer just reaches ends where the buffer does")
    func farthestPath() {
        var target = known()
        for step in 0..<50 as Range<Int64> {
            let transit: Int64 = step % 2 == 0 ? 2_400 : 2_600
            let now = Self.instant((step - 120) * 20 + transit)
            target.observe(step - 120, marks: [], path: 2, at: now, limits: limits)
        }
        #expect(target.transitNanoseconds == 50_000_000 + PlayoutTarget.reachNanoseconds)
    }

    @Test("A slower path may bring what it has not passed, for as long as it is in use (K-13)")
    func slowerPathMayBring() {
        var target = known()
        #expect(!target.mayBring(50, at: Self.instant(1_030)), "of one path a gap is a loss")
        for index in 0..<40 as Range<Int64> {
            let now = Self.instant(index * 20 + 250)
            target.observe(index, marks: [], path: 2, at: now, limits: limits)
        }
        #expect(target.mayBring(40, at: Self.instant(1_040)))
        #expect(!target.mayBring(39, at: Self.instant(1_040)), "it has brought that or lost it")
        #expect(target.mayBring(40, at: Self.instant(1_530)))
        #expect(!target.mayBring(40, at: Self.instant(1_531)))
    }

    @Test("What the quickest path lacks is lost, and a path beyond the buffer's reach is let be")
    func neitherQuickestNorFar() {
        var target = known()
        for step in 0..<45 as Range<Int64> {
            let now = Self.instant((step - 120) * 20 + 2_550)
            target.observe(step - 120, marks: [], path: 2, at: now, limits: limits)
        }
        #expect(!target.mayBring(0, at: Self.instant(1_040)), "2,500 ms slower")
        var cut = known()
        for index in 30..<55 as Range<Int64> {
            let now = Self.instant(index * 20 + 150)
            cut.observe(index, marks: [], path: 2, at: now, limits: limits)
        }
        #expect(!cut.mayBring(50, at: Self.instant(1_240)), "the radio's end")
    }
}
