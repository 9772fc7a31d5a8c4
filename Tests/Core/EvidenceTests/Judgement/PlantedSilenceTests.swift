@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaNetwork
@testable import KodamaPhone
@testable import KodamaReplica
@testable import KodamaSession
import RealtimeVoice
import Testing

/// Silences of 2 to 30 s, in every system, some of which last to the run's end: none may leave a suite green.
@Suite("Each planted silence fails a gate of the shipped kind, or leaves it undecided (HN-02)")
struct PlantedSilenceTests {
    /// A gate as shipped scenarios have it.
    private func gate(_ metric: String, _ statistic: Statistic, atMost limit: Int64) -> Gate {
        let unit: MetricUnit = statistic == .value ? .count : .nanoseconds
        return Gate(
            metric: metric,
            in: unit,
            statistic: statistic,
            comparison: .atMost,
            limit: limit
        )
    }

    private func seconds(_ metric: String, _ statistic: Statistic, atMost limit: Int64) -> Gate {
        gate(metric, statistic, atMost: limit * 1_000_000_000)
    }

    /// Whether some gate is not green over a trace.
    private func isNoticed(_ trace: RecordedTrace, _ gates: [Gate]) -> Bool {
        let meter = RunMeter.of(trace)
        var judge = Judge(gates: gates)
        judge.add(RunEvidence(seed: 1, metrics: meter.metrics, invariants: meter.invariants))
        let unbalanced = meter.metrics.filter { !$0.addsUp }.map(\.name)
        #expect(unbalanced == [])
        return judge.judgement.gates.contains { !$0.isGreen }
    }

    @Test("In a session that is back in the end", arguments: [Int64(7), 11, 15, 20, 30])
    func session(silence: Int64) {
        var scene = SessionScene()
        scene.talk(1_000..<20_000, 21_000 + silence * 1_000..<100_000)
        scene.outage(20_000..<21_000)
        let gates = [seconds("session.recovery.time", .maximum, atMost: 6)]
        #expect(isNoticed(scene.trace(until: 101_000), gates))
    }

    @Test("In a session that the run's end cuts off", arguments: [Int64(2), 5, 9, 15, 29])
    func endOfSession(silence: Int64) {
        var scene = SessionScene()
        scene.talk(1_000..<20_000)
        scene.outage(20_000..<21_000)
        let gates = [
            seconds("session.recovery.time", .maximum, atMost: 30),
            gate("session.unrecovered", .value, atMost: 0),
        ]
        #expect(isNoticed(scene.trace(until: 21_000 + silence * 1_000), gates))
    }

    @Test(
        "In a call that was answered, and whose caller hangs up",
        arguments: [Int64(5), 8, 15, 30]
    )
    func call(silence: Int64) {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_200)
        scene.accept(at: 1_400)
        scene.ring(2_000..<5_000, .answered)
        scene.take(at: 5_200)
        let end = 5_400 + silence * 1_000
        scene.connect(5_400..<end)
        scene.end(.hungUp, at: end)
        let gates = [seconds("call.answer.time", .quantile(perMille: 950), atMost: 4)]
        #expect(isNoticed(scene.trace(until: 60_000), gates))
    }

    @Test("In a call that the run's end cuts off", arguments: [Int64(2), 3, 10])
    func endOfCall(silence: Int64) {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_200)
        scene.accept(at: 1_400)
        scene.ring(2_000..<5_000, .answered)
        scene.take(at: 5_200)
        scene.connect(5_400..<90_000)
        let gates = [seconds("call.answer.time", .quantile(perMille: 950), atMost: 4)]
        #expect(isNoticed(scene.trace(until: 5_400 + silence * 1_000), gates))
    }

    @Test("In a handover that outlasts what is being said", arguments: [Int64(4), 7, 12, 30])
    func handover(silence: Int64) {
        var talk = HandoverTalk(spokenUntil: 22_000)
        talk.spurt(23_000..<60_000)
        talk.frames(0..<20_000, by: [.local])
        talk.link(.stopped, at: 20_000)
        talk.frames(20_000 + silence * 1_000..<60_000, by: [.internet])
        let name = "handover.silence.to_internet.other.time"
        let found = talk.samples(name)
        #expect(found.max.map { $0 > 2_000 } ?? false)
    }

    @Test(
        "Between members who have not heard each other when the run ends",
        arguments: [Int64(3), 8, 19]
    )
    func firstWord(silence: Int64) {
        var talk = HandoverTalk()
        talk.link(.restored, at: 0)
        talk.frames(0..<silence * 1_000, by: [.local], arrive: false)
        talk.listenerCaptures(0..<silence * 1_000)
        let occasions = talk.occasions("group.first_word.time")
        #expect(occasions?.censoredCount == 1)
    }

    @Test("In a replica that is not up to date when the run ends", arguments: [Int64(2), 4, 20])
    func replica(silence: Int64) {
        var scene = ReplicaScene.opened()
        scene.outage(10_000..<20_000)
        scene.compare(false, at: 15_000)
        let gates = [gate("replica.sync.lag", .quantile(perMille: 950), atMost: 1_500_000_000)]
        #expect(isNoticed(scene.trace(until: 20_000 + silence * 1_000), gates))
    }
}
