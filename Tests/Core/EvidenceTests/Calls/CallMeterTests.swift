@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaPhone
import SansIO
import Testing

@Suite("Call metrics: rings, ends, notices")
struct CallMeterTests {
    /// A call that was dialled at 1 s and whose push was accepted at 2 s.
    func placed(_ state: AppState = .suspended) -> CallScene {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.accept(state, at: 2_000)
        return scene
    }

    @Test("A ring counts from the push's acceptance, by how the app stood then (K-16, VP-04)")
    func ringTime() {
        var scene = placed(.killed)
        // Another push for the same call is no new beginning.
        scene.accept(.background, at: 2_500)
        scene.ring(3_024..<9_024)
        let findings = scene.findings()
        #expect(findings.milliseconds("call.ring.time") == [1_024])
        #expect(findings.milliseconds("call.ring.killed.time") == [1_024])
        #expect(findings.milliseconds("call.ring.background.time") == [])
        #expect(findings.milliseconds("call.place.time") == [2_024])
        #expect(findings.total("call.unrung") == 0)
        #expect(findings.value("call.unrung")?.samples == 1)
    }

    @Test("A phone that was unreachable when the push was accepted counts for no ring time (K-16)")
    func unreachable() {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.accept(isReachable: false, at: 2_000)
        scene.ring(20_000..<25_000)
        let findings = scene.findings()
        #expect(findings.milliseconds("call.ring.time") == [])
        #expect(findings.value("call.unrung")?.samples == 0)
        #expect(findings.milliseconds("call.place.time") == [19_000])
    }

    @Test("A call is placed with the first ring on whichever of the callee's phones (VP-09)")
    func placeTime() {
        var scene = placed()
        scene.accept(for: .pad, at: 2_000)
        scene.ring(at: .pad, 2_280..<9_000)
        scene.ring(3_000..<6_000)
        #expect(scene.findings().milliseconds("call.place.time") == [1_280])
    }

    @Test("A push that led to no ring counts if the call went on for 15 s (K-16)")
    func unrung() {
        for (over, count) in [(16_999, 0), (17_000, 1)] as [(Int64, Int64)] {
            var scene = placed()
            scene.end(.cancelled, at: over)
            #expect(scene.findings().total("call.unrung") == count)
        }
        var going = placed()
        #expect(going.findings(until: 16_000).total("call.unrung") == 0)
        #expect(going.findings(until: 17_000).total("call.unrung") == 1)
        // A push that belongs to no call leads to none.
        going = CallScene()
        going.accept(at: 2_000)
        #expect(going.findings().value("call.unrung")?.samples == 0)
    }

    @Test("A phone that is cut off, or whose app is thrown out as it rings, need not ring (K-16)")
    func unrungForAReason() {
        for (until, count) in [(14_000, 1), (14_001, 0)] as [(Int64, Int64)] {
            var scene = placed()
            scene.outage(4_000..<until)
            scene.end(.unanswered, at: 27_000)
            #expect(scene.findings().total("call.unrung") == count, "\(until)")
        }
        for (act, count) in [(UserAct.killApp, 0), (.leaveApp, 1)] as [(UserAct, Int64)] {
            var scene = placed()
            scene.act(act, at: 3_100)
            scene.ring(3_000..<3_100, .appEnded)
            #expect(scene.findings().total("call.unrung") == count, "\(act)")
        }
    }

    @Test("An app that is thrown out as its push launches it need not ring, if not later (K-16)")
    func thrownOutBeforeItRings() {
        for (milliseconds, count) in [(6_050, 0), (6_051, 1)] as [(Int64, Int64)] {
            var scene = placed(.killed)
            scene.add(PushReceived(call: 1), at: 2_050)
            scene.add(AppLaunched(), at: 2_050)
            scene.act(.killApp, at: milliseconds)
            scene.add(AppTerminated(), at: milliseconds)
            scene.end(.unanswered, at: 27_000)
            #expect(scene.findings().total("call.unrung") == count, "\(milliseconds) ms")
        }
    }

    @Test("An app that has not run since its token was replaced need not ring (K-16)")
    func tokenReplacedUntold() {
        func unrung(_ change: (inout CallScene) -> Void) -> MetricValue? {
            var scene = CallScene()
            scene.place(dialled: 1_000, placed: 1_500)
            change(&scene)
            scene.end(.unanswered, at: 60_000)
            return scene.findings().value("call.unrung")
        }
        func replace(_ scene: inout CallScene) {
            scene.add(AppLaunched(), at: 0)
            scene.add(AppTerminated(), at: 100)
            scene.add(push: PushTokenReplaced(), at: 200)
        }
        let untold = unrung {
            replace(&$0)
            $0.accept(.killed, at: 2_000)
        }
        #expect(untold?.samples == 0)
        let told = unrung {
            replace(&$0)
            $0.add(AppLaunched(), at: 300)
            $0.accept(.killed, at: 2_000)
        }
        #expect(told?.samples == 1)
        // A later push by the new token counts by itself.
        let later = unrung {
            replace(&$0)
            $0.accept(.killed, at: 2_000)
            $0.add(AppLaunched(), at: 30_000)
            $0.accept(.foreground, at: 31_000)
        }
        #expect(later?.samples == 1)
    }

    @Test(
        "An app that ended before the server had its new token need not ring; one that told it must (K-16)"
    )
    func tokenNotRegistered() {
        for (isRegistered, samples) in [(false, 0), (true, 1)] {
            var scene = CallScene()
            scene.place(dialled: 1_000, placed: 1_500)
            scene.add(AppLaunched(), at: 0)
            scene.add(push: PushTokenReplaced(), at: 200)
            if isRegistered { scene.add(DeviceRegistered(), at: 300) }
            scene.add(AppTerminated(), at: 400)
            scene.accept(.killed, at: 2_000)
            scene.end(.unanswered, at: 60_000)
            #expect(scene.findings().value("call.unrung")?.samples == samples)
        }
    }

    @Test(
        "An app that is held since before the server had its new token need not ring; one that runs must (K-16)",
        arguments: [(AppState.suspended, 0), (.foreground, 1), (.background, 1)]
    )
    func tokenReplacedSuspended(state: AppState, samples: Int) {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.add(AppLaunched(), at: 0)
        scene.add(push: PushTokenReplaced(), at: 200)
        scene.accept(state, at: 2_000)
        scene.end(.unanswered, at: 60_000)
        #expect(scene.findings().value("call.unrung")?.samples == samples)
        // Once the server has it, it must.
        var registered = CallScene()
        registered.place(dialled: 1_000, placed: 1_500)
        registered.add(AppLaunched(), at: 0)
        registered.add(push: PushTokenReplaced(), at: 200)
        registered.add(DeviceRegistered(), at: 300)
        registered.accept(state, at: 2_000)
        registered.end(.unanswered, at: 60_000)
        #expect(registered.findings().total("call.unrung") == 1)
    }

    @Test("A push that Do Not Disturb silences need not ring; one let through must (K-16)")
    func silenced() {
        func unrung(_ change: (inout CallScene) -> Void) -> Int64? {
            var scene = placed()
            scene.focus(1_000..<60_000)
            change(&scene)
            scene.add(PushReceived(call: 1), at: 2_100)
            return scene.findings().total("call.unrung")
        }
        #expect(unrung { _ in } == 0)
        #expect(unrung { $0.act(.allowInFocus, at: 1_500) } == 1)
        #expect(
            unrung {
                $0.act(.allowInFocus, at: 1_500)
                $0.act(.silenceInFocus, at: 1_600)
            } == 0
        )
        var later = placed()
        later.add(PushReceived(call: 1), at: 2_100)
        later.focus(3_000..<60_000)
        #expect(later.findings().total("call.unrung") == 1)
    }

    @Test("A call screen that is gone within half a second is no ring (K-16, K-17)")
    func flash() {
        var scene = placed()
        scene.ring(3_000..<3_499)
        scene.end(.unanswered, at: 30_000)
        let findings = scene.findings()
        #expect(findings.milliseconds("call.ring.time") == [28_000])
        #expect(findings.occasions("call.ring.time")?.censoredCount == 1)
        #expect(findings.milliseconds("call.place.time") == [29_000])
        #expect(findings.occasions("call.place.time")?.censoredCount == 1)
        #expect(findings.total("call.unrung") == 1)
        #expect(findings.value("call.duplicates.rung")?.samples == 0)
    }

    @Test("A call that is answered within half a second has rung (K-16)")
    func quickAnswer() {
        var scene = placed()
        scene.ring(3_024..<3_100, .answered)
        let findings = scene.findings()
        #expect(findings.milliseconds("call.ring.time") == [1_024])
        #expect(findings.value("call.duplicates.rung")?.samples == 1)
    }

    @Test("A second ring of one phone for one call is a duplicate; a flash is not (K-17)")
    func duplicates() {
        var scene = placed()
        scene.ring(3_000..<5_000)
        scene.ring(6_000..<6_499)
        #expect(scene.findings().total("call.duplicates.rung") == 0)
        scene.ring(at: .pad, 6_000..<9_000)
        scene.ring(call: 2, 6_000..<9_000)
        #expect(scene.findings().total("call.duplicates.rung") == 0)
        scene.ring(10_000..<10_500)
        #expect(scene.findings().total("call.duplicates.rung") == 1)
        #expect(scene.findings().milliseconds("call.ring.time") == [1_000])
    }

    @Test("A ring that lasts to the end of the run is one (K-16, K-17)")
    func ringsOn() {
        var scene = placed()
        scene.add(CallRinging(call: 1), at: 3_024)
        let findings = scene.findings(until: 30_000)
        #expect(findings.milliseconds("call.ring.time") == [1_024])
        #expect(findings.total("call.unrung") == 0)
    }

    @Test("A ghost rings after the server knew the end, or an answer elsewhere (D-03)")
    func ghosts() {
        var ended = placed()
        ended.ring(3_000..<10_000)
        ended.end(.cancelled, at: 8_976)
        #expect(ended.findings().milliseconds("call.ghost_ring.time") == [1_024])
        var taken = placed()
        taken.ring(at: .pad, 3_000..<6_000, .answered)
        taken.take(at: 6_100)
        taken.ring(3_000..<7_124)
        taken.end(.hungUp, at: 60_000)
        #expect(taken.findings().milliseconds("call.ghost_ring.time") == [0, 1_024])
        var late = placed()
        late.end(.cancelled, at: 3_000)
        late.ring(10_000..<11_024)
        #expect(late.findings().milliseconds("call.ghost_ring.time") == [1_024])
        var endless = placed()
        endless.add(CallRinging(call: 1), at: 3_000)
        endless.end(.cancelled, at: 8_976)
        #expect(endless.findings(until: 10_000).milliseconds("call.ghost_ring.time") == [1_024])
    }

    @Test("While a phone is unreachable its ghost is nobody's fault (D-03)")
    func unreachableGhost() {
        var scene = placed()
        scene.ring(3_000..<20_000)
        scene.outage(4_000..<6_000)
        scene.outage(7_024..<20_000)
        scene.outage(of: .pad, 4_000..<60_000)
        scene.end(.cancelled, at: 5_000)
        // Of 15 s since the end, 1 s and 12.976 s were without a path.
        #expect(scene.findings().milliseconds("call.ghost_ring.time") == [1_024])
    }

    @Test("A user's end takes until the other side's app knows, however it came about (VP-05)")
    func ends() {
        var declined = placed()
        declined.ring(3_000..<6_000, .declined)
        declined.add(CallEnded(call: 1, reason: TraceWord(.declined)), at: 6_000)
        declined.add(CallEnded(call: 1, reason: TraceWord(.declined)), of: .aoi, at: 7_024)
        #expect(declined.findings().milliseconds("call.end.time") == [1_024])
        var cancelled = placed()
        cancelled.ring(3_000..<7_024)
        cancelled.ring(at: .pad, 3_000..<6_500)
        cancelled.endByUser(of: .aoi, .cancelled, at: 6_000)
        #expect(cancelled.findings().milliseconds("call.end.time") == [1_024])
        var hungUp = placed()
        hungUp.ring(3_000..<6_000, .answered)
        hungUp.add(CallConnected(call: 1), at: 7_000)
        hungUp.endByUser(of: .phone, .hungUp, at: 20_000)
        #expect(hungUp.findings(until: 22_048).milliseconds("call.end.time") == [2_048])
        hungUp.add(CallEnded(call: 1, reason: TraceWord(.hungUp)), of: .aoi, at: 21_024)
        #expect(hungUp.findings(until: 22_048).milliseconds("call.end.time") == [1_024])
    }

    @Test("A decline that another phone's answer has overtaken ends nothing (VP-05)")
    func declinedTooLate() {
        for taken in [5_000, 7_000] as [Int64] {
            var scene = placed()
            scene.ring(3_000..<4_800, .answered)
            scene.ring(at: .pad, 3_000..<6_000, .declined)
            scene.take(at: taken)
            scene.add(CallEnded(call: 1, reason: TraceWord(.declined)), of: .pad, at: 6_000)
            scene.add(CallConnected(call: 1), at: 8_000)
            #expect(scene.findings().milliseconds("call.end.time") == [])
            scene.endByUser(of: .aoi, .hungUp, at: 60_000)
            scene.add(CallEnded(call: 1, reason: TraceWord(.hungUp)), at: 61_024)
            #expect(scene.findings().milliseconds("call.end.time") == [1_024])
        }
    }

    @Test("An answer takes back no decline that the server had first, and no hang-up (VP-05)")
    func answeredTooLate() {
        var declined = placed()
        declined.ring(at: .pad, 3_000..<6_000, .declined)
        declined.end(.declined, at: 6_200)
        declined.take(at: 6_500)
        declined.add(CallEnded(call: 1, reason: TraceWord(.declined)), of: .aoi, at: 7_024)
        #expect(declined.findings().milliseconds("call.end.time") == [1_024])
        var hungUp = placed()
        hungUp.ring(3_000..<4_800, .answered)
        hungUp.ring(at: .pad, 3_000..<6_000, .declined)
        hungUp.endByUser(of: .aoi, .hungUp, at: 6_400)
        hungUp.take(at: 7_000)
        hungUp.add(CallEnded(call: 1, reason: TraceWord(.hungUp)), at: 7_424)
        #expect(hungUp.findings().milliseconds("call.end.time") == [1_024])
    }

    @Test("What ends by the server's word, or by itself, is no user's end")
    func endsOfNobody() {
        var scene = placed()
        scene.ring(3_000..<28_000)
        scene.end(.unanswered, at: 28_000)
        scene.add(CallEnded(call: 1, reason: TraceWord(.unanswered)), at: 28_000)
        scene.add(CallEnded(call: 1, reason: TraceWord(.unanswered)), of: .aoi, at: 29_000)
        #expect(scene.findings().milliseconds("call.end.time") == [])
    }

    @Test("A missed call wants a notice on one of the callee's phones (VP-05)")
    func unnoticed() {
        var scene = placed()
        scene.accept(for: .pad, at: 2_000)
        scene.end(.unanswered, at: 30_000)
        #expect(scene.findings().total("call.missed.unnoticed") == 1)
        scene.add(MissedCallShown(call: 1), of: .pad, at: 40_000)
        let findings = scene.findings()
        #expect(findings.total("call.missed.unnoticed") == 0)
        #expect(findings.value("call.missed.unnoticed")?.samples == 1)
    }

    @Test("No notice is owed for a call that was no miss, ended late, or to dark phones (VP-05)")
    func nothingOwed() {
        var declined = placed()
        declined.end(.declined, at: 30_000)
        var late = placed()
        late.end(.unanswered, at: 140_001)
        var dark = placed()
        dark.end(.unanswered, at: 30_000)
        dark.outage(150_000..<150_001)
        // Who declines knows of the call, though the server may not hear of it in time.
        var untold = placed()
        untold.ring(3_000..<6_000, .declined)
        untold.end(.unanswered, at: 28_000)
        for scene in [declined, dark, untold] {
            #expect(scene.findings().value("call.missed.unnoticed")?.samples == 0)
        }
        #expect(late.findings().occasions("call.missed.unnoticed")?.censoredCount == 1)
    }

    @Test("No notice is owed by an app that has not run since its token was replaced (VP-05)")
    func sleepingWithOldToken() {
        for (launched, samples) in [(0, 0), (90_000, 1)] as [(Int64, Int)] {
            var scene = CallScene()
            scene.place(dialled: 1_000, placed: 1_500)
            scene.add(AppLaunched(), at: 0)
            scene.add(AppTerminated(), at: 100)
            scene.add(push: PushTokenReplaced(), at: 200)
            scene.accept(.killed, at: 2_000)
            scene.end(.unanswered, at: 30_000)
            if launched > 0 { scene.add(AppLaunched(), at: launched) }
            #expect(scene.findings().value("call.missed.unnoticed")?.samples == samples)
        }
    }

    @Test("No notice is owed by an app that slept and whose push was given up (VP-05)")
    func sleeping() {
        // Until when the app is in sight, after it was launched; then it is launched anew.
        for (isDropped, seen, launched, samples) in [
            (true, 20_000, 0, 0), (true, 40_000, 0, 0), (true, 40_001, 0, 1), (true, 0, 0, 1),
            (true, 20_000, 90_000, 1), (false, 20_000, 0, 1),
        ] as [(Bool, Int64, Int64, Int)] {
            var scene = placed(.background)
            scene.add(AppLaunched(), at: 0)
            scene.add(SceneChanged(phase: .active), at: 500)
            if seen > 0 { scene.add(SceneChanged(phase: .background), at: seen) }
            scene.end(.unanswered, at: 30_000)
            if isDropped {
                let dropped = PushDropped(call: 1, reason: TraceWord(.expired))
                scene.add(push: dropped, at: 50_000)
            }
            if launched > 0 { scene.add(AppLaunched(), at: launched) }
            #expect(scene.findings().value("call.missed.unnoticed")?.samples == samples)
            scene.add(MissedCallShown(call: 1), at: 100_000)
            #expect(scene.findings().value("call.missed.unnoticed")?.samples == 1)
        }
    }

    @Test("A notice of a call that was answered, declined or gave way is needless (VP-05)")
    func needlessNotices() {
        for (reason, isTaken, samples) in [
            (.hungUp, true, 1), (.declined, false, 1), (.crossed, false, 1), (.busy, false, 0),
        ] as [(CallEnding, Bool, Int)] {
            var scene = placed()
            if isTaken { scene.take(at: 5_000) }
            scene.end(reason, at: 30_000)
            #expect(scene.findings().total("call.missed.needless") == 0)
            scene.add(MissedCallShown(call: 1), at: 40_000)
            let findings = scene.findings()
            #expect(findings.value("call.missed.needless")?.samples == samples)
            #expect(findings.total("call.missed.needless") == Int64(samples))
        }
    }

    @Test("A notice that a phone shows twice breaks the invariant; two phones may show one (VP-05)")
    func oneNotice() {
        var scene = placed()
        scene.end(.unanswered, at: 30_000)
        scene.add(MissedCallShown(call: 1), at: 31_000)
        scene.add(MissedCallShown(call: 2), at: 31_000)
        scene.add(MissedCallShown(call: 1), of: .pad, at: 31_000)
        #expect(violations(of: scene) == 0)
        scene.add(MissedCallShown(call: 1), at: 60_000)
        #expect(violations(of: scene) == 1)
    }

    private func violations(of scene: CallScene, _ name: String = "call.one-notice") -> Int? {
        let meter = RunMeter.of(scene.trace(until: 200_000))
        return meter.invariants.first { $0.name == name }?.violationCount
    }

    @Test("The caller waits until the app says connected or over, or the run ends (VP-09)")
    func wait() {
        var scene = placed()
        #expect(scene.findings(until: 11_240).milliseconds("call.wait.time") == [10_240])
        scene.add(CallEnded(call: 1, reason: TraceWord(.busy)), of: .aoi, at: 3_048)
        #expect(scene.findings().milliseconds("call.wait.time") == [2_048])
        scene.add(CallConnected(call: 1), of: .aoi, at: 2_024)
        #expect(scene.findings().milliseconds("call.wait.time") == [1_024])
    }

    @Test("An app that says something wrong of a call breaks the invariant (VP-08, D-02)")
    func events() {
        var scene = placed()
        scene.add(
            CallTold(call: 1, event: TraceWord(.answered), isRight: TraceFlag(true)),
            at: 5_000
        )
        #expect(violations(of: scene, "call.events-right") == 0)
        scene.add(CallTold(call: 1, event: TraceWord(.ended), isRight: TraceFlag(false)), at: 6_000)
        #expect(violations(of: scene, "call.events-right") == 1)
    }
}
