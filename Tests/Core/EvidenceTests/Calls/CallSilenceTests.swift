@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaPhone
import SansIO
import Testing

@Suite("Call metrics: pushes that cannot ring")
struct CallSilenceTests {
    /// A call whose push was accepted at 2 s.
    private func placed() -> CallScene {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.accept(at: 2_000)
        return scene
    }

    @Test("A push that is given up excuses the phone after its call, and not before (K-16)")
    func droppedPush() {
        func findings(
            droppedAt dropped: Int64,
            _ reason: PushLoss = .expired,
            receivedAt received: Int64? = nil
        ) -> Findings {
            var scene = placed()
            if let received { scene.add(PushReceived(call: 1), at: received) }
            if dropped < 27_000 {
                scene.add(push: PushDropped(call: 1, reason: TraceWord(reason)), at: dropped)
            }
            scene.end(.unanswered, at: 27_000)
            if dropped >= 27_000 {
                scene.add(push: PushDropped(call: 1, reason: TraceWord(reason)), at: dropped)
            }
            return scene.findings()
        }
        #expect(findings(droppedAt: 27_001).value("call.unrung")?.samples == 0)
        // Its time was over too soon, the app was no more, or the push had come and rang nowhere.
        #expect(findings(droppedAt: 26_999).total("call.unrung") == 1)
        #expect(findings(droppedAt: 27_001, .appRemoved).total("call.unrung") == 1)
        #expect(findings(droppedAt: 27_001, receivedAt: 3_000).total("call.unrung") == 1)
    }

    @Test("A push that comes within half a second of its call's end need not ring (K-16)")
    func pushedAtTheEnd() {
        for (received, count) in [(26_500, 1), (26_501, 0)] as [(Int64, Int)] {
            var scene = placed()
            scene.add(PushReceived(call: 1), at: received)
            scene.ring(received..<27_000)
            scene.end(.unanswered, at: 27_000)
            let rung = scene.findings()
            #expect(rung.total("call.unrung") == 0)
            #expect(rung.value("call.unrung")?.samples == count)
        }
    }

    @Test("A phone that is told of the end before it can ring need not; later it must (D-03)")
    func toldOver() {
        func findings(toldAt told: Int64?) -> Findings {
            var scene = placed()
            if let told, told < 2_100 { scene.add(EndSignalled(call: 1), at: told) }
            scene.add(PushReceived(call: 1), at: 2_100)
            if let told, told >= 2_100 { scene.add(EndSignalled(call: 1), at: told) }
            scene.end(.unanswered, at: 27_000)
            return scene.findings()
        }
        #expect(findings(toldAt: nil).total("call.unrung") == 1)
        #expect(findings(toldAt: 2_050).value("call.unrung")?.samples == 0)
        #expect(findings(toldAt: 6_100).value("call.unrung")?.samples == 0)
        #expect(findings(toldAt: 6_101).total("call.unrung") == 1)
        // What rang before it was told so has rung.
        var rung = placed()
        rung.add(CallRinging(call: 1), at: 2_500)
        rung.add(EndSignalled(call: 1), at: 3_500)
        rung.add(CallRingEnded(call: 1, end: TraceWord(.endedByApp)), at: 3_500)
        rung.end(.unanswered, at: 27_000)
        #expect(rung.findings().value("call.unrung")?.samples == 1)
    }
}
