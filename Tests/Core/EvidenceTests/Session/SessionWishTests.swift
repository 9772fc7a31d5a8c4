@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Session metrics: what the user wants decides what counts")
struct SessionWishTests {
    typealias Media = SessionScene.Media

    @Test("While the microphone is muted only the agent's side counts", arguments: Media.allCases)
    func muted(media: Media) {
        var scene = SessionScene(media)
        scene.hear(.fromPhone, [1_000..<20_000, 40_000..<200_000])
        scene.hear(.toPhone, [1_000..<200_000])
        scene.act(.mute, at: 20_000)
        scene.act(.unmute, at: 40_000)
        #expect(scene.findings(until: 100_000).milliseconds("session.audio.lost.time") == [0])
    }

    @Test(
        "A loss under a mute ends with the agent's voice, a mute that sticks is a loss of its own"
    )
    func mutedDuringLoss() {
        var scene = SessionScene()
        scene.hear(.fromPhone, [1_000..<10_000, 33_000..<200_000])
        scene.hear(.toPhone, [1_000..<10_000, 17_000..<200_000])
        scene.outage(10_000..<14_000)
        scene.act(.mute, at: 12_000)
        scene.act(.unmute, at: 30_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.recovery.time") == [3_060])
        #expect(findings.milliseconds("session.reconnect.time") == [3_060, 7_060])
    }

    @Test(
        "Whoever disconnects, leaves the app or is called loses nothing",
        arguments: [
            (UserAct.disconnect, UserAct.connect), (.leaveApp, .openApp),
            (.phoneCallBegins, .phoneCallEnds), (.logOut, .signIn), (.leaveApp, .tapNotification),
        ]
    )
    func away(ends: UserAct, begins: UserAct) {
        var scene = SessionScene()
        scene.talk(1_000..<20_000, 42_000..<200_000)
        scene.act(ends, at: 20_000)
        scene.act(begins, at: 40_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.audio.lost.time") == [0])
        #expect(findings.milliseconds("session.resume.time") == [2_060])
        #expect(findings.value("session.reconnect.time")?.samples == 0)
    }

    @Test(
        "While a call in another app has the audio nothing is lost, nor waited for",
        arguments: [false, true]
    )
    func ownCall(diesInIt: Bool) {
        var scene = SessionScene()
        scene.talk(1_000..<20_000, 42_000..<200_000)
        scene.ownCall(20_000..<40_000, diesInIt: diesInIt)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.audio.lost.time") == [0])
        #expect(findings.milliseconds("session.resume.time") == [2_060])
        #expect(findings.value("session.reconnect.time")?.samples == 0)
    }

    @Test("Whoever opens the app in a call of another one waits for it from the call's end on")
    func opensInOwnCall() {
        var scene = SessionScene()
        scene.talk(1_000..<10_000, 42_000..<200_000)
        scene.act(.leaveApp, at: 10_000)
        scene.ownCall(20_000..<40_000)
        scene.act(.openApp, at: 30_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.resume.time") == [2_060])
        // A call that lasts to the end leaves nothing to wait for.
        var endless = SessionScene()
        endless.talk(1_000..<10_000)
        endless.ownCall(10_000..<150_000)
        let none = endless.findings(until: 100_000)
        #expect(none.value("session.resume.time")?.samples == 0)
        #expect(none.total("session.unrecovered") == 0)
    }

    @Test(
        "What is under way when the user ends the conversation is no loss; 200 ms are",
        arguments: [(0, 0), (20, 0), (180, 0), (200, 200), (5_000, 5_000)],
        [UserAct.disconnect, .killApp, .phoneCallBegins]
    )
    func underWay(times: (missing: Int64, lost: Int64), ends: UserAct) {
        var scene = SessionScene()
        scene.talk(1_000..<20_000 - times.missing)
        scene.show(.connected, at: 1_000)
        scene.act(ends, at: 20_000)
        let findings = scene.findings(until: 30_000)
        #expect(findings.milliseconds("session.audio.lost.time") == [Double(times.lost)])
        let lies = [60, Double(times.lost)].filter { $0 > 0 }
        #expect(findings.milliseconds("session.false_connected.time") == lies)
    }

    @Test("Control Centre excuses nothing (D-05)")
    func controlCentre() {
        var scene = SessionScene()
        scene.talk(1_000..<20_000, 42_000..<200_000)
        scene.add(SceneChanged(phase: .active), at: 500)
        scene.act(.openControlCentre, at: 20_000)
        scene.add(SceneChanged(phase: .inactive), at: 20_000)
        scene.add(SceneChanged(phase: .active), at: 40_000)
        scene.act(.closeControlCentre, at: 40_000)
        #expect(scene.findings(until: 100_000).milliseconds("session.reconnect.time") == [22_060])
    }

    @Test("A phone call is over once it is on hold for another call (RS-15)")
    func held() {
        var scene = SessionScene()
        scene.talk(1_000..<20_000, 42_000..<200_000)
        scene.act(.phoneCallBegins, at: 20_000)
        scene.add(PhoneCallHeld(), at: 40_000)
        // It is not there to be ended any more.
        scene.act(.phoneCallEnds, at: 60_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.audio.lost.time") == [0])
        #expect(findings.milliseconds("session.resume.time") == [2_060])
        #expect(scene.broken(until: 100_000) == [:])
    }

    @Test(
        "What rings in a phone call and is over gives back no audio that the call has (RS-15)",
        arguments: [
            (UserAct.alarmRings, UserAct.stopAlarm), (.phoneCallRings, .declinePhoneCall),
        ]
    )
    func ringsInPhoneCall(rings: UserAct, ends: UserAct) {
        var scene = SessionScene()
        scene.talk(1_000..<20_000, 62_000..<200_000)
        scene.act(.phoneCallBegins, at: 20_000)
        for at in [25_000, 26_000] as [Int64] { scene.act(ends, at: at) }
        scene.act(rings, at: 27_000)
        scene.act(ends, at: 28_000)
        scene.act(.phoneCallEnds, at: 60_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.audio.lost.time") == [0])
        #expect(findings.milliseconds("session.resume.time") == [2_060])
        #expect(findings.total("session.unrecovered") == 0)
    }

    @Test("What rings takes the audio until it is over or a call takes it (RS-15)")
    func rings() {
        for ends in [UserAct.stopAlarm, .phoneCallEnds, .phoneCallHungUp] {
            var scene = SessionScene()
            scene.talk(1_000..<20_000, 42_000..<200_000)
            scene.act(.alarmRings, at: 20_000)
            scene.act(ends, at: 40_000)
            let waits = scene.findings(until: 100_000).milliseconds("session.resume.time")
            #expect(waits == [2_060], "\(ends)")
        }
        // Begun before the call in another app or in it, and never stopped: the audio is free after that call.
        for begins in [20_000, 30_000] as [Int64] {
            var scene = SessionScene()
            scene.talk(1_000..<20_000)
            scene.ownCall(25_000..<40_000)
            if begins > 25_000 { scene.act(.leaveApp, at: 20_000) }
            scene.act(.alarmRings, at: begins)
            if begins > 25_000 { scene.act(.openApp, at: 31_000) }
            #expect(scene.findings(until: 100_000).total("session.unrecovered") == 1)
        }
    }

    @Test(
        "What the user does to another app of the phone says nothing of the conversation (RS-07)",
        arguments: [UserAct.openApp, .tapNotification, .killApp]
    )
    func anotherApp(act: UserAct) {
        var away = SessionScene()
        away.talk(1_000..<20_000)
        away.act(.leaveApp, at: 20_000)
        away.act(act, at: 30_000, app: "aoi-phone.calls")
        #expect(away.findings(until: 100_000).total("session.unrecovered") == 0)
        var inFront = SessionScene()
        inFront.talk(1_000..<20_000, 22_000..<200_000)
        inFront.act(act, at: 10_000, app: "aoi-phone.calls")
        let findings = inFront.findings(until: 100_000)
        #expect(findings.milliseconds("session.reconnect.time") == [2_060])
    }

    @Test("A user who gives up does not hide the time waited for nothing")
    func givesUp() {
        for (patience, samples) in [(Int64(29_000), 0), (31_000, 1)] {
            var scene = SessionScene()
            scene.talk(1_000..<10_000)
            scene.act(.disconnect, at: 10_000 + patience)
            let findings = scene.findings(until: 100_000)
            #expect(findings.milliseconds("session.reconnect.time") == [Double(patience)])
            #expect(findings.occasions("session.reconnect.time")?.censoredCount == 1)
            #expect(findings.total("session.unrecovered") == Int64(samples))
        }
    }

    @Test("Each launch counts until the first two-way audio, an endless one up to the end (K-02)")
    func launches() {
        var scene = SessionScene()
        scene.hear(.fromPhone, [1_500..<20_000, 31_000..<40_000])
        scene.hear(.toPhone, [1_000..<20_000, 31_200..<40_000])
        for instant in [Int64(20_000), 40_000] {
            scene.act(.killApp, at: instant)
            scene.add(AppTerminated(), at: instant)
        }
        scene.add(AppLaunched(), at: 30_000)
        scene.add(AppLaunched(), at: 50_000)
        #expect(
            scene.findings(until: 52_000).milliseconds("session.connect.time") == [
                1_260, 1_560, 2_000,
            ]
        )
        #expect(
            scene.findings(until: 54_000).milliseconds("session.connect.time")
                == [1_260, 1_560, 4_000]
        )
        #expect(scene.findings(until: 54_000).value("session.resume.time")?.samples == 0)
    }

    @Test("A launch that waits for the user to sign in counts from the sign-in (RS-12)")
    func signIn() {
        var scene = SessionScene()
        scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 1_200)
        scene.act(.signIn, at: 60_000)
        scene.talk(62_000..<200_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.value("session.connect.time")?.samples == 0)
        #expect(findings.milliseconds("session.resume.time") == [2_060])
        #expect(findings.total("session.unrecovered") == 0)
    }

    @Test("Who ends the walk at the login asks for nothing by signing in (RS-12)")
    func endedAtLogin() {
        var scene = SessionScene()
        scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 1_200)
        scene.act(.disconnect, at: 10_000)
        scene.act(.signIn, at: 20_000)
        #expect(scene.findings(until: 100_000).total("session.unrecovered") == 0)
        scene.act(.connect, at: 30_000)
        #expect(scene.findings(until: 100_000).total("session.unrecovered") == 1)
    }

    @Test(
        "Once another took the identity the conversation is over, unless that room was let go (D-08)"
    )
    func takenOver() {
        for (isLeft, isTaken, samples) in [(false, true, 0), (true, true, 1), (false, false, 1)] {
            var scene = SessionScene()
            scene.talk(1_000..<10_000)
            scene.add(ConnectBegan(room: 1), at: 100)
            if isTaken { scene.add(FaultBegan(fault: .joinElsewhere, parameter: 0), at: 9_970) }
            if isLeft { scene.add(RoomLeft(room: 1, manner: TraceWord(.letGo)), at: 9_980) }
            scene.add(RoomDisconnected(room: 1, error: TraceWord(.duplicateIdentity)), at: 10_000)
            let findings = scene.findings(until: 100_000)
            #expect(findings.value("session.reconnect.time")?.samples == samples)
        }
    }

    @Test("Who is taken over while connecting waits for nobody but their user (D-08)")
    func takenOverEarly() {
        for (error, isTaken, samples) in [
            (RoomError.duplicateIdentity, true, 0), (.duplicateIdentity, false, 1),
            (.network, true, 1),
        ] {
            var scene = SessionScene()
            scene.talk(1_000..<10_000)
            if isTaken { scene.add(FaultBegan(fault: .joinElsewhere, parameter: 0), at: 9_970) }
            scene.add(ConnectBegan(room: 2), at: 9_980)
            scene.add(ConnectEnded(room: 2, error: TraceWord(error)), at: 10_000)
            let findings = scene.findings(until: 100_000)
            #expect(findings.value("session.reconnect.time")?.samples == samples)
        }
    }

    @Test("Once the room was deleted the conversation is over, not when a server stops (D-08)")
    func roomDeleted() {
        for (error, samples) in [(RoomError.roomDeleted, 0), (.serverShutdown, 1)] {
            var scene = SessionScene()
            scene.talk(1_000..<10_000)
            scene.add(ConnectBegan(room: 1), at: 100)
            scene.add(FaultBegan(fault: .serverLeave, parameter: 0), at: 9_970)
            scene.add(RoomDisconnected(room: 1, error: TraceWord(error)), at: 10_000)
            let findings = scene.findings(until: 100_000)
            #expect(findings.value("session.reconnect.time")?.samples == samples)
        }
    }

    @Test("A path that comes back while a launch waits asks for K-01b, too")
    func launchWithoutPath() {
        var scene = SessionScene(launched: false)
        scene.outage(0..<20_000, cause: .interface)
        scene.add(AppLaunched(), at: 0)
        scene.talk(24_000..<200_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.recovery.time") == [4_060])
        #expect(findings.milliseconds("session.connect.time") == [24_060])
        #expect(findings.value("session.reconnect.time")?.samples == 0)
    }

    @Test("A phone whose app was never launched gives no sample, nor does a run without sessions")
    func nobody() {
        var scene = SessionScene(launched: false)
        scene.talk(1_000..<10_000)
        scene.outage(10_000..<12_000)
        let call = Timeline(speech: "######", sent: "######", played: "######")
        for findings in [scene.findings(until: 100_000), call.findings] {
            for metric in Systems.sessionMetrics {
                #expect(findings.value(metric.name)?.samples == 0, "\(metric.name)")
            }
        }
    }
}
