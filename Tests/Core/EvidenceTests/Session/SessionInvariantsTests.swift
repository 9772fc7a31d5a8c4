@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Invariants of sessions")
struct SessionInvariantsTests {
    /// A session that comes back once and ends well.
    private var sound: SessionScene {
        var scene = SessionScene()
        scene.add(ConnectBegan(room: 1), at: 100)
        scene.attempt(.connect, 100..<800, signalled: 400, connected: 800)
        scene.add(ConnectEnded(room: 1, error: TraceWord(nil)), at: 800)
        scene.add(AgentJoined(), at: 900)
        scene.show(.connected, at: 1_060)
        scene.talk(1_000..<10_000, 15_000..<30_000)
        scene.outage(10_000..<12_000)
        scene.add(LossDetected(room: 1, cause: TraceWord(.transport)), at: 11_000)
        scene.attempt(.quick, 11_000..<14_000, signalled: 13_000, connected: 13_900)
        scene.add(OfflineHandedOver(), at: 11_000)
        scene.add(OfflineTakenBack(), at: 14_000)
        scene.act(.disconnect, at: 30_000)
        scene.add(RoomLeft(room: 1, manner: TraceWord(.disconnect)), at: 30_000)
        scene.add(RoomDisconnected(room: 1, error: TraceWord(nil)), at: 30_020)
        scene.show(.disconnected, at: 30_020)
        scene.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: 30_100)
        return scene
    }

    @Test("A sound session breaks none, and each one looked at something")
    func nothingBroken() {
        var meter = RunMeter()
        meter.fold(sound.trace(until: 60_000))
        #expect(meter.invariants.map(\.name) == Systems.shipped.invariants.map(\.name))
        #expect(meter.metrics.map(\.name) == Systems.shipped.metrics.map(\.name))
        for invariant in meter.invariants where invariant.name.hasPrefix("session.") {
            #expect(
                invariant.violationCount == 0 && invariant.checkedCount > 0,
                "\(invariant.name)"
            )
        }
    }

    @Test("A connect while another room object is held is one too many (D-08)")
    func twoConnects() {
        var scene = SessionScene()
        scene.add(ConnectBegan(room: 1), at: 100)
        scene.add(ConnectEnded(room: 1, error: TraceWord(nil)), at: 800)
        scene.add(ConnectBegan(room: 2), at: 900)
        #expect(scene.broken(until: 2_000) == ["session.one-connect-in-flight": 1])
        let ends: [any TraceForm] = [
            RoomLeft(room: 1, manner: TraceWord(.letGo)),
            RoomDisconnected(room: 1, error: TraceWord(.network)),
            ConnectEnded(room: 1, error: TraceWord(.network)),
        ]
        for end in ends {
            var scene = SessionScene()
            scene.add(ConnectBegan(room: 1), at: 100)
            scene.add(end, at: 800)
            scene.add(ConnectBegan(room: 2), at: 900)
            #expect(scene.broken(until: 2_000) == [:])
        }
    }

    @Test("A conversation promised 10 s after the last agent has gone is caught (D-22)")
    func ghost() {
        for (talks, isBroken) in [(9_000, false), (10_100, true)] as [(Int64, Bool)] {
            var scene = SessionScene()
            scene.add(AgentJoined(), at: 500)
            scene.show(.connected, at: 600)
            scene.talk(600..<20_000)
            scene.add(FaultBegan(fault: .agentLeft, parameter: 0), at: 20_000)
            scene.add(AgentClosed(reason: TraceWord(.unknownReason)), at: 20_000)
            scene.show(.reconnecting, at: 20_000 + talks)
            scene.add(AgentJoined(), at: 40_000)
            scene.talk(40_000..<60_000)
            let broken = scene.broken(until: 60_000)["session.no-ghost"]
            #expect(broken == (isBroken ? 1 : nil))
        }
    }

    @Test("A room object that reports its end twice, or an offline part told twice, is caught")
    func twoReports() {
        var scene = sound
        scene.add(RoomDisconnected(room: 1, error: TraceWord(nil)), at: 30_500)
        #expect(scene.broken(until: 60_000) == ["session.one-report-per-loss": 1])
        for form in [OfflineHandedOver(), OfflineTakenBack()] as [any TraceForm] {
            var scene = sound
            scene.add(form, at: 14_020)
            scene.add(form, at: 14_040)
            #expect((scene.broken(until: 60_000)["session.one-report-per-loss"] ?? 0) >= 1)
        }
    }

    @Test("An offline part that is given the word before a conversation was connected is caught")
    func offlineFromTheStart() {
        for (connects, isBroken) in [(true, false), (false, true)] {
            var scene = sound
            scene.act(.connect, at: 32_000)
            if connects {
                scene.add(ConnectBegan(room: 2), at: 32_100)
                scene.add(ConnectEnded(room: 2, error: TraceWord(nil)), at: 32_200)
            }
            scene.add(OfflineHandedOver(), at: 32_300)
            let broken = scene.broken(until: 60_000)["session.one-report-per-loss"]
            #expect(broken == (isBroken ? 1 : nil))
        }
    }

    @Test("Whatever connects or is heard after the user's disconnect is caught (RS-05)")
    func revivals() {
        var connects = sound
        connects.add(ConnectBegan(room: 2), at: 31_000)
        #expect(connects.broken(until: 60_000) == ["session.nothing-revives": 1])
        for direction in VoiceDirection.allCases {
            var heard = sound
            heard.hear(direction, [31_500..<31_600])
            #expect(heard.broken(until: 60_000) == ["session.nothing-revives": 1])
        }
        var late = sound
        late.hear(.toPhone, [30_000..<30_900])
        #expect(late.broken(until: 60_000) == [:])
        var opened = sound
        opened.act(.leaveApp, at: 31_000)
        opened.act(.openApp, at: 32_000)
        opened.add(ConnectBegan(room: 2), at: 32_000)
        #expect(opened.broken(until: 60_000) == ["session.nothing-revives": 1])
        for act in [UserAct.connect, .tapNotification, .signIn] {
            var asked = sound
            asked.act(act, at: 31_000)
            asked.add(ConnectBegan(room: 2), at: 31_000)
            #expect(asked.broken(until: 60_000) == [:])
        }
    }

    @Test("After another took the identity only the user may ask again (D-08)")
    func takenOver() {
        var scene = SessionScene()
        scene.add(ConnectBegan(room: 1), at: 100)
        scene.add(FaultBegan(fault: .joinElsewhere, parameter: 0), at: 700)
        scene.add(RoomDisconnected(room: 1, error: TraceWord(.duplicateIdentity)), at: 800)
        scene.add(ConnectBegan(room: 2), at: 900)
        #expect(scene.broken(until: 2_000) == ["session.nothing-revives": 1])
    }

    @Test("Who was told that the server shuts down, and is evicted later, evicted itself (D-08)")
    func shutDown() {
        var scene = SessionScene()
        scene.add(ConnectBegan(room: 1), at: 100)
        scene.add(FaultBegan(fault: .serverLeave, parameter: 0), at: 700)
        scene.add(RoomDisconnected(room: 1, error: TraceWord(.serverShutdown)), at: 800)
        scene.add(ConnectBegan(room: 2), at: 900)
        scene.add(RoomDisconnected(room: 2, error: TraceWord(.duplicateIdentity)), at: 1_000)
        scene.add(ConnectBegan(room: 3), at: 1_100)
        #expect(scene.broken(until: 2_000) == [:])
    }

    @Test("A status that promises what has been dead for more than 10 s is caught (K-01c)")
    func watchdog() {
        // The ear hears the last of it 60 ms after its capture.
        for (until, count) in [(Int64(20_060), nil), (20_061, 1)] as [(Int64, Int?)] {
            var scene = SessionScene()
            scene.talk(1_000..<10_000, 40_000..<200_000)
            scene.show(.connected, at: 1_060)
            scene.show(.reconnecting, at: until)
            scene.show(.reconnected, at: 40_060)
            #expect(scene.broken(until: 100_000)["session.watchdog-holds"] == count)
        }
        // One side that is heard is a matter of K-01c, not of the watchdog.
        var half = SessionScene()
        half.hear(.fromPhone, [1_000..<200_000])
        half.hear(.toPhone, [1_000..<10_000])
        half.show(.connected, at: 1_060)
        #expect(half.broken(until: 100_000) == [:])
    }

    @Test("An agent that a network loss silences, or a goodbye nobody wanted, is caught")
    func agents() {
        for (reason, isBroken) in [
            (.connectionTimeout, true), (.duplicateIdentity, true), (.roomClosed, false),
            (.roomDeleted, false), (.clientInitiated, true),
        ] as [(DisconnectReason, Bool)] {
            var scene = SessionScene()
            scene.add(AgentJoined(), at: 1_000)
            scene.add(AgentClosed(reason: TraceWord(reason)), at: 5_000)
            #expect((scene.broken(until: 9_000) != [:]) == isBroken)
        }
        var goodbye = SessionScene()
        goodbye.add(AgentJoined(), at: 1_000)
        goodbye.add(RoomLeft(room: 1, manner: TraceWord(.disconnect)), at: 4_900)
        goodbye.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: 5_000)
        #expect(goodbye.broken(until: 9_000) == ["session.agent-survives": 1])
        var killed = SessionScene()
        killed.add(AgentJoined(), at: 1_000)
        killed.act(.killApp, at: 4_900)
        killed.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: 5_000)
        #expect(killed.broken(until: 9_000) == [:])
    }

    @Test("A goodbye that is stuck for a while ends its agent after the next one's (D-05)")
    func goodbyeStuck() {
        for (third, isBroken) in [(Int64(0), false), (11_000, true)] {
            var scene = SessionScene()
            for (start, room) in [(Int64(1_000), Int64(1)), (6_000, 2)] {
                scene.add(AgentJoined(), at: start)
                scene.add(SceneChanged(phase: .background), at: start + 2_000)
                scene.add(RoomLeft(room: room, manner: TraceWord(.disconnect)), at: start + 2_000)
                scene.add(SceneChanged(phase: .active), at: start + 3_000)
            }
            let closes = [8_100, 10_000, third].filter { $0 > 0 }
            for close in closes {
                scene.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: close)
            }
            let broken = scene.broken(until: 12_000)["session.agent-survives"]
            #expect(broken == (isBroken ? 1 : nil))
        }
    }

    @Test("A goodbye that the room server says in the client's name is not the client's (D-05)")
    func goodbyeOfTheServer() {
        for (told, isBroken) in [(Int64(5_000), false), (4_000, true)] {
            var scene = SessionScene()
            scene.add(AgentJoined(), at: 1_000)
            scene.add(FaultBegan(fault: .serverLeave, parameter: 0), at: told)
            scene.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: 5_000)
            let broken = scene.broken(until: 9_000)["session.agent-survives"]
            #expect(broken == (isBroken ? 1 : nil))
            #expect(scene.findings(until: 9_000).total("session.agent.silenced") == 1)
        }
    }

    @Test("A goodbye after which the user has to sign in is the login's, others are not (RS-12)")
    func goodbyeOfTheLogin() {
        for (shown, isSignedIn, isBroken) in [
            (Int64(4_950), false, false), (5_200, false, false), (5_200, true, true),
            (4_800, false, true),
        ] {
            var scene = SessionScene()
            scene.add(AgentJoined(), at: 1_000)
            if shown < 4_900 {
                scene.add(SignInShown(isSignedIn: TraceFlag(isSignedIn)), at: shown)
            }
            scene.add(RoomLeft(room: 1, manner: TraceWord(.disconnect)), at: 4_900)
            if (4_900..<5_000).contains(shown) {
                scene.add(SignInShown(isSignedIn: TraceFlag(isSignedIn)), at: shown)
            }
            scene.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: 5_000)
            if shown > 5_000 {
                scene.add(SignInShown(isSignedIn: TraceFlag(isSignedIn)), at: shown)
            }
            let broken = scene.broken(until: 9_000)["session.agent-survives"]
            #expect(broken == (isBroken ? 1 : nil))
        }
        // Who could connect again was signed in.
        var again = SessionScene()
        again.add(AgentJoined(), at: 1_000)
        again.add(RoomLeft(room: 1, manner: TraceWord(.disconnect)), at: 4_900)
        again.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: 5_000)
        again.add(ConnectBegan(room: 2), at: 5_100)
        again.add(SignInShown(isSignedIn: TraceFlag(false)), at: 6_000)
        #expect(again.broken(until: 9_000)["session.agent-survives"] == 1)
    }

    @Test("Of what is done in one instant the order decides whether a goodbye is wanted (D-05)")
    func goodbyeInOneInstant() {
        let goodbye = RoomLeft(room: 1, manner: TraceWord(.disconnect))
        let connect = UserActed(action: .connect)
        for (then, isBroken) in [([goodbye, connect], false), ([connect, goodbye], true)]
            as [([any TraceForm], Bool)]
        {
            var scene = SessionScene()
            scene.add(AgentJoined(), at: 1_000)
            scene.act(.disconnect, at: 5_000)
            for form in then { scene.add(form, at: 5_000) }
            scene.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: 5_100)
            let broken = scene.broken(until: 9_000)["session.agent-survives"]
            #expect(broken == (isBroken ? 1 : nil))
        }
    }

    @Test("An attempt that never ends is caught, one cut off by its room's end is not")
    func attempts() {
        var second = SessionScene()
        second.add(AttemptBegan(room: 1, number: 1, attempt: TraceWord(.quick)), at: 1_000)
        second.add(AttemptBegan(room: 1, number: 2, attempt: TraceWord(.quick)), at: 2_000)
        #expect(second.broken(until: 9_000) == ["session.attempts-end": 1])
        var stuck = SessionScene()
        stuck.add(AttemptBegan(room: 1, number: 1, attempt: TraceWord(.quick)), at: 1_000)
        // The longest path gives each of three steps eight round trips of 4 s.
        #expect(stuck.broken(until: 121_000) == [:])
        #expect(stuck.broken(until: 121_001) == ["session.attempts-end": 1])
        stuck.add(RoomLeft(room: 1, manner: TraceWord(.letGo)), at: 50_000)
        #expect(stuck.broken(until: 100_000) == [:])
    }

    @Test("A violation names its record and its place in the run")
    func violation() throws {
        var scene = sound
        scene.add(ConnectBegan(room: 2), at: 31_000)
        let trace = scene.trace(until: 60_000)
        var meter = RunMeter()
        meter.fold(trace)
        let result = try #require(meter.invariants.first { $0.violationCount > 0 })
        let violation = try #require(result.violations.first)
        #expect(
            violation.line == TraceText.line(trace.records[violation.position], trace.directory)
        )
        #expect(violation.line.contains("connect.began"))
    }
}
