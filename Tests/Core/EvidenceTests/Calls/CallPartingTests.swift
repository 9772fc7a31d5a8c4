@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaPhone
import SansIO
import Testing

@Suite("Call metrics: apps that are gone, sides that are alone, users who are logged out")
struct CallPartingTests {
    /// A call that was dialled at 1 s, whose push was accepted at 2 s, and that rings at 3 s.
    private func ringing(until end: Int64, _ how: RingEnd) -> CallScene {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.accept(at: 2_000)
        scene.ring(3_000..<end, how)
        return scene
    }

    /// A call that Ren answers at 5 s and whose app says at 6 s that it is connected.
    private func joined() -> CallScene {
        var scene = ringing(until: 5_000, .answered)
        scene.take(at: 5_200)
        scene.add(CallConnected(call: 1), at: 6_000)
        return scene
    }

    // MARK: Gone

    @Test("A caller whose process ended while it rang is waited for by nobody (VP-05, VP-09)")
    func callerGone() {
        var scene = ringing(until: 6_000, .declined)
        scene.add(AppTerminated(), of: .aoi, at: 5_000)
        let findings = scene.findings()
        #expect(findings.milliseconds("call.end.time") == [])
        #expect(findings.milliseconds("call.wait.time") == [4_000])
        // The callee's other phone is.
        scene.ring(at: .pad, 3_000..<7_000)
        #expect(scene.findings().milliseconds("call.end.time") == [1_000])
    }

    @Test("A process that ends after the user's end is done with the call then (VP-05)")
    func goneAfterwards() {
        var scene = ringing(until: 6_000, .declined)
        scene.add(AppTerminated(), of: .aoi, at: 8_000)
        #expect(scene.findings().milliseconds("call.end.time") == [2_000])
    }

    @Test("A callee whose process ended before it was connected is waited for by nobody (VP-05)")
    func calleeGone() {
        var scene = ringing(until: 5_000, .answered)
        scene.endByUser(of: .aoi, .hungUp, at: 7_000)
        #expect(scene.findings(until: 9_000).milliseconds("call.end.time") == [2_000])
        scene.add(AppTerminated(), at: 6_000)
        #expect(scene.findings(until: 9_000).milliseconds("call.end.time") == [])
    }

    @Test("A call that reaches the server after its caller's process is gone has no caller (VP-09)")
    func placedByTheDead() {
        for (death, ends) in [(1_200, []), (900, [194_000])] as [(Int64, [Double])] {
            var scene = ringing(until: 6_000, .declined)
            scene.add(AppTerminated(), of: .aoi, at: death)
            #expect(scene.findings().milliseconds("call.end.time") == ends, "\(death)")
        }
    }

    // MARK: Alone

    @Test("A side is alone until the other joins, and from when that is done (VP-05, VP-09)")
    func alone() {
        var scene = joined()
        #expect(scene.findings(until: 10_000).milliseconds("call.alone.time") == [4_000])
        scene.add(CallConnected(call: 1), of: .aoi, at: 7_000)
        #expect(scene.findings().milliseconds("call.alone.time") == [1_000])
        scene.add(CallEnded(call: 1, reason: TraceWord(.hungUp)), at: 60_000)
        scene.add(CallEnded(call: 1, reason: TraceWord(.hungUp)), of: .aoi, at: 62_000)
        #expect(scene.findings().milliseconds("call.alone.time") == [2_000])
    }

    @Test("Whose other side is gone is alone, as far as the phone is reachable (VP-05)")
    func otherGone() {
        var scene = joined()
        scene.add(CallConnected(call: 1), of: .aoi, at: 6_000)
        scene.add(AppTerminated(), of: .aoi, at: 20_000)
        scene.add(CallEnded(call: 1, reason: TraceWord(.failed)), at: 80_000)
        #expect(scene.findings().milliseconds("call.alone.time") == [60_000])
        // The other's path is nothing to it, and its own excuses it.
        scene.outage(of: .aoi, 30_000..<50_000)
        #expect(scene.findings().milliseconds("call.alone.time") == [60_000])
        scene.outage(30_000..<50_000)
        #expect(scene.findings().milliseconds("call.alone.time") == [40_000])
    }

    @Test("A call that no app says is connected leaves nobody alone (VP-05)")
    func neverJoined() {
        let scene = ringing(until: 5_000, .answered)
        #expect(scene.findings().milliseconds("call.alone.time") == [])
        #expect(scene.findings().milliseconds("call.unheard.time") == [])
    }

    @Test("Nobody is heard until voice comes, and when it comes no more, on each phone (VP-05)")
    func unheard() {
        var scene = joined()
        #expect(scene.findings(until: 10_000).milliseconds("call.unheard.time") == [4_000])
        scene.add(CallConnected(call: 1), of: .aoi, at: 7_000)
        scene.hear(at: .phone, 8_000..<30_000)
        scene.hear(at: .aoi, 8_000..<20_000)
        scene.add(CallEnded(call: 1, reason: TraceWord(.failed)), at: 90_000)
        // Here from the last voice to the app's end, there to the run's, whatever a path excuses.
        scene.outage(of: .aoi, 20_000..<60_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("call.unheard.time") == [60_000, 80_000])
        scene.add(AppTerminated(), of: .aoi, at: 21_000)
        #expect(scene.findings().milliseconds("call.unheard.time") == [1_000, 60_000])
    }

    @Test("Of several times in which nobody is heard the longest counts (VP-05)")
    func unheardTwice() {
        var scene = joined()
        scene.hear(at: .phone, 6_000..<10_000)
        scene.hear(at: .phone, 15_000..<20_000)
        scene.add(CallEnded(call: 1, reason: TraceWord(.hungUp)), at: 22_000)
        #expect(scene.findings().milliseconds("call.unheard.time") == [5_000])
    }

    // MARK: Logged out

    @Test("No notice is owed to a user who is logged out on all phones to the end (VP-05, RS-12)")
    func loggedOut() {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.accept(at: 2_000)
        scene.accept(for: .pad, at: 2_000)
        scene.end(.unanswered, at: 30_000)
        scene.act(.logOutOfCalls, at: 4_000)
        #expect(scene.findings().total("call.missed.unnoticed") == 1)
        scene.act(.logOutOfCalls, of: .pad, at: 30_000)
        #expect(scene.findings().value("call.missed.unnoticed")?.samples == 0)
        // Who signs in again is to learn of it.
        scene.act(.signInToCalls, of: .pad, at: 60_000)
        #expect(scene.findings().total("call.missed.unnoticed") == 1)
        scene.add(MissedCallShown(call: 1), of: .pad, at: 61_000)
        #expect(scene.findings().total("call.missed.unnoticed") == 0)
        #expect(scene.findings().value("call.missed.unnoticed")?.samples == 1)
    }

    @Test("Who logs out ends the calls that they are in, and none that rings (VP-05, RS-12)")
    func loggedOutRinging() {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.add(CallRinging(call: 1), at: 3_000)
        scene.act(.logOutOfCalls, at: 5_000)
        scene.add(CallEnded(call: 1, reason: TraceWord(.signedOut)), at: 5_000)
        scene.add(CallRingEnded(call: 1, end: TraceWord(.endedByApp)), at: 5_000)
        #expect(scene.findings().milliseconds("call.end.time") == [])
        var talking = joined()
        talking.act(.logOutOfCalls, at: 9_000)
        talking.add(CallEnded(call: 1, reason: TraceWord(.hungUp)), at: 9_000)
        talking.add(CallEnded(call: 1, reason: TraceWord(.hungUp)), of: .aoi, at: 10_000)
        #expect(talking.findings().milliseconds("call.end.time") == [1_000])
    }

    @Test("A user who was signed in when the call was over is owed a notice (VP-05, RS-12)")
    func loggedOutLater() {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.accept(at: 2_000)
        scene.end(.unanswered, at: 30_000)
        scene.act(.logOutOfCalls, at: 30_001)
        #expect(scene.findings().total("call.missed.unnoticed") == 1)
    }

    @Test("A user who was logged out when called, and signs in, is owed a notice (VP-05, RS-12)")
    func signsInLater() {
        var scene = CallScene()
        scene.act(.logOutOfCalls, at: 500)
        scene.place(dialled: 1_000, placed: 1_500)
        scene.accept(at: 2_000)
        scene.end(.unanswered, at: 30_000)
        #expect(scene.findings().value("call.missed.unnoticed")?.samples == 0)
        scene.act(.signInToCalls, at: 90_000)
        #expect(scene.findings().total("call.missed.unnoticed") == 1)
    }
}
