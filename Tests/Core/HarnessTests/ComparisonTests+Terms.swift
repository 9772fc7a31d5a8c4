import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
import Testing

// What a comparison says of gates and invariants that are not what they were.

extension ComparisonTests {
    @Test("A gate that is gone, is new or has another limit is told, and is no equality (HN-03)")
    func gates() throws {
        let before = try report { 1_000 + Int64($0) }
        var after = before
        after.scenarios[0].points[0].gates[0].rule = "max <= 60s"
        after.scenarios[0].points[0].gates[0].limit = 60_000_000_000
        let looser = ReportComparison(before, after, wantsAll: true)
        #expect(!looser.isEqual)
        #expect(!looser.isRegression)
        #expect(
            ComparisonText(looser).text
                .contains("  gate changed: voice.mouth_to_ear.time max <= 30s → max <= 60s\n")
        )
        after.scenarios[0].points[0].gates = []
        #expect(!ReportComparison(before, after).isRegression)
        let gone = ReportComparison(before, after, wantsAll: true)
        #expect(gone.isRegression)
        let line = "  regression: gate gone: voice.mouth_to_ear.time max <= 30s\n"
        #expect(ComparisonText(gone).text.contains(line))
        #expect(ComparisonJUnit(gone).text.contains("the gate is there before and not after"))
        #expect(ComparisonAnnotations(gone).text.contains("gate gone: "))
        let fresh = ReportComparison(after, before, wantsAll: true)
        #expect(!fresh.isRegression)
        let new = "  gate new: voice.mouth_to_ear.time max <= 30s\n"
        #expect(ComparisonText(fresh).text.contains(new))
    }

    @Test("An invariant that is checked in no run any more is a regression (HN-03)")
    func silencedInvariant() throws {
        var before = try report { 1_000 + Int64($0) }
        before.scenarios[0].points[0].invariants[0].verdict = .pass
        var after = before
        after.scenarios[0].points[0].invariants[0].verdict = .noData
        let name = before.scenarios[0].points[0].invariants[0].name
        for old in [before, before.asBaseline] {
            let comparison = ReportComparison(old, after)
            #expect(comparison.isRegression)
            let line = "  regression: no data any more: \(name) always\n"
            #expect(ComparisonText(comparison).text.contains(line))
        }
        #expect(!ReportComparison(after, before).isRegression)
        #expect(ReportComparison(after, after).isEqual)
    }

    @Test("A gate that shows fewer requirements than before is told (HN-03)")
    func lostCovers() throws {
        var before = try report { 1_000 + Int64($0) }
        before.scenarios[0].points[0].gates[0].covers = ["K-12", "K-15"]
        var after = before
        after.scenarios[0].points[0].gates[0].covers = ["K-15"]
        for old in [before, before.asBaseline] {
            let comparison = ReportComparison(old, after, wantsAll: true)
            #expect(!comparison.isEqual)
            #expect(!comparison.isRegression)
            let line = "  covers gone: voice.mouth_to_ear.time max <= 30s: K-12\n"
            #expect(ComparisonText(comparison).text.contains(line))
            #expect(String(decoding: try comparison.json, as: UTF8.self).contains("lostCovers"))
        }
        #expect(ReportComparison(after, before, wantsAll: true).isEqual)
    }

    @Test("So is an invariant that shows fewer, and what one that is gone alone showed (HN-03)")
    func lostCoversOfInvariants() throws {
        var before = try report { 1_000 + Int64($0) }
        let name = try #require(before.scenarios[0].points[0].invariants.first?.name)
        before.scenarios[0].points[0].gates[0].covers = ["K-12"]
        before.scenarios[0].points[0].invariants[0].covers = ["K-12", "K-14"]
        var fewer = before
        fewer.scenarios[0].points[0].invariants[0].covers = nil
        var gone = before
        gone.scenarios[0].points[0].invariants.removeFirst()
        for old in [before, before.asBaseline] {
            let less = ReportComparison(old, fewer)
            #expect(!less.isEqual)
            #expect(ComparisonText(less).text.contains("covers gone: \(name) always: K-12 K-14\n"))
            let none = ReportComparison(old, gone)
            #expect(ComparisonText(none).text.contains("covers gone: \(name) always: K-14\n"))
        }
        #expect(ReportComparison(fewer, before).isEqual)
    }

    @Test("A gate that needs fewer samples, or lets no data pass, is told as changed (HN-03)")
    func gateTerms() throws {
        let before = try report { 1_000 + Int64($0) }
        let metric = "voice.mouth_to_ear.time"
        let needed = before.scenarios[0].points[0].gates[0].samplesNeeded
        var fewer = before
        fewer.scenarios[0].points[0].gates[0].samplesNeeded = needed + 1
        let samples = ReportComparison(fewer, before)
        #expect(!samples.isEqual)
        #expect(!samples.isRegression)
        #expect(ComparisonJUnit(samples).text.contains("<system-out>gate changed: \(metric) "))
        #expect(
            samples.points[0].gateChanges == [
                .init(
                    metric: metric,
                    before: "max <= 30s (of at least \(counted(needed + 1, "sample")))",
                    after: "max <= 30s (of at least \(counted(needed, "sample")))"
                )
            ]
        )
        var lenient = before
        lenient.scenarios[0].points[0].gates[0].allowsNoData = true
        let line =
            "  gate changed: \(metric) max <= 30s (no data fails) → max <= 30s (no data passes)\n"
        #expect(ComparisonText(ReportComparison(before, lenient)).text.contains(line))
        #expect(ReportComparison(lenient, lenient).isEqual)
        #expect(ReportComparison(lenient.asBaseline, lenient, wantsAll: true).isEqual)
    }

    @Test("A verdict that is undecided only now is no regression, and no pass (HN-03)")
    func turnedOpen() throws {
        let before = try report { _ in 1_000 }
        func open(_ milliseconds: Int64) throws -> ReportComparison {
            var after = try report { _ in milliseconds }
            after.scenarios[0].points[0].gates[0].verdict = .undecided
            after.scenarios[0].points[0].gates[0].isGreen = false
            after.scenarios[0].points[0].gates[0].noDataReason = .openAtEnd
            return ReportComparison(before, after)
        }
        for milliseconds in [900, 1_000, 1_100] as [Int64] {
            let turned = try open(milliseconds)
            #expect(turned.isUndecided && !turned.isRegression, "\(milliseconds)")
            #expect(turned.points[0].gated.map(\.judgement) == [.undecided])
            #expect(turned.verdictLine.hasPrefix("UNDECIDED: total-outage ("))
        }
        let worse = try open(20_000)
        #expect(worse.isRegression, "significantly worse, however the rest may turn out")
        var failed = try report { _ in 1_000 }
        failed.scenarios[0].points[0].gates[0].verdict = .fail
        failed.scenarios[0].points[0].gates[0].isGreen = false
        #expect(ReportComparison(before, failed).isRegression)
    }

    @Test(
        "Beside scenarios with seeds enough, one with few is told to be worse and no more (HN-03)"
    )
    func fewSeedsAmongMany() throws {
        func reports(_ few: Int64) throws -> RunReport {
            var report = try report { 1_000 + Int64($0) }
            var scenario = try self.report(1...3) { few + Int64($0) }.scenarios[0]
            scenario.about.name = "few"
            report.scenarios.append(scenario)
            return report
        }
        let comparison = ReportComparison(try reports(1_000), try reports(9_000))
        #expect(comparison.points[1].gated.map(\.judgement) == [.undecided])
        #expect(!comparison.isUndecided && !comparison.isRegression)
        let line = """
            NO REGRESSION (2 points, 43 runs in common); 1 point worse over too few seeds to tell; \
            3 seeds in common can show none, 8 can
            """
        #expect(comparison.verdictLine == line)
        #expect(ComparisonText(comparison).text.contains("\n  undecided: "))
        #expect(ComparisonJUnit(comparison).text.contains("<skipped message=\"undecided: "))
    }

    /// Forty runs that add so much each to a sum that is to be 40.
    private func sum(_ value: (UInt64) -> Int64) throws -> RunReport {
        var report = try report { 1_000 + Int64($0) }
        var gate = report.scenarios[0].points[0].gates[0]
        (gate.figure, gate.unit, gate.comparison, gate.limit) = ("value", .count, .equal, 40)
        gate.bySeed = (1...40).map(value)
        gate.value = gate.bySeed.reduce(0) { $0 + ($1 ?? 0) }
        if gate.value != 40 { (gate.verdict, gate.isGreen) = (.fail, false) }
        report.scenarios[0].points[0].gates[0] = gate
        return report
    }

    @Test("A run that moves away from its share of an exact sum is worse in its seed (HN-03)")
    func sums() throws {
        let twice = ReportComparison(try sum { _ in 1 }, try sum { _ in 2 })
        #expect(twice.points[0].gated.map(\.worseSeeds) == [40])
        #expect(twice.isRegression)
        let back = ReportComparison(try sum { _ in 2 }, try sum { _ in 1 })
        #expect(back.points[0].gated.map(\.betterSeeds) == [40])
        #expect(!back.isRegression)
        // Of other runs on one side the means are compared, each with its share of the limit.
        var some = try sum { _ in 2 }
        for gate in some.scenarios[0].points[0].gates.indices {
            some.scenarios[0].points[0].gates[gate].limit = 20
            some.scenarios[0].points[0].gates[gate].bySeed.removeLast(20)
        }
        some.scenarios[0].points[0].runs.removeLast(20)
        some.scenarios[0].points[0].metrics = []
        var all = try sum { _ in 1 }
        all.scenarios[0].points[0].metrics = []
        let means = ReportComparison(all, some)
        #expect(means.points[0].gated.map(\.basis) == [.meanOfSeeds])
        #expect(means.isRegression)
    }

    @Test("Where a sum is missed only the runs that miss their share are named (HN-04)")
    func failingSeedsOfSum() throws {
        let report = try sum { $0 == 3 ? 0 : 1 }
        #expect(report.scenarios[0].failingSeeds.map(\.seeds) == [[3]])
    }
}
