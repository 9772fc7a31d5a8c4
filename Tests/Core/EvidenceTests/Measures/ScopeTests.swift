@testable import KodamaEvidence
import Testing

@Suite("Gates that bound only some samples (HN-03)")
struct ScopeTests {
    /// Two phones that lose their path at 10 s and at 50 s; the second loss takes longer.
    private var trace: RecordedTrace {
        var scene = SessionScene(.sized)
        scene.talk(1_000..<10_000, 12_000..<50_000, 57_000..<200_000)
        scene.outage(10_000..<11_000)
        scene.outage(50_000..<52_000)
        var other = SessionScene(.sized, launched: false)
        other.phone = "ren-phone"
        other.add(AppLaunched(), at: 0)
        other.talk(1_000..<10_000, 30_000..<200_000)
        other.outage(10_000..<11_000)
        var trace = scene.trace(until: 100_000)
        let records = (trace.records.dropLast() + other.trace(until: 100_000).records)
        trace.records = records.enumerated().sorted {
            ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
        }.map(\.element)
        return trace
    }

    private func judge(_ scope: GateScope?, _ statistic: Statistic = .maximum) -> GateResult {
        var gate = Gate(
            metric: "session.recovery.time",
            in: .nanoseconds,
            statistic: statistic,
            comparison: .atMost,
            limit: 10_000_000_000
        )
        gate.scope = scope
        var meter = RunMeter([gate].scopedMetrics)
        meter.begin(trace.directory)
        meter.record(contentsOf: trace.records)
        var judge = Judge(gates: [gate])
        judge.add(RunEvidence(seed: 1, metrics: meter.metrics, scoped: meter.scoped))
        return judge.judgement.gates[0]
    }

    @Test("Without a scope all samples count")
    func all() {
        let result = judge(nil)
        #expect(result.samples == 3)
        #expect(result.value == 19_060_000_000)
        #expect(result.verdict == .fail)
        #expect(result.device == nil)
    }

    @Test("In a stretch of the run count samples that begin there")
    func stretch() {
        let late = judge(GateScope(window: .between(from: 20_000_000_000, until: 60_000_000_000)))
        #expect(late.samples == 1)
        #expect(late.value == 5_060_000_000)
        #expect(late.verdict == .pass)
        #expect(late.gate.ruleText == "max <= 10s from 20s until 60s")
        let none = judge(GateScope(window: .between(from: 60_000_000_000, until: 90_000_000_000)))
        #expect(none.verdict == .noData)
    }

    @Test("Until a moment count samples that last so long or longer, whenever they began")
    func lasting() {
        let late = judge(GateScope(window: .lasting(until: 30_000_000_000)))
        #expect(late.samples == 2)
        #expect(late.value == 19_060_000_000)
        #expect(late.verdict == .fail)
        #expect(late.gate.ruleText == "max <= 10s lasting until 30s or longer")
        let later = judge(GateScope(window: .lasting(until: 31_000_000_000)))
        #expect(later.samples == 1)
        #expect(later.verdict == .pass)
    }

    @Test("After an event count samples that begin from it on; after what never comes, none")
    func after() {
        func scope(_ count: Int, delay: Int64 = 0) -> GateScope {
            GateScope(
                window: .after(
                    event: "path.lost",
                    component: "aoi-phone",
                    count: count,
                    delay: delay
                )
            )
        }
        #expect(judge(scope(1)).samples == 3)
        #expect(judge(scope(2)).samples == 1)
        #expect(judge(scope(2, delay: 3_000_000_000)).samples == 0)
        #expect(judge(scope(3)).verdict == .noData)
        #expect(judge(scope(2)).gate.ruleText == "max <= 10s after path.lost number 2 of aoi-phone")
    }

    @Test("At each device the gate holds by itself, and the worst one is named")
    func devices() {
        let result = judge(GateScope(isEachDevice: true))
        #expect(result.device == "ren-phone")
        #expect(result.samples == 1)
        #expect(result.verdict == .fail)
        #expect(result.worst?.sample?.component == "ren-phone")
        // Pooled, two of three keep the limit, and so the median does.
        #expect(judge(nil, .quantile(perMille: 500)).verdict == .pass)
        #expect(judge(GateScope(isEachDevice: true), .quantile(perMille: 500)).verdict == .fail)
    }
}
