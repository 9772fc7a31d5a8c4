@testable import KodamaEvidence
@testable import KodamaSession
import SansIO
import Testing

@Suite("Session metrics: users who speak into what the agent says")
struct SessionTurnTakingTests {
    private func speaks(_ kind: Interjection) -> Interjected {
        Interjected(interjection: TraceWord(kind), begins: TraceFlag(true))
    }

    private func silent(at milliseconds: Int64, brokenOff: Bool) -> AgentFellSilent {
        AgentFellSilent(
            until: .ns(milliseconds * 1_000_000),
            isBrokenOff: TraceFlag(brokenOff)
        )
    }

    @Test("An agent that stops for an interruption has heard it; one that is done has not (K-09)")
    func bargeIns() {
        var scene = SessionScene()
        for round in 0..<2 as Range<Int64> {
            let start = 1_000 + round * 10_000
            scene.add(speaks(.bargeIn), at: start)
            scene.add(silent(at: start + 640, brokenOff: true), at: start + 700)
            scene.add(speaks(.bargeIn), at: start + 2_000)
            scene.add(silent(at: start + 2_100, brokenOff: false), at: start + 2_200)
        }
        scene.add(speaks(.bargeIn), at: 30_000)
        let findings = scene.findings(until: 40_000)
        // The last one is open when the run ends, and counts with its least.
        #expect(findings.milliseconds("turns.barge_in.time") == [640, 640, 10_000])
        #expect(findings.proportion("turns.backchannel.stops") ?? [] == [0, 0])
    }

    @Test(
        "A backchannel is a false stop if it breaks the agent off, and no interruption does (K-09)"
    )
    func backchannels() {
        var scene = SessionScene()
        for (start, isBrokenOff) in [(1_000, true), (5_000, false), (9_000, true)] {
            scene.add(speaks(.backchannel), at: Int64(start))
            let end = Int64(start) + 800
            scene.add(silent(at: end, brokenOff: isBrokenOff), at: end)
        }
        scene.add(speaks(.backchannel), at: 20_000)
        scene.add(speaks(.bargeIn), at: 20_300)
        scene.add(silent(at: 21_000, brokenOff: true), at: 21_000)
        let findings = scene.findings(until: 40_000)
        #expect(findings.proportion("turns.backchannel.stops") == [2, 3])
        #expect(findings.milliseconds("turns.barge_in.time") == [700])
    }
}
