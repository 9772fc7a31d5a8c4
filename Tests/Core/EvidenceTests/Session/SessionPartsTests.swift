@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Session metrics: the parts of a reconnect")
struct SessionPartsTests {
    /// The parts of the only loss of a scene, those of no length left out.
    private func parts(_ scene: SessionScene, until end: Int64 = 100_000) -> [String: Double] {
        let findings = scene.findings(until: end)
        var parts: [String: Double] = [:]
        for name in SessionPartNames.all {
            let samples = findings.milliseconds("session.reconnect.\(name).time")
            #expect(samples?.count == 1, "\(name)")
            if let sample = samples?.first, sample > 0 { parts[name] = sample }
        }
        let whole = findings.milliseconds("session.reconnect.whole.time")
        #expect(whole == [parts.values.reduce(0, +)])
        return parts
    }

    private func loss(back: Int64) -> SessionScene {
        var scene = SessionScene()
        scene.add(ConnectBegan(room: 1), at: 200)
        scene.attempt(.connect, 200..<900, signalled: 500, connected: 900)
        scene.add(ConnectEnded(room: 1, error: TraceWord(nil)), at: 900)
        scene.talk(1_000..<10_000, back..<200_000)
        scene.outage(10_000..<18_000)
        return scene
    }

    @Test("A loss noticed, two quick attempts in vain, a full one: each instant has its part")
    func inner() {
        var scene = loss(back: 25_000)
        scene.add(LossDetected(room: 1, cause: TraceWord(.transport)), at: 14_000)
        scene.attempt(.quick, 14_000..<15_000, failure: .offline)
        scene.add(AttemptWaiting(room: 1, durationNanoseconds: 300_000_000), at: 15_000)
        scene.attempt(.quick, 15_300..<17_000, signalled: 16_000, failure: .transportTimeout)
        scene.attempt(.full, 18_000..<22_000, signalled: 19_000, connected: 21_000)
        #expect(
            parts(scene) == [
                "detection": 4_000, "failed_quick": 2_700, "waiting": 1_300, "signalling": 1_000,
                "media": 2_000, "audible": 4_060,
            ]
        )
        let findings = scene.findings(until: 100_000)
        #expect(findings.distribution("session.attempts.count")?.maximum == 3)
    }

    @Test("The app gives up a room, fetches a token and connects another one")
    func outer() {
        var scene = loss(back: 25_000)
        scene.add(LossDetected(room: 1, cause: TraceWord(.signalClosed)), at: 12_000)
        scene.add(AttemptBegan(room: 1, number: 1, attempt: TraceWord(.full)), at: 12_000)
        // Let go of in the middle of an attempt, which never says how it ended.
        scene.add(RoomLeft(room: 1, manner: TraceWord(.letGo)), at: 14_000)
        scene.add(TokenRequested(operation: 7), at: 14_200)
        scene.add(TokenAnswered(operation: 7, outcome: TraceWord(number: 200)), at: 15_200)
        scene.add(ConnectBegan(room: 2), at: 15_200)
        scene.attempt(.connect, 15_200..<17_000, room: 2, failure: .socketTimeout)
        scene.add(ConnectEnded(room: 2, error: TraceWord(.timedOut)), at: 17_000)
        scene.add(TokenRequested(operation: 8), at: 18_000)
        scene.add(TokenAnswered(operation: 8, outcome: TraceWord(number: 200)), at: 18_500)
        scene.add(ConnectBegan(room: 3), at: 18_500)
        scene.attempt(.connect, 18_500..<20_500, room: 3, signalled: 19_500, connected: 20_400)
        scene.add(ConnectEnded(room: 3, error: TraceWord(nil)), at: 20_500)
        #expect(
            parts(scene) == [
                "detection": 2_000, "failed_full": 2_000, "waiting": 1_200, "token": 1_500,
                "failed_connect": 1_800, "signalling": 1_000, "media": 900, "audible": 4_660,
            ]
        )
    }

    @Test("A request for a token that is dropped without an answer ends with what comes instead")
    func droppedToken() {
        var scene = loss(back: 25_000)
        scene.add(RoomLeft(room: 1, manner: TraceWord(.letGo)), at: 12_000)
        scene.add(TokenRequested(operation: 7), at: 12_000)
        scene.add(TokenRequested(operation: 8), at: 15_000)
        scene.attempt(.connect, 16_000..<20_000, room: 2, signalled: 17_000, connected: 19_000)
        scene.add(LossDetected(room: 2, cause: TraceWord(.signalClosed)), at: 21_000)
        #expect(
            parts(scene) == [
                "detection": 2_000, "token": 4_000, "signalling": 1_000, "media": 2_000,
                "audible": 2_000, "waiting": 4_060,
            ]
        )
    }

    @Test("A loss that heals while nobody acts is healed by itself")
    func selfHealed() {
        #expect(parts(loss(back: 18_500)) == ["self_healed": 8_560])
    }

    @Test("An attempt that was under way when the path went away belongs to the loss")
    func underWay() {
        var scene = loss(back: 20_000)
        scene.attempt(.quick, 9_500..<12_000, failure: .socketBroken)
        scene.attempt(.quick, 13_000..<19_000, signalled: 18_400, connected: 18_800)
        #expect(
            parts(scene) == [
                "failed_quick": 2_000, "waiting": 1_000, "signalling": 5_400, "media": 400,
                "audible": 1_260,
            ]
        )
    }

    @Test("An endless loss is split as far as it goes")
    func endless() {
        var scene = loss(back: 99_000)
        scene.add(LossDetected(room: 1, cause: TraceWord(.signalClosed)), at: 12_000)
        scene.attempt(.quick, 12_000..<40_000, failure: .socketTimeout)
        #expect(
            parts(scene, until: 60_000) == [
                "detection": 2_000, "failed_quick": 28_000, "waiting": 20_000,
            ]
        )
    }

    @Test("The attempts of all phones make the storm: so many within a second")
    func storm() {
        var first = SessionScene()
        for instant in [Int64(1_000), 1_500, 2_000, 2_500] {
            first.attempt(.connect, instant..<instant + 100)
        }
        var trace = first.trace(until: 60_000)
        var second = SessionScene()
        second.phone = "ren-phone"
        second.add(AppLaunched(), at: 0)
        second.attempt(.connect, 1_480..<1_600)
        second.attempt(.connect, 9_000..<9_100)
        trace.records += second.trace(until: 60_000).records.filter { $0.kind != RunEnded.kind }
        trace.records.sort { $0.instant < $1.instant }
        let rate = Findings(trace).distribution("session.attempts.rate")
        // 1 at 1,000; 2 at 1,480; 3 at 1,500; at 2,000 the first is a whole second old.
        #expect(rate?.buckets.map(\.upperEdge) == [1, 2, 3])
        #expect(rate?.buckets.map(\.count) == [2, 2, 2])
        #expect(rate?.maximum == 3)
    }

    @Test(
        "Of the phones that meet a server that is back, those of one second make the peak (K-20)",
        arguments: [(2_499, 1_000_000), (2_500, 500_000)] as [(Int64, Int64)]
    )
    func peak(second met: Int64, share: Int64) {
        var first = SessionScene()
        first.add(FaultEnded(fault: .serverDown), at: 1_000)
        first.attempt(.connect, 1_400..<1_600, signalled: 1_500)
        var trace = first.trace(until: 60_000)
        var other = SessionScene()
        other.phone = "ren-phone"
        other.attempt(.connect, 1_400..<2_600, signalled: met)
        trace.records += other.trace(until: 60_000).records.filter { $0.kind != RunEnded.kind }
        trace.records.sort { $0.instant < $1.instant }
        let peak = Findings(trace).distribution("session.storm.peak.share")
        #expect(peak?.count == 1)
        #expect(peak?.maximum == share)
    }

    /// What may befall several phones in one instant.
    struct Cause: Sendable {
        var began: [WorldFault] = []
        var ended: WorldFault?
        /// How many phones have a path again.
        var paths = 0
        var isShared = true
    }

    @Test(
        "What several phones share has a peak of its own, whatever it is; what one has alone has none",
        arguments: [
            Cause(ended: .silentAPI), Cause(ended: .darkAPI),
            Cause(began: [.portClosed], ended: .serverCleared),
            Cause(began: [.silentServer], ended: .serverCleared),
            Cause(began: [.agentLeft, .agentLeft]), Cause(began: [.serverLeave, .serverLeave]),
            Cause(paths: 2), Cause(paths: 1, isShared: false),
            Cause(began: [.agentLeft], isShared: false),
            Cause(ended: .serverCleared, isShared: false),
        ]
    )
    func sharedCauses(_ cause: Cause) {
        var first = SessionScene()
        var other = SessionScene()
        other.phone = "ren-phone"
        // What happens once happens again.
        for round in [0, 30_000] as [Int64] {
            let begin: Int64 = round + (cause.ended == nil ? 1_000 : 900)
            for fault in cause.began {
                first.add(FaultBegan(fault: fault, parameter: 0), at: begin)
            }
            if let fault = cause.ended { first.add(FaultEnded(fault: fault), at: round + 1_000) }
            if cause.paths > 0 { first.add(PathUsable(), at: round + 1_000) }
            if cause.paths > 1 { other.add(PathUsable(), at: round + 1_000) }
            let (start, end) = (round + 1_400, round + 1_800)
            first.attempt(.connect, start..<end - 200, signalled: end - 300)
            other.attempt(.connect, start..<end, signalled: end - 100)
        }
        var trace = first.trace(until: 60_000)
        trace.records += other.trace(until: 60_000).records.filter { $0.kind != RunEnded.kind }
        trace.records.sort { $0.instant < $1.instant }
        let peak = Findings(trace).distribution("session.storm.peak.share")
        #expect((peak?.count ?? 0) == (cause.isShared ? 2 : 0))
        if cause.isShared { #expect(peak?.minimum == 1_000_000) }
    }
}
