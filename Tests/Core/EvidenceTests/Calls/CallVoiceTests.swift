@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaPhone
import KodamaSession
import SansIO
import Testing

@Suite("Call metrics: voice")
struct CallVoiceTests {
    /// A call that Ren answers at 5 s, connected from 6 s to 60 s.
    private func connected() -> CallScene {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.accept(at: 2_000)
        scene.ring(3_000..<5_000, .answered)
        scene.take(at: 5_200)
        scene.connect(6_000..<60_000)
        return scene
    }

    @Test("An answer takes until voice is heard at both phones (VP-05)")
    func answerTime() {
        var scene = connected()
        scene.hear(at: .phone, 5_924..<60_000)
        #expect(scene.findings().milliseconds("call.answer.time") == [55_000])
        #expect(scene.findings().occasions("call.answer.time")?.censoredCount == 1)
        scene.hear(at: .aoi, 7_068..<60_000)
        // Voice that comes back later changes nothing.
        scene.hear(at: .aoi, 70_000..<80_000)
        #expect(scene.findings().milliseconds("call.answer.time") == [2_168])
    }

    @Test("One-way time is the longest stretch in which one alone hears (VP-05)")
    func oneWay() {
        var scene = connected()
        scene.hear(at: .phone, 5_000..<60_000)
        scene.hear(at: .aoi, 7_024..<30_000)
        scene.hear(at: .aoi, 32_048..<60_000)
        let findings = scene.findings()
        #expect(findings.milliseconds("call.one_way.time") == [2_048])
        #expect(findings.milliseconds("call.heard.time")?.map { $0 / 50_928 > 0.99 } == [true])
    }

    @Test("One-way time counts once, whatever befalls whom meanwhile (VP-05)")
    func oneWayShare() {
        var scene = connected()
        scene.hear(at: .phone, 6_000..<60_000)
        let whole = [54_000_000_000, 54_000_000_000] as [Int64]
        #expect(scene.findings().proportion("call.one_way.share") == whole)
        for second in 10..<40 as Range<Int64> {
            scene.outage(of: .pad, second * 1_000..<second * 1_000 + 500)
        }
        #expect(scene.findings().proportion("call.one_way.share") == whole)
        scene.cutMedia(20_000..<30_000)
        scene.act(.muteCall, at: 40_000)
        #expect(scene.findings().proportion("call.one_way.share") == whole)
    }

    @Test("A call that one alone hears for 5 s is a one-way call, unless excused (VP-05)")
    func oneWayCalls() {
        func count(_ change: (inout CallScene) -> Void) -> Int64? {
            var scene = connected()
            scene.hear(at: .phone, 5_000..<60_000)
            scene.hear(at: .aoi, 7_024..<30_000)
            change(&scene)
            return scene.findings().total("call.one_way")
        }
        #expect(count { _ in } == 1)
        #expect(count { $0.hear(at: .aoi, 34_999..<60_000) } == 0)
        #expect(count { $0.hear(at: .aoi, 35_000..<60_000) } == 1)
        // What keeps the voice from being heard excuses it for as long as it lasts.
        #expect(count { $0.outage(of: .aoi, 30_000..<55_001) } == 0)
        #expect(count { $0.outage(of: .phone, 30_000..<55_000) } == 1)
        #expect(
            count {
                $0.act(.phoneCallBegins, at: 29_000)
                $0.act(.phoneCallEnds, at: 55_001)
            } == 0
        )
        #expect(count { $0.act(.muteCall, at: 29_000) } == 0)
        #expect(
            count {
                $0.act(.muteCall, at: 29_000)
                $0.act(.unmuteCall, at: 40_000)
            } == 1
        )
    }

    @Test("Nothing is one-way before both are connected, or after one has left (VP-05)")
    func edges() {
        var scene = connected()
        scene.hear(at: .phone, 2_000..<100_000)
        scene.hear(at: .aoi, 6_000..<60_000)
        #expect(scene.findings().milliseconds("call.one_way.time") == [0])
    }

    @Test("A call of silence on both sides is no one-way call, but a silent one (VP-05)")
    func silent() {
        let scene = connected()
        let findings = scene.findings()
        #expect(findings.milliseconds("call.one_way.time") == [0])
        #expect(findings.total("call.silent") == 1)
        // Under 5 s nobody need have spoken.
        #expect(scene.findings(until: 10_999).total("call.silent") == 0)
        #expect(scene.findings(until: 11_000).total("call.silent") == 1)
    }

    @Test("A room server that says nothing excuses voice that goes one way, while it does (VP-05)")
    func silentServer() {
        func count(silentFrom start: Int64, until end: Int64) -> Int64? {
            var scene = connected()
            scene.hear(at: .phone, 5_000..<60_000)
            scene.hear(at: .aoi, 7_024..<30_000)
            scene.fault(.silentServer, on: "api", start..<end)
            return scene.findings().total("call.one_way")
        }
        #expect(count(silentFrom: 20_000, until: 55_001) == 0)
        #expect(count(silentFrom: 20_000, until: 55_000) == 1)
        #expect(count(silentFrom: 35_000, until: 55_001) == 1)
    }

    @Test(
        "A voice engine that fails excuses silence for as long as it does, and no longer (VP-05, RS-15)"
    )
    func engineFails() {
        func silent(failingUntil end: Int64) -> Int64? {
            var scene = connected()
            scene.fault(.voiceEngine, 5_000..<end)
            return scene.findings(until: 40_000).total("call.silent")
        }
        #expect(silent(failingUntil: 35_001) == 0)
        #expect(silent(failingUntil: 35_000) == 1)
    }

    @Test("What users do to a call excuses its silence for as long as it lasts (VP-05)")
    func hushed() {
        func silent(_ change: (inout CallScene) -> Void) -> Int64? {
            var scene = connected()
            change(&scene)
            return scene.findings().total("call.silent")
        }
        for end in [55_000, 55_001] as [Int64] {
            let count: Int64 = end == 55_000 ? 1 : 0
            #expect(
                silent {
                    $0.act(.phoneCallBegins, at: 6_000)
                    $0.act(.phoneCallEnds, at: end)
                } == count
            )
            #expect(
                silent {
                    $0.act(.holdCall, of: .aoi, at: 6_000)
                    $0.act(.unholdCall, of: .aoi, at: end)
                } == count
            )
            // So does a hold or a mute before the server has the call.
            #expect(
                silent {
                    $0.act(.holdCall, of: .aoi, at: 1_200)
                    $0.act(.unholdCall, of: .aoi, at: end)
                } == count
            )
            #expect(
                silent {
                    $0.act(.muteCall, of: .aoi, at: 1_200)
                    $0.act(.muteCall, at: 6_000)
                    $0.act(.unmuteCall, at: end)
                } == count
            )
            // A second call that is refused meanwhile changes nothing.
            #expect(
                silent {
                    $0.act(.muteCall, of: .aoi, at: 1_200)
                    $0.act(.dial, of: .aoi, at: 1_300)
                    $0.add(CallEnded(call: 9, reason: TraceWord(.busy)), of: .aoi, at: 1_300)
                    $0.act(.muteCall, at: 6_000)
                    $0.act(.unmuteCall, at: end)
                } == count
            )
            #expect(
                silent {
                    $0.act(.muteCall, of: .aoi, at: 6_000)
                    $0.act(.muteCall, at: 6_000)
                    $0.act(.unmuteCall, at: end)
                } == count
            )
            #expect(
                silent {
                    $0.ring(call: 2, 5_300..<5_900, .answered)
                    $0.add(CallEnded(call: 2, reason: TraceWord(.hungUp)), at: 20_000)
                    $0.act(.unholdCall, at: end)
                } == count
            )
        }
        // Who is muted hears the other one.
        #expect(silent { $0.act(.muteCall, at: 6_000) } == 1)
        // A hold of no call, or of one that is over, is none of this one.
        #expect(silent { $0.act(.holdCall, at: 500) } == 1)
    }

    @Test("The call that another is on hold for may not be silent (VP-05)")
    func silentForAnother() {
        var scene = connected()
        scene.hear(at: .phone, 6_000..<20_000)
        scene.ring(call: 2, 15_000..<20_000, .answered)
        for app in [CallScene.App.phone, .pad] {
            scene.add(CallConnected(call: 2), of: app, at: 21_000)
            scene.add(CallEnded(call: 2, reason: TraceWord(.hungUp)), of: app, at: 50_000)
        }
        #expect(scene.findings().total("call.silent") == 1)
        scene.act(.holdCall, at: 22_000)
        #expect(scene.findings().total("call.silent") == 0)
    }

    @Test("A call that is still being placed when another is answered is the one on hold (VP-05)")
    func answeredWhilePlacing() {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 9_000)
        scene.ring(call: 2, at: .aoi, 3_000..<5_000, .answered)
        let sides: [(call: Int64, app: CallScene.App)] = [
            (1, .aoi), (1, .phone), (2, .aoi), (2, .pad),
        ]
        for (call, app) in sides {
            scene.add(CallConnected(call: call), of: app, at: 10_000)
            scene.add(CallEnded(call: call, reason: TraceWord(.hungUp)), of: app, at: 60_000)
        }
        scene.hear(call: 2, at: .aoi, from: .pad, 11_000..<60_000)
        #expect(scene.findings().total("call.silent") == 0)
    }

    @Test("Time without a path in which both had muted is left out once (VP-05)")
    func hushedOffline() {
        var scene = connected()
        for app in [CallScene.App.aoi, .phone] { scene.act(.muteCall, of: app, at: 10_000) }
        scene.act(.unmuteCall, at: 40_000)
        scene.outage(of: .aoi, 10_000..<59_000)
        #expect(scene.findings().total("call.silent") == 1)
    }

    @Test("A call on hold is muted by nobody (K-22)")
    func mutedOnHold() {
        var scene = connected()
        scene.act(.holdCall, at: 20_000)
        scene.act(.muteCall, at: 21_000)
        scene.act(.unholdCall, at: 30_000)
        scene.hear(at: .aoi, 31_000..<60_000)
        #expect(scene.findings().total("call.conduct.breaches") == 0)
    }

    @Test("Who calls may mute before there is an answer (K-22)")
    func mutedWhileCalling() {
        var scene = connected()
        scene.act(.muteCall, of: .aoi, at: 4_000)
        scene.hear(at: .aoi, 6_000..<60_000)
        #expect(scene.findings().total("call.one_way") == 0)
        scene.hear(at: .phone, 7_000..<8_000)
        #expect(scene.findings().total("call.conduct.breaches") == 1)
    }

    @Test("An answer puts a phone call on hold only if the phone says so (K-22, RS-15)")
    func phoneCallHeld() {
        var scene = connected()
        scene.act(.phoneCallBegins, at: 10_000)
        scene.act(.answerCall, at: 11_000)
        scene.hear(at: .aoi, 20_000..<30_000)
        #expect(scene.findings().total("call.conduct.breaches") == 1)
        scene.holdPhoneCall(at: 11_000)
        #expect(scene.findings().total("call.conduct.breaches") == 0)
    }

    @Test("The callee's other phone, done with the call early, hides no silence (VP-05)")
    func silentBesideAnotherPhone() {
        var scene = connected()
        scene.ring(at: .pad, 3_000..<5_300)
        scene.add(CallEnded(call: 1, reason: TraceWord(.answeredElsewhere)), of: .pad, at: 5_300)
        #expect(scene.findings().total("call.silent") == 1)
    }

    @Test("A call whose phone is cut off is no silent one, whatever the apps say (VP-05)")
    func unreachable() {
        var scene = connected()
        scene.outage(of: .aoi, 10_999..<59_999)
        #expect(scene.findings().total("call.silent") == 1)
        scene = connected()
        scene.outage(of: .phone, 6_024..<60_000)
        #expect(scene.findings().total("call.silent") == 0)
    }

    @Test("A call whose media are cut at a phone is no silent one, nor a one-way one (VP-05)")
    func mediaCut() {
        for (until, count) in [(55_000, 1), (55_001, 0)] as [(Int64, Int64)] {
            var scene = connected()
            scene.cutMedia(6_000..<until)
            #expect(scene.findings().total("call.silent") == count, "\(until)")
            scene.hear(at: .aoi, 6_000..<60_000)
            #expect(scene.findings().total("call.one_way") == count, "\(until)")
        }
        // A time in which there is no path either is left out once.
        var scene = connected()
        scene.outage(6_000..<50_000)
        scene.cutMedia(40_000..<55_000)
        #expect(scene.findings().total("call.silent") == 1)
        // Of two radios one is enough.
        scene = connected()
        scene.cutMedia(on: "ren-phone/wifi", 6_000..<60_000)
        #expect(scene.findings().total("call.silent") == 1)
        scene.cutMedia(on: "ren-phone/cellular", 6_000..<60_000)
        #expect(scene.findings().total("call.silent") == 0)
    }

    @Test("Who answers may mute before the app says that it is connected (VP-05, K-22)")
    func mutedWhileJoining() {
        var scene = connected()
        scene.act(.muteCall, at: 5_500)
        scene.hear(at: .phone, 6_000..<60_000)
        #expect(scene.findings().total("call.one_way") == 0)
        scene.hear(at: .aoi, 7_000..<8_000)
        #expect(scene.findings().total("call.conduct.breaches") == 1)
    }

    @Test("One-way voice to the end of the run counts up to it (VP-05)")
    func toTheEnd() {
        var scene = connected()
        scene.hear(at: .phone, 6_000..<60_000)
        #expect(
            scene.findings(until: 10_096).milliseconds("call.one_way.time") == [4_096]
        )
        #expect(scene.findings(until: 10_096).total("call.silent") == 0)
    }

    @Test("Whoever is muted is not to be heard, but for what was on its way (K-22)")
    func muted() {
        for (until, count) in [(20_500, 0), (20_501, 1), (30_000, 1)] as [(Int64, Int64)] {
            var scene = connected()
            scene.hear(at: .aoi, 6_000..<until)
            scene.act(.muteCall, at: 20_000)
            scene.act(.unmuteCall, at: 40_000)
            scene.hear(at: .aoi, 40_100..<60_000)
            // The one who mutes goes on hearing.
            scene.hear(at: .phone, 6_000..<60_000)
            #expect(scene.findings().total("call.conduct.breaches") == count, "\(until)")
            #expect(scene.findings().value("call.conduct.breaches")?.samples == 3)
        }
    }

    @Test("Of two calls the one that is heard is muted, and not the one on hold (K-22)")
    func mutedOfTwo() {
        for (until, count) in [(20_500, 0), (20_501, 1)] as [(Int64, Int64)] {
            var scene = connected()
            scene.hear(at: .aoi, 6_000..<15_000)
            for app in [CallScene.App.phone, .pad] {
                scene.add(CallConnected(call: 2), of: app, at: 15_000)
            }
            scene.hear(call: 2, at: .pad, from: .phone, 15_000..<until)
            scene.act(.muteCall, at: 20_000)
            // The first is taken back: nobody has muted that.
            scene.hear(at: .aoi, 30_000..<60_000)
            #expect(scene.findings().total("call.conduct.breaches") == count, "\(until)")
        }
    }

    @Test("Who unmutes one of two calls has not unmuted the other, which is on hold (K-22)")
    func unmutedOfTwo() {
        var scene = connected()
        scene.act(.muteCall, at: 20_000)
        for app in [CallScene.App.phone, .pad] {
            scene.add(CallConnected(call: 2), of: app, at: 25_000)
        }
        scene.act(.unmuteCall, at: 30_000)
        scene.act(.unholdCall, at: 35_000)
        var muted = scene
        muted.hear(at: .phone, 40_000..<60_000)
        #expect(muted.findings().total("call.conduct.breaches") == 0)
        #expect(muted.findings().total("call.one_way") == 0)
        scene.hear(at: .aoi, 40_000..<60_000)
        #expect(scene.findings().total("call.conduct.breaches") == 1)
    }

    @Test("A call on hold is unmuted by nobody (K-22)")
    func unmutedOnHold() {
        var scene = connected()
        scene.act(.muteCall, at: 20_000)
        scene.act(.holdCall, at: 21_000)
        scene.act(.unmuteCall, at: 22_000)
        scene.act(.unholdCall, at: 30_000)
        scene.hear(at: .aoi, 31_000..<60_000)
        #expect(scene.findings().total("call.conduct.breaches") == 1)
    }

    @Test("In a phone call no call is muted, unmuted or put on hold: all are on hold (K-22)")
    func actsInPhoneCall() {
        func breaches(muted: Bool, _ act: UserAct) -> Int64? {
            var scene = connected()
            if muted { scene.act(.muteCall, at: 10_000) }
            scene.act(.phoneCallBegins, at: 20_000)
            scene.act(act, at: 22_000)
            scene.act(.phoneCallEnds, at: 30_000)
            scene.hear(at: .aoi, 31_000..<60_000)
            return scene.findings().total("call.conduct.breaches")
        }
        #expect(breaches(muted: false, .muteCall) == 0)
        #expect(breaches(muted: true, .unmuteCall) == 1)
        var held = connected()
        held.act(.phoneCallBegins, at: 6_000)
        held.act(.holdCall, at: 7_000)
        held.act(.phoneCallEnds, at: 50_000)
        #expect(held.findings().total("call.silent") == 1)
    }

    @Test("A voice that comes back while its user is muted, and lasts, is a breach (K-22)")
    func unmutedByItself() {
        var scene = connected()
        scene.act(.muteCall, at: 20_000)
        scene.hear(at: .aoi, 25_000..<60_000)
        #expect(scene.findings(until: 25_400).total("call.conduct.breaches") == 0)
        #expect(scene.findings(until: 26_000).total("call.conduct.breaches") == 1)
        scene.act(.unmuteCall, at: 25_300)
        #expect(scene.findings().total("call.conduct.breaches") == 0)
    }

    @Test("Nobody is heard from a phone in a phone call, or whose app is done with the call (K-22)")
    func others() {
        var scene = connected()
        scene.hear(at: .aoi, 6_000..<60_500)
        #expect(scene.findings().total("call.conduct.breaches") == 0)
        scene.act(.phoneCallBegins, at: 20_000)
        scene.act(.phoneCallEnds, at: 30_000)
        #expect(scene.findings().total("call.conduct.breaches") == 1)
        scene = connected()
        scene.hear(at: .aoi, 6_000..<60_501)
        #expect(scene.findings().total("call.conduct.breaches") == 1)
    }

    @Test("A call that one app alone calls connected is measured for no voice (VP-05)")
    func oneSided() {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.add(CallConnected(call: 1), of: .aoi, at: 6_000)
        scene.hear(at: .aoi, 6_000..<60_000)
        #expect(scene.findings().milliseconds("call.one_way.time") == [])
        #expect(scene.findings().value("call.silent")?.samples == 0)
    }
}
