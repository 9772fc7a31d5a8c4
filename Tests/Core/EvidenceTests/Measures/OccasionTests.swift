@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaPhone
@testable import KodamaReplica
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Every occasion of a metric ends as a sample, as excluded or as censored (HN-02)")
struct OccasionTests {
    private let lines = TraceLines(TraceDirectory(names: ["app"], systems: .core))
    private let app = ComponentIndex(0)

    private func at(_ milliseconds: Int64) -> Instant { .ns(milliseconds * 1_000_000) }

    private func wait() -> Measure<Distribution> {
        .time("wait.time", "A wait.", "HN-02", excluding: ["nobody waited"])
    }

    @Test("What is open when the run ends is censored at its length so far")
    func open() throws {
        var wait = wait()
        let first = wait.open(at: at(1_000), of: app)
        let second = wait.open(at: at(2_000), of: app)
        _ = wait.open(at: at(3_000), of: app)
        wait.close(first, at: at(1_500))
        wait.exclude(second, "nobody waited", at: at(2_500))
        let result = wait.ended(at: at(10_000)).result(lines)
        #expect(result.samples == 1)
        #expect(result.occasions.count == 3)
        #expect(result.occasions.exclusions == [.init(reason: "nobody waited", count: 1)])
        #expect(result.occasions.censoredCount == 1)
        #expect(result.addsUp)
        guard case .distribution(let known) = result.known else { throw StoryError() }
        #expect(known.maximum == 7_000_000_000)
        #expect(result.worst?.value == 7_000_000_000)
    }

    private struct StoryError: Error {}

    @Test(
        "An occasion that a meter ends twice breaks the sum, and the harness says of which metric"
    )
    func twice() {
        var wait = wait()
        let occasion = wait.open(at: at(0), of: app)
        wait.close(occasion, at: at(1))
        wait.close(occasion, at: at(2))
        let result = wait.ended(at: at(3)).result(lines)
        #expect(!result.addsUp)
        let broken = InvariantResult(
            occasionsOf: [(wait.metric, result)],
            at: 3,
            position: 7
        )
        #expect(broken.violationCount == 1)
        #expect(
            broken.violations.map(\.line)
                == ["wait.time: 1 occasions, 2 samples, 0 excluded, 0 censored"]
        )
    }

    @Test("A reason that its metric does not declare breaks the invariant, though the sum is right")
    func undeclared() {
        var wait = wait()
        let now = Occurrence(Span(start: 0, end: 0), of: app)
        wait.exclude("nobody waited", at: now)
        let declared = InvariantResult(
            occasionsOf: [(wait.metric, wait.result(lines))],
            at: 3,
            position: 7
        )
        #expect(declared.violationCount == 0)
        wait.exclude("it took too long", at: now)
        let result = wait.result(lines)
        #expect(result.addsUp)
        let broken = InvariantResult(
            occasionsOf: [(wait.metric, result)],
            at: 3,
            position: 7
        )
        #expect(
            broken.violations.map(\.line) == [
                "wait.time: excluded for 'it took too long', which the metric does not declare"
            ]
        )
    }

    @Test("Each reason is declared once, and only where an occasion may be excluded")
    func declaredOnce() {
        for metric in Systems.shipped.metrics where !metric.exclusions.isEmpty {
            #expect(metric.occasions == .lasting, "\(metric.name)")
            #expect(Set(metric.exclusions).count == metric.exclusions.count, "\(metric.name)")
        }
    }

    @Test("Counts and reasons of many runs pool, in whatever order")
    func pooled() {
        func run(_ reasons: [String], open: Int) -> MetricResult {
            var wait = wait()
            let none = Occurrence(Span(start: 0, end: 0), of: app)
            for reason in reasons { wait.exclude(reason, at: none) }
            for _ in 0..<open { wait.censor(5, at: none) }
            return wait.result(lines)
        }
        let runs = [run(["b", "a"], open: 1), run(["c", "a"], open: 2), run([], open: 0)]
        var forwards = runs[0]
        forwards.merge(runs[1])
        forwards.merge(runs[2])
        var backwards = runs[2]
        backwards.merge(runs[1])
        backwards.merge(runs[0])
        #expect(forwards.occasions == backwards.occasions)
        #expect(forwards.occasions.exclusions.map(\.reason) == ["a", "b", "c"])
        #expect(forwards.occasions.exclusions.map(\.count) == [2, 1, 1])
        #expect(forwards.occasions.censoredCount == 3)
        #expect(forwards.addsUp)
    }

    // MARK: One family each

    @Test("A session that is not back when the run ends is censored, with its least (K-01a, K-01b)")
    func session() {
        var scene = SessionScene()
        scene.talk(1_000..<10_000, 15_000..<100_000)
        scene.outage(10_000..<12_000)
        scene.outage(100_000..<111_000)
        let findings = scene.findings(until: 120_000)
        #expect(findings.milliseconds("session.recovery.time") == [3_060, 9_000])
        #expect(findings.occasions("session.recovery.time")?.censoredCount == 1)
        #expect(findings.occasions("session.reconnect.whole.time")?.censoredCount == 1)
        #expect(findings.occasions("session.unrecovered")?.censoredCount == 1)
        #expect(findings.addsUp)
    }

    @Test(
        "A recovery that no path came for is open, and so is what the server was gone for (K-01b)"
    )
    func neverBack() {
        var scene = SessionScene()
        scene.talk(1_000..<10_000, 15_000..<100_000)
        scene.outage(10_000..<12_000)
        scene.add(PathLost(cause: .link), at: 100_000)
        let findings = scene.findings(until: 120_000)
        #expect(findings.milliseconds("session.recovery.time") == [0, 3_060])
        #expect(findings.occasions("session.recovery.time")?.censoredCount == 1)
        var served = SessionScene()
        served.talk(1_000..<100_000)
        served.outage(100_000..<102_000)
        served.ownServerGone(101_000..<120_000)
        let unserved = served.findings(until: 110_000).occasions("session.recovery.time")
        #expect(unserved?.censoredCount == 1)
        #expect(unserved?.excludedCount == 0)
    }

    @Test(
        "An outage that outlasts the wish for the conversation asks for no recovery, twice in a row (K-01b)"
    )
    func wantedNoMore() {
        var scene = SessionScene()
        scene.talk(1_000..<10_000, 52_000..<100_000, 152_000..<300_000)
        for start in [10_000, 100_000] as [Int64] {
            scene.outage(start..<start + 20_000)
            scene.act(.phoneCallBegins, at: start + 10_000)
            scene.act(.phoneCallEnds, at: start + 40_000)
        }
        let findings = scene.findings(until: 200_000)
        let recoveries = findings.occasions("session.recovery.time")
        #expect(recoveries?.censoredCount == 0)
        #expect(recoveries?.exclusions.map(\.reason) == ["wanted no more before the path was back"])
        #expect(recoveries?.exclusions.map(\.count) == [2])
        #expect(findings.milliseconds("session.resume.time") == [2_060, 12_060])
        #expect(findings.addsUp)
    }

    @Test(
        "What waits for its user when the run ends is not open: no longer run would tell more (RS-03)"
    )
    func awaitsUser() {
        for (asks, open) in [(false, 0), (true, 1)] {
            var scene = SessionScene()
            scene.keychainFails(500..<30_000)
            scene.add(SceneChanged(phase: .active), at: 1_000)
            if asks { scene.act(.connect, at: 45_000) }
            let unrecovered = scene.findings(until: 60_000).occasions("session.unrecovered")
            #expect(unrecovered?.censoredCount == open)
            #expect(unrecovered?.excludedCount == 1 - open)
        }
    }

    @Test(
        "Whoever looks into the app while there is no path, and leaves, waits for nothing (K-01b)"
    )
    func lookedInVain() {
        var scene = SessionScene()
        scene.talk(1_000..<8_000, 82_000..<200_000)
        scene.act(.leaveApp, at: 8_000)
        scene.outage(10_000..<70_000)
        for start in [20_000, 40_000] as [Int64] {
            scene.act(.openApp, at: start)
            scene.act(.leaveApp, at: start + 10_000)
        }
        scene.act(.openApp, at: 80_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.resume.time") == [2_060])
        for name in ["session.resume.time", "session.recovery.time"] {
            #expect(findings.occasions(name)?.censoredCount == 0)
            #expect(findings.occasions(name)?.exclusions.map(\.count) == [2])
        }
        #expect(findings.addsUp)
    }

    @Test("A phone on which nobody wants a conversation is no occasion of lost voice (K-10)")
    func noApp() {
        var scene = SessionScene(launched: false)
        scene.outage(10_000..<12_000)
        scene.act(.leaveApp, at: 20_000)
        let findings = scene.findings(until: 60_000)
        #expect(findings.occasions("session.audio.lost.time")?.count == 0)
        #expect(findings.occasions("session.audio.lost.share")?.count == 0)
    }

    @Test("A connect that is given up, or runs into a time limit, took that long at least (K-02)")
    func givenUp() {
        var scene = SessionScene()
        scene.add(ConnectBegan(room: 1), at: 1_000)
        scene.add(ConnectEnded(room: 1, error: TraceWord(RoomError.timedOut)), at: 16_000)
        scene.add(ConnectBegan(room: 2), at: 20_000)
        scene.add(ConnectBegan(room: 3), at: 24_000)
        scene.add(ConnectEnded(room: 3, error: TraceWord(RoomError.validation)), at: 25_000)
        let findings = scene.findings(until: 60_000)
        #expect(findings.milliseconds("session.room.connect.time") == [4_000, 15_000])
        let connects = findings.occasions("session.room.connect.time")
        #expect(connects?.censoredCount == 2)
        #expect(connects?.exclusions.map(\.reason) == ["refused"])
        #expect(findings.addsUp)
    }

    @Test(
        "Short false promises show in their share of the time, as none does in the longest (K-01c)"
    )
    func promises() {
        var scene = SessionScene()
        scene.talk(1_000..<4_000)
        for start in stride(from: Int64(10_000), to: 100_000, by: 10_000) {
            scene.show(.connected, at: start)
            scene.show(.reconnecting, at: start + 6_000)
        }
        let findings = scene.findings(until: 110_000)
        #expect(findings.milliseconds("session.false_connected.time")?.max() == 6_000)
        guard case .proportion(let share) = findings.value("session.false_connected.share") else {
            Issue.record("there is no share")
            return
        }
        #expect(share.numerator == 54_000_000_000)
        #expect(share.denominator == 110_000_000_000)
    }

    @Test("A user's turn that no answer follows within 10 s is an open round trip, not none (K-09)")
    func turns() {
        var scene = SessionScene()
        scene.talk(1_000..<60_000)
        scene.add(SpeechBegan(spurt: 1), at: 5_000)
        scene.add(SpeechEnded(spurt: 1), at: 6_000)
        scene.add(SpeechBegan(spurt: 2), at: 20_000)
        scene.add(SpeechEnded(spurt: 2), at: 22_000)
        scene.add(SpeechBegan(spurt: 3), at: 24_000)
        scene.add(SpeechEnded(spurt: 3), at: 55_000)
        let findings = scene.findings(until: 60_000)
        let trips = findings.occasions("voice.round_trip.time")
        // A user who speaks again while the answer is late leaves none.
        #expect(trips?.censoredCount == 3)
        #expect(trips?.excludedCount == 0)
        #expect(findings.milliseconds("voice.round_trip.time") == [2_000, 5_000, 10_000])
        #expect(findings.addsUp)
    }

    @Test("A card that is never shown, of a phone within reach, is censored (A-F-005)")
    func cards() {
        var talk = HandoverTalk()
        talk.link(.restored, at: 0)
        talk.builder.add(MemberIdentified(number: 1), at: 0, "a.intercom")
        talk.builder.add(MemberIdentified(number: 2), at: 0, "b.intercom")
        let occasions = talk.occasions("group.card.shown.time")
        #expect(occasions?.count == 2)
        #expect(occasions?.censoredCount == 2)
    }

    @Test(
        "A write that has not arrived is censored, one that could not since is excluded (RP-03)"
    )
    func replica() {
        var scene = ReplicaScene.opened(.phone, .pad)
        scene.write(1, at: 10_000)
        scene.take(1, at: 12_000)
        scene.write(2, at: 20_000)
        scene.write(3, of: .pad, at: 30_000)
        scene.outage(of: .pad, 31_000..<40_000)
        scene.outage(of: .pad, 41_000..<51_000)
        scene.write(4, of: .pad, at: 42_000)
        let findings = scene.findings(until: 50_000)
        #expect(findings.milliseconds("replica.write.arrival.time") == [2_000, 2_000, 30_000])
        let arrivals = findings.occasions("replica.write.arrival.time")
        #expect(arrivals?.censoredCount == 2)
        #expect(arrivals?.excludedCount == 1)
        #expect(findings.addsUp)
    }

    @Test("Sides that differ when the run ends are censored, however short that is (K-18)")
    func lag() {
        var scene = ReplicaScene.opened()
        scene.outage(10_000..<20_000)
        scene.compare(false, at: 15_000)
        let findings = scene.findings(until: 22_000)
        #expect(findings.milliseconds("replica.sync.lag") == [2_000])
        #expect(findings.occasions("replica.sync.lag")?.censoredCount == 1)
        #expect(findings.addsUp)
    }
}
