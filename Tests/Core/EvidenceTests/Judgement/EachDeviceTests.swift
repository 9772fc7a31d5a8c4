@testable import KodamaEvidence
import SansIO
import Testing

@Suite("A run's own figure of a gate that holds at each device")
struct EachDeviceTests {
    private func times(_ milliseconds: Int64) -> MetricResult {
        var distribution = Distribution()
        distribution.add(milliseconds * 1_000_000)
        return MetricResult(
            name: "voice.mouth_to_ear.time",
            unit: .nanoseconds,
            value: .distribution(distribution)
        )
    }

    @Test("A row of a run shows the device where the gate is worst, whichever side is bad")
    func worst() {
        for (comparison, worst) in [(Comparison.atMost, 90), (.atLeast, 10)]
            as [(Comparison, Int64)]
        {
            var gate = Gate(
                metric: "voice.mouth_to_ear.time",
                in: .nanoseconds,
                statistic: .maximum,
                comparison: comparison,
                limit: 50_000_000
            )
            let scope = GateScope(isEachDevice: true)
            gate.scope = scope
            let scoped = ScopedResult(
                scoped: ScopedMetric(metric: gate.metric, scope: scope),
                findings: [("a", times(40)), ("b", times(90)), ("c", times(10))]
            )
            let run = RunEvidence(seed: 1, metrics: [times(40)], scoped: [scoped])
            // To the precision in which a distribution keeps its samples.
            let figure = run.figure(of: gate).map { $0 / 1_000_000 }
            #expect(figure == worst, "\(comparison)")
        }
    }
}
