import Evidence
import Testing

@Suite("Invariants of sessions")
struct SessionInvariantsTests {
    /// A session that comes back once and ends well.
    private var sound: SessionScene {
        var scene = SessionScene()
        scene.add(.connectBegan, at: 100, 1)
        scene.attempt(.connect, 100..<800, signalled: 400, connected: 800)
        scene.add(.connectEnded, at: 800, 1, -1)
        scene.add(.agentJoined, at: 900)
        scene.show(11, at: 1_060)
        scene.talk(1_000..<10_000, 15_000..<30_000)
        scene.outage(10_000..<12_000)
        scene.add(.lossDetected, at: 11_000, 1, 2)
        scene.attempt(.quick, 11_000..<14_000, signalled: 13_000, connected: 13_900)
        scene.add(.offlineHandedOver, at: 11_000)
        scene.add(.offlineTakenBack, at: 14_000)
        scene.act(.disconnect, at: 30_000)
        scene.add(.roomLeft, at: 30_000, 1, 0)
        scene.add(.roomDisconnected, at: 30_020, 1, -1)
        scene.show(0, at: 30_020)
        scene.add(.agentClosed, at: 30_100, 1)
        return scene
    }

    @Test("A sound session breaks none, and each one looked at something")
    func nothingBroken() {
        var meter = RunMeter()
        meter.fold(sound.trace(until: 60_000))
        #expect(meter.invariants.map(\.name) == InvariantCatalog.all.map(\.name))
        #expect(meter.metrics.map(\.name) == MetricCatalog.all.map(\.name))
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
        scene.add(.connectBegan, at: 100, 1)
        scene.add(.connectEnded, at: 800, 1, -1)
        scene.add(.connectBegan, at: 900, 2)
        #expect(scene.broken(until: 2_000) == ["session.one-connect-in-flight": 1])
        for end in [TraceKind.roomLeft, .roomDisconnected, .connectEnded] {
            var scene = SessionScene()
            scene.add(.connectBegan, at: 100, 1)
            scene.add(end, at: 800, 1, 2)
            scene.add(.connectBegan, at: 900, 2)
            #expect(scene.broken(until: 2_000) == [:])
        }
    }

    @Test("A room object that reports its end twice, or an offline part told twice, is caught")
    func twoReports() {
        var scene = sound
        scene.add(.roomDisconnected, at: 30_500, 1, -1)
        #expect(scene.broken(until: 60_000) == ["session.one-report-per-loss": 1])
        for kind in [TraceKind.offlineHandedOver, .offlineTakenBack] {
            var scene = sound
            scene.add(kind, at: 14_020)
            scene.add(kind, at: 14_040)
            #expect((scene.broken(until: 60_000)["session.one-report-per-loss"] ?? 0) >= 1)
        }
    }

    @Test("Whatever connects or is heard after the user's disconnect is caught (RS-05)")
    func revivals() {
        var connects = sound
        connects.add(.connectBegan, at: 31_000, 2)
        #expect(connects.broken(until: 60_000) == ["session.nothing-revives": 1])
        for direction in [Int64(0), 1] {
            var heard = sound
            heard.hear(direction, [31_500..<31_600])
            #expect(heard.broken(until: 60_000) == ["session.nothing-revives": 1])
        }
        var late = sound
        late.hear(1, [30_000..<30_900])
        #expect(late.broken(until: 60_000) == [:])
        var opened = sound
        opened.act(.leaveApp, at: 31_000)
        opened.act(.openApp, at: 32_000)
        opened.add(.connectBegan, at: 32_000, 2)
        #expect(opened.broken(until: 60_000) == ["session.nothing-revives": 1])
        for act in [UserAct.connect, .tapNotification, .signIn] {
            var asked = sound
            asked.act(act, at: 31_000)
            asked.add(.connectBegan, at: 31_000, 2)
            #expect(asked.broken(until: 60_000) == [:])
        }
    }

    @Test("After another took the identity only the user may ask again (D-08)")
    func takenOver() {
        var scene = SessionScene()
        scene.add(.connectBegan, at: 100, 1)
        scene.add(.faultBegan, at: 700, 12)
        scene.add(.roomDisconnected, at: 800, 1, FinalError.duplicateIdentity.rawValue)
        scene.add(.connectBegan, at: 900, 2)
        #expect(scene.broken(until: 2_000) == ["session.nothing-revives": 1])
    }

    @Test("A status that promises what has been dead for more than 10 s is caught (K-01c)")
    func watchdog() {
        for (until, count) in [(Int64(20_000), nil), (20_001, 1)] as [(Int64, Int?)] {
            var scene = SessionScene()
            scene.talk(1_000..<10_000, 40_000..<200_000)
            scene.show(11, at: 1_060)
            scene.show(12, at: until)
            scene.show(13, at: 40_060)
            #expect(scene.broken(until: 100_000)["session.watchdog-holds"] == count)
        }
        // One side that is heard is a matter of K-01c, not of the watchdog.
        var half = SessionScene()
        half.hear(0, [1_000..<200_000])
        half.hear(1, [1_000..<10_000])
        half.show(11, at: 1_060)
        #expect(half.broken(until: 100_000) == [:])
    }

    @Test("An agent that a network loss silences, or a goodbye nobody wanted, is caught")
    func agents() {
        for (reason, isBroken) in [
            (Int64(14), true), (2, true), (10, false), (5, false), (1, true),
        ] {
            var scene = SessionScene()
            scene.add(.agentJoined, at: 1_000)
            scene.add(.agentClosed, at: 5_000, reason)
            #expect((scene.broken(until: 9_000) != [:]) == isBroken)
        }
        var goodbye = SessionScene()
        goodbye.add(.agentJoined, at: 1_000)
        goodbye.add(.roomLeft, at: 4_900, 1, 0)
        goodbye.add(.agentClosed, at: 5_000, 1)
        #expect(goodbye.broken(until: 9_000) == ["session.agent-survives": 1])
        var killed = SessionScene()
        killed.add(.agentJoined, at: 1_000)
        killed.act(.killApp, at: 4_900)
        killed.add(.agentClosed, at: 5_000, 1)
        #expect(killed.broken(until: 9_000) == [:])
    }

    @Test("An attempt that never ends is caught, one cut off by its room's end is not")
    func attempts() {
        var second = SessionScene()
        second.add(.attemptBegan, at: 1_000, 1, 1, 1)
        second.add(.attemptBegan, at: 2_000, 1, 2, 1)
        #expect(second.broken(until: 9_000) == ["session.attempts-end": 1])
        var stuck = SessionScene()
        stuck.add(.attemptBegan, at: 1_000, 1, 1, 1)
        #expect(stuck.broken(until: 61_000) == [:])
        #expect(stuck.broken(until: 61_001) == ["session.attempts-end": 1])
        stuck.add(.roomLeft, at: 50_000, 1, 1)
        #expect(stuck.broken(until: 100_000) == [:])
    }

    @Test("A violation names its record and its place in the run")
    func violation() throws {
        var scene = sound
        scene.add(.connectBegan, at: 31_000, 2)
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
