import KodamaShipped
import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage
import Testing

@Suite("Results compared seed by seed")
struct ComparisonTests {
    /// Forty runs whose one gated sample each is as long as `milliseconds` says, if there is one.
    func report(
        _ seeds: ClosedRange<UInt64> = 1...40,
        settings: [String] = [],
        violating: Set<UInt64> = [],
        figure: String = "p95",
        milliseconds: (UInt64) -> Int64?
    ) throws -> RunReport {
        var outcome = try Outcomes.scenario { _, _ in 8 }
        let runs = seeds.map { seed in
            var run = Outcomes.evidence(
                seed: seed,
                seconds: nil,
                violations: violating.contains(seed) ? 1 : 0
            )
            run.metrics = [
                Outcomes.time(
                    "voice.mouth_to_ear.time",
                    milliseconds: milliseconds(seed).map { [$0] } ?? []
                )
            ]
            return run
        }
        Outcomes.judge(&outcome.points[0], runs, digest: UInt64(milliseconds(1) ?? 0))
        let options = settings.flatMap { ["--set", $0] }
        var report = RunReport([outcome], material: "", options: options)
        report.scenarios[0].points[0].gates[0].figure = figure
        return report
    }

    private func gated(_ comparison: ReportComparison) -> FigureChange? {
        comparison.points.first?.gated.first
    }

    /// In how many seeds a figure is better, worse and the same.
    private func counts(_ change: FigureChange) -> String {
        "\(change.betterSeeds) \(change.worseSeeds) \(change.equalSeeds)"
    }

    @Test("A hundred comparisons of a result with itself find no difference at all (HN-03)")
    func equal() throws {
        let report = try Reports.ofEverything()
        let again = try RunReport(json: try report.json)
        for _ in 0..<100 {
            let comparison = ReportComparison(report, again, wantsAll: true)
            #expect(comparison.isEqual)
            #expect(!comparison.isRegression)
            #expect(comparison.points.allSatisfy { $0.changes.isEmpty && $0.remarks.isEmpty })
        }
        let comparison = ReportComparison(report, again)
        #expect(
            ComparisonText(comparison).text
                == "EQUAL: no difference at all (7 points, 46 runs in common)"
        )
        #expect(ComparisonAnnotations(comparison).text.isEmpty)
    }

    @Test("The lanes of a comparison do not depend on how many runs go on at a time (HN-01)")
    func lanes() async throws {
        let text = """
            version: 2
            scenario: short
            duration: 10s
            voice: sized
            phones:
              - { name: phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let scenario = try loader.load(text: text, file: "short.yaml")
        let old = try report { 1_000 + Int64($0) }
        let new = try report { 1_001 + Int64($0) }
        var told: [[ReportComparison.StoryPair]] = []
        for jobs in [1, 3] {
            var comparison = ReportComparison(old, new)
            var done: [Int] = []
            try await comparison.addStories(
                before: [scenario],
                after: [scenario],
                material: nil,
                jobs: jobs,
                progress: { count, _ in done.append(count) }
            )
            #expect(done == [1, 2])
            told.append(comparison.stories)
        }
        #expect(told[0] == told[1])
        #expect(told[0].count == 1)
        #expect(told[0].allSatisfy { $0.before == $0.after })
    }

    @Test("Gates of one figure over two stretches are each held against their own (HN-03)")
    func scopes() throws {
        var report = try report { 80 + Int64($0) }
        var early = try #require(report.scenarios[0].points[0].gates.first)
        early.scope = "from 1s until 2s"
        early.bySeed = early.bySeed.map { $0.map { 2 * $0 } }
        report.scenarios[0].points[0].gates.insert(early, at: 0)
        #expect(ReportComparison(report, report, wantsAll: true).isEqual)
        let text = ComparisonText(ReportComparison(report, report)).text
        #expect(text.hasPrefix("EQUAL: no difference at all"))
    }

    @Test("Of figures without a gate those that moved furthest by their spread come first (HN-03)")
    func trades() throws {
        // Each of seven happens in one run before and in two after; the delay grows in every run.
        func report(isAfter: Bool) throws -> RunReport {
            var outcome = try Outcomes.scenario { _, _ in 8 }
            let runs = (1...20 as ClosedRange<UInt64>).map { seed -> RunEvidence in
                let rare = (1...7 as ClosedRange<UInt64>).map { number -> MetricResult in
                    let happens = seed == number || (isAfter && seed == number + 8)
                    let share = Proportion(
                        numerator: happens ? 1 : 0,
                        denominator: 100,
                        samples: 1
                    )
                    return MetricResult(
                        name: "rare.\(number)",
                        unit: .partsPerMillion,
                        value: .proportion(share)
                    )
                }
                let delay = Int64(seed) + (isAfter ? 110 : 100)
                return Outcomes.evidence(
                    seed: seed,
                    seconds: nil,
                    more: rare + [Outcomes.time("delay.time", milliseconds: [delay])]
                )
            }
            Outcomes.judge(&outcome.points[0], runs, digest: isAfter ? 100 : 0)
            return RunReport([outcome], material: "")
        }
        let comparison = ReportComparison(
            try report(isAfter: false),
            try report(isAfter: true)
        )
        let text = ComparisonText(comparison).text
        let told = text.split(separator: "\n").filter { $0.hasPrefix("  worse: ") }
        #expect(told.count == 6)
        #expect(told.first?.hasPrefix("  worse: delay.time p50: ") == true, "\(text)")
        #expect(told.dropFirst().allSatisfy { $0.hasPrefix("  worse: rare.") })
        // What there is no room for is named where nothing of its metric is told.
        let rest = """
            4 more figures without a gate differ, 4 of them worse, such as of rare.6, rare.7; \
            --json has them
            """
        #expect(text.contains("  \(rest)\n"), "\(text)")
        #expect(ComparisonMarkdown(comparison).text.contains("\n\(rest)\n"))
    }

    @Test("A regression is worse by a share of the way to the limit, and not by chance (HN-03)")
    func regression() throws {
        let before = try report { 1_000 + Int64($0) }
        let after = try report { 6_000 + Int64($0) }
        let comparison = ReportComparison(before, after)
        let change = try #require(gated(comparison))
        #expect(comparison.isRegression)
        #expect(change.judgement == .regression)
        #expect(change.before == 1_040_000_000)
        #expect(change.after == 6_040_000_000)
        #expect(counts(change) == "0 40 0")
        // 5 s of the 28.96 s from 1.04 s to the limit of 30 s.
        #expect(change.limitShare == 172_651)
        #expect(change.most == .init(seed: 1, before: 1_001_000_000, after: 6_001_000_000))
        #expect(comparison.verdictLine == "REGRESSION: total-outage (1 point, 40 runs in common)")
        #expect(!ReportComparison(after, before).isRegression)
        #expect(gated(ReportComparison(after, before))?.judgement == .better)
    }

    @Test("A millisecond in all runs is immaterial, seconds in one run may be chance (HN-03)")
    func moved() throws {
        let before = try report { 1_000 + Int64($0) }
        let tiny = ReportComparison(before, try report { 1_001 + Int64($0) })
        #expect(gated(tiny)?.judgement == .moved)
        #expect(tiny.verdictLine == "NO REGRESSION (1 point, 40 runs in common)")
        let rare = ReportComparison(
            before,
            try report { 1_000 + Int64($0) + ($0 == 40 ? 9_000 : 0) }
        )
        #expect(gated(rare)?.judgement == .moved)
        #expect(!rare.isRegression && !rare.isUndecided)
    }

    @Test("Over too few seeds to tell it from chance what is worse is undecided (HN-03)")
    func tooFewSeeds() throws {
        let before = try report(1...3) { 1_000 + Int64($0) }
        let comparison = ReportComparison(before, try report(1...3) { 9_000 + Int64($0) })
        #expect(gated(comparison)?.judgement == .undecided)
        #expect(comparison.isUndecided && !comparison.isRegression)
        let line = """
            UNDECIDED: total-outage (1 point, 3 runs in common); 3 seeds in common can show none, 8 can
            """
        #expect(comparison.verdictLine == line)
        #expect(ComparisonJUnit(comparison).text.contains("<skipped message=\"undecided: "))
        #expect(HTMLComparison(comparison).text.contains("? undecided"))
        let json = String(decoding: try comparison.json, as: UTF8.self)
        #expect(json.contains("\"verdict\":\"undecided\""))
    }

    @Test("A greatest sample counts by its verdict alone (HN-03)")
    func extreme() throws {
        let before = try report(figure: "max") { 1_000 + Int64($0) }
        let near = ReportComparison(before, try report(figure: "max") { 20_000 + Int64($0) })
        #expect(gated(near)?.judgement == .moved)
        let beyond = ReportComparison(before, try report(figure: "max") { 30_000 + Int64($0) })
        #expect(gated(beyond)?.judgement == .regression)
    }

    @Test("A gated figure that is gone is a regression, whatever the verdicts were (HN-03)")
    func lost() throws {
        let before = try report(1...10) { 1_000 + Int64($0) }
        let after = try report(6...40) { _ in nil }
        let comparison = ReportComparison(before, after)
        let change = try #require(gated(comparison))
        #expect(change.judgement == .regression)
        #expect(comparison.isRegression)
        #expect(change.before == 1_008_000_000)
        #expect(change.after == nil)
        #expect(change.lostSeeds == 5)
        #expect(change.seedsText == "without a figure now in 5 of 5 seeds")
        let back = try #require(gated(ReportComparison(after, before)))
        #expect(back.judgement == .changed)
        #expect(back.seedsText == "with a figure only now in 5 of 5 seeds")
        let partly = try report(1...10) { $0 == 7 ? nil : 1_000 + Int64($0) }
        let some = try #require(gated(ReportComparison(before, partly)))
        #expect(some.judgement == .changed)
        #expect(some.seedsText == "without a figure now in 1 of 10 seeds")
        var allowed = after
        allowed.scenarios[0].points[0].gates[0].isGreen = true
        #expect(!ReportComparison(before, allowed).isRegression)
    }

    @Test("An invariant that is gone is told like a gate that is, and is no equality (HN-03)")
    func lostInvariant() throws {
        let before = try report { 1_000 + Int64($0) }
        let name = try #require(before.scenarios[0].points[0].invariants.first?.name)
        var after = before
        after.scenarios[0].points[0].invariants.removeFirst()
        for old in [before, before.asBaseline] {
            let told = ReportComparison(old, after)
            #expect(!told.isEqual)
            #expect(!told.isRegression)
            #expect(ComparisonText(told).text.contains("  invariant gone: \(name)\n"))
            let wanted = ReportComparison(old, after, wantsAll: true)
            #expect(wanted.isRegression)
            let line = "  regression: invariant gone: \(name)\n"
            #expect(ComparisonText(wanted).text.contains(line))
            #expect(ComparisonJUnit(wanted).text.contains("the invariant is there before"))
            #expect(ComparisonAnnotations(wanted).text.contains("invariant gone: "))
        }
        // One that was broken and is not listed now is mended.
        let broken = try report(violating: [4]) { 1_000 + Int64($0) }
        #expect(ReportComparison(broken, after).points[0].lostInvariants.isEmpty)
        #expect(ReportComparison(after, before, wantsAll: true).isEqual)
    }

    @Test("Where figures differ and the scenario does too, that is said")
    func otherScenario() throws {
        let before = try report { 1_000 + Int64($0) }
        var after = try report { 1_001 + Int64($0) }
        let remark = "the scenario itself is not the same: its file differs, or a default"
        #expect(ReportComparison(before, after).points[0].remarks.isEmpty)
        after.scenarios[0].points[0].about.digest = "0"
        #expect(ReportComparison(before, after).points[0].remarks == [remark])
        var same = before
        same.scenarios[0].points[0].about.digest = "0"
        #expect(ReportComparison(before, same).isEqual)
    }

    @Test("A margin lets pass what takes no more than its share of the distance left (HN-03)")
    func margin() throws {
        let before = try report { _ in 10_000 }
        let after = try report { _ in 11_000 }
        for (partsPerMillion, isRegression) in [(0, true), (49_999, true), (50_000, false)] {
            let comparison = ReportComparison(
                before,
                after,
                marginPartsPerMillion: Int64(partsPerMillion)
            )
            #expect(comparison.isRegression == isRegression, "\(partsPerMillion)")
        }
        let taken = ComparisonText(ReportComparison(before, after)).text
        #expect(taken.contains("; takes 5 % of the "))
        // Where nothing was left before, nothing is taken.
        let failing = ReportComparison(try report { _ in 40_000 }, try report { _ in 42_000 })
        let text = ComparisonText(failing).text
        #expect(text.contains("; it failed before") && !text.contains("; takes "), "\(text)")
    }

    @Test("The sign test says in how many other seeds a change would be worse (HN-03)")
    func signTest() throws {
        let before = try report { 1_000 + Int64($0) }
        let after = try report { 1_000 + Int64($0) + ($0 <= 17 ? 5 : $0 <= 20 ? -5 : 0) }
        let change = try #require(gated(ReportComparison(before, after)))
        #expect(counts(change) == "3 17 20")
        // Wilson's interval of 17 in 20 (R: prop.test(17, 20, correct = FALSE)): 0.6396 to 0.9476.
        let interval = try #require(change.worseShare)
        #expect((639_500...639_700).contains(interval.lower))
        #expect((947_500...947_700).contains(interval.upper))
        // The greatest sample is the same, so no gated figure is worse.
        #expect(change.judgement == .changed)
    }

    @Test("With other seeds on one side, the mean of those in common is compared")
    func common() throws {
        let before = try report(1...15) { 1_000 + Int64($0) }
        let after = try report(6...40) { 9_000 + Int64($0) }
        let comparison = ReportComparison(before, after)
        let change = try #require(gated(comparison))
        #expect(comparison.pairedCount == 10)
        #expect(change.basis == .meanOfSeeds)
        #expect(change.before == 1_010_500_000)
        #expect(change.after == 9_010_500_000)
        #expect(change.verdictAfter == nil)
        #expect(comparison.isRegression)
    }

    @Test("Runs that only one side has are said to be compared with none (HN-03)")
    func loneRuns() throws {
        let before = try report(1...10) { 1_000 + Int64($0) }
        let after = try report(6...40) { 1_000 + Int64($0) }
        let comparison = ReportComparison(before, after)
        #expect(comparison.points[0].seedsOnlyBefore == 5)
        #expect(comparison.points[0].seedsOnlyAfter == 30)
        #expect(
            comparison.verdictLine.hasSuffix(
                "(1 point, 5 runs in common; 5 runs only before; 30 runs only after)"
            )
        )
        let json = String(decoding: try comparison.json, as: UTF8.self)
        #expect(json.contains("\"seedsOnlyAfter\":30,\"seedsOnlyBefore\":5"))
        #expect(!ReportComparison(before, before).verdictLine.contains("only"))
    }

    @Test("Figures as far apart as a file can write them are compared too (HN-03)")
    func extremes() throws {
        let plain = try report(1...8) { _ in 1_000 }
        func with(_ value: Int64) -> RunReport {
            var changed = plain
            changed.scenarios[0].points[0].gates[0].value = value
            changed.scenarios[0].points[0].gates[0].bySeed = Array(repeating: value, count: 8)
            return changed
        }
        let (least, greatest) = (with(.min), with(.max))
        let worse = ReportComparison(least, greatest)
        #expect(gated(worse)?.judgement == .regression)
        #expect(ComparisonText(worse).text.contains(", worse in 8, better in 0 of 8 seeds"))
        let better = ReportComparison(greatest, least)
        #expect(gated(better)?.judgement == .better)
        #expect(ComparisonText(better).text.contains(", worse in 0, better in 8 of 8 seeds"))
    }

    @Test("Results of other seeds are compared unpaired, and said to be (HN-03)")
    func foreignRuns() throws {
        let before = try report(1...20) { 1_000 + Int64($0) * 7 % 20 }
        let same = ReportComparison(before, try report(21...40) { 1_000 + Int64($0) * 3 % 20 })
        #expect(!same.isEqual)
        #expect(!same.isRegression)
        let text = ComparisonText(same).text
        #expect(text.contains(": 20 runs of each side\n"))
        #expect(text.contains("  other seeds on either side: unpaired"))
        #expect(text.contains("20 runs compared)"))
        #expect(!text.contains("seeds in common"), "\(text)")
        let worse = ReportComparison(before, try report(21...40) { 29_000 + Int64($0) })
        #expect(gated(worse)?.judgement == .regression)
    }

    @Test("Of a verdict that gets worse it is not said that so few seeds show none (HN-03)")
    func verdictOfFewSeeds() throws {
        let before = try report(1...2) { _ in 29_000 }
        let worse = ReportComparison(before, try report(1...2) { _ in 31_000 })
        #expect(worse.verdictLine.hasPrefix("REGRESSION"))
        #expect(!worse.verdictLine.contains("can show none"), "\(worse.verdictLine)")
        let moved = ReportComparison(before, try report(1...2) { _ in 29_500 })
        #expect(moved.verdictLine.contains("2 seeds in common can show none"))
    }

    @Test("A verdict that gets worse, and an invariant newly broken, are regressions (HN-03)")
    func verdicts() throws {
        let before = try report { _ in 29_999 }
        let after = try report { $0 == 3 ? 30_001 : 29_999 }
        let comparison = ReportComparison(before, after, marginPartsPerMillion: 500_000)
        #expect(gated(comparison)?.judgement == .regression)
        #expect(gated(comparison)?.verdictBefore == .pass)
        #expect(gated(comparison)?.verdictAfter == .fail)
        let broken = ReportComparison(before, try report(violating: [4, 9]) { _ in 29_999 })
        #expect(broken.isRegression)
        #expect(
            broken.points[0].invariants == [
                .init(name: "voice.order-kept", brokenBefore: 0, brokenAfter: 2, seed: 4)
            ]
        )
        let mended = ReportComparison(try report(violating: [4, 9]) { _ in 29_999 }, before)
        #expect(!mended.isRegression)
        #expect(!mended.isEqual)
    }

    @Test("Scenarios of one name are told apart by their files")
    func sharedNames() throws {
        var before = try report { 1_000 + Int64($0) }
        before.scenarios.append(try report { 5_000 + Int64($0) }.scenarios[0])
        before.scenarios[1].about.file = "other/total-outage.yaml"
        #expect(ReportComparison(before, before).isEqual)
        var after = before
        after.scenarios.swapAt(0, 1)
        #expect(ReportComparison(before, after, wantsAll: true).isEqual)
    }

    @Test("What is missing after is named, and a regression where all is wanted (HN-03)")
    func missing() throws {
        let before = try Reports.ofEverything()
        var after = before
        after.scenarios.removeFirst()
        let lenient = ReportComparison(before, after)
        #expect(!lenient.isRegression)
        #expect(!lenient.isEqual)
        #expect(lenient.verdictLine.hasSuffix("; 4 points only before"))
        #expect(ComparisonText(lenient).text.hasPrefix("only before: "))
        let strict = ReportComparison(before, after, wantsAll: true)
        #expect(strict.isRegression)
        #expect(ComparisonJUnit(strict).text.contains("<testsuite name=\"missing\" tests=\"4\""))
    }

    @Test("Every rendering of a comparison is as kept (HN-04)")
    func golden() throws {
        let before = RunReport(
            [try Reports.failing(seeds: 1...30), try Reports.documented()],
            material: "",
            options: []
        )
        var slower = try Reports.failing(seeds: 1...30)
        Outcomes.judge(
            &slower.points[0],
            (1...30).map { Reports.reconnects(seed: $0 == 13 ? 13 : $0 + 1).seeded($0) },
            digest: 7
        )
        let after = RunReport(
            [slower, try Reports.documented()],
            material: "",
            options: ["--set", "session.retry_timeout=9s"]
        )
        var comparison = ReportComparison(before, after)
        let story = try Stories.told(by: Stories.outage)
        comparison.stories = [
            .init(name: comparison.points[0].name, before: story, after: story)
        ]
        try Golden.check(ComparisonText(comparison).text, "Golden/comparison.txt")
        try Golden.check(ComparisonMarkdown(comparison).text, "Golden/comparison.md")
        try Golden.check(ComparisonJUnit(comparison).text, "Golden/comparison.junit.xml")
        try Golden.check(
            ComparisonAnnotations(comparison).text,
            "Golden/comparison.annotations.txt"
        )
        try Golden.check(
            String(decoding: try comparison.json, as: UTF8.self),
            "Golden/comparison.json"
        )
        try Golden.check(HTMLComparison(comparison).text, "Golden/comparison.html")
    }

    @Test("A baseline compares gated figures as the whole report does, and is much smaller (HN-03)")
    func baseline() throws {
        let before = try Reports.ofEverything()
        let slim = before.asBaseline
        #expect(try RunReport(json: try slim.json) == slim)
        #expect(try slim.json.count * 2 < before.json.count)
        #expect(ReportComparison(slim, before, wantsAll: true).isEqual)
        let old = try report { 1_000 + Int64($0) }
        let new = try report { 1_001 + Int64($0) }
        #expect(gated(.init(old.asBaseline, new)) == gated(.init(old, new)))
    }
}

extension RunEvidence {
    /// The same figures as another seed's.
    fileprivate func seeded(_ seed: UInt64) -> RunEvidence {
        RunEvidence(seed: seed, metrics: metrics, invariants: invariants)
    }
}
