@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaPhone
import SansIO
import Testing

// Which pushes are wanted, and what a push may not lead to.

extension CallMeterTests {
    @Test("A push for a call that is settled, or by a dead token, is needless (VP-07)")
    func needless() {
        var scene = placed()
        scene.add(push: PushSent(call: 1), at: 1_900)
        scene.add(push: PushRefused(call: 1, status: 410), at: 2_500)
        scene.add(push: PushSent(call: 1), at: 3_000)
        scene.add(DeviceRegistered(), at: 4_000)
        scene.add(push: PushSent(call: 1), at: 5_000)
        scene.add(push: PushRefused(call: 1, status: 503), at: 6_000)
        scene.add(push: PushSent(call: 1), at: 7_000)
        #expect(scene.findings().total("call.push.needless") == 1)
        scene.end(.cancelled, at: 8_000)
        scene.add(push: PushSent(call: 1), at: 8_001)
        #expect(scene.findings().total("call.push.needless") == 2)
        #expect(scene.findings().value("call.push.needless")?.samples == 5)
    }

    @Test("A call that lasts 15 s at the server wants a push that is accepted (VP-07)")
    func unpushed() {
        for (over, count) in [(16_499, 0), (16_500, 1)] as [(Int64, Int64)] {
            var scene = CallScene()
            scene.place(dialled: 1_000, placed: 1_500)
            scene.end(.unanswered, at: over)
            #expect(scene.findings().total("call.unpushed") == count)
            scene.accept(at: 2_000)
            #expect(scene.findings().total("call.unpushed") == 0)
        }
    }

    @Test("Kills and blocks are counted among the pushes that arrived (D-01, D-20)")
    func breaches() {
        var scene = CallScene()
        for instant in [1_000, 2_000, 3_000] as [Int64] {
            scene.add(PushReceived(call: 0), at: instant)
        }
        scene.add(PushUnreported(breach: TraceWord(.timedOut)), at: 10_000)
        scene.add(PushesBlocked(), at: 10_000)
        let findings = scene.findings()
        #expect(findings.total("call.push.unreported") == 1)
        #expect(findings.value("call.push.unreported")?.samples == 3)
        #expect(findings.total("call.push.blocked") == 1)
    }
}
