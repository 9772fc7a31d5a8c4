@testable import KodamaEvidence
@testable import KodamaHarness
import Testing

@Suite("Rules that a run broke")
struct RuleBreakTests {
    private static let second: Int64 = 1_000_000_000

    private func count(_ name: String, _ total: Int64, firstAt seconds: Int64) -> MetricResult {
        let tally = Tally(total: total, samples: 1)
        let instant = seconds * Self.second
        let first = LocatedSample(value: 1, from: instant, until: instant, cause: "  a   record")
        return MetricResult(
            name: name,
            unit: .count,
            value: .count(tally),
            extremes: SampleExtremes(least: nil, greatest: nil, first: first)
        )
    }

    private func gate(_ metric: String, _ comparison: Comparison, _ limit: Int64) -> Gate {
        Gate(metric: metric, in: .count, statistic: .value, comparison: comparison, limit: limit)
    }

    @Test("Breaks of gates and invariants stand in the order in which they came (D-20)")
    func order() {
        let evidence = Outcomes.evidence(
            seed: 1,
            seconds: 1,
            violations: 1,
            more: [
                count("late", 2, firstAt: 20), count("early", 1, firstAt: 5),
                count("allowed", 3, firstAt: 1), count("ungated", 3, firstAt: 1),
            ]
        )
        let gates = [
            gate("late", .equal, 0), gate("early", .atMost, 0), gate("allowed", .atMost, 9),
        ]
        let breaks = RuleBreak.all(of: evidence, gates: gates)
        #expect(breaks.map(\.rule) == ["early", "voice.order-kept", "late"])
        #expect(breaks.map(\.instant).first == 5 * Self.second)
        #expect(breaks.first?.line == "a record")
        #expect(
            breaks.course == "early at 5 s, then voice.order-kept at 12.34 s, then late at 20 s"
        )
    }

    @Test("A scenario says which rule broke first, and in how many of its runs (D-20)")
    func overRuns() throws {
        let report = RunReport([try Reports.failing()], material: "").scenarios[0]
        #expect(
            report.firstBreaks == [
                """
                broken first in 2 of 40 runs: voice.order-kept; in seed 27 voice.order-kept at \
                12.34 s; record: 12.340000000 s phone frame.played - index=7
                """
            ]
        )
    }
}
