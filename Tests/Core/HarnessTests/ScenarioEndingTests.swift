@testable import KodamaEvidence
@testable import KodamaHarness
import Testing

@Suite("How scenarios end")
struct ScenarioEndingTests {
    private func plain(fails: String? = nil, seconds: Int64?) throws -> ScenarioOutcome {
        try Outcomes.scenario(fails: fails) { _, _ in seconds }
    }

    @Test("Without an expected failure the verdict decides (HN-03)")
    func plainEndings() throws {
        #expect(try plain(seconds: 8).ending(isStrict: false) == .passed)
        #expect(try plain(seconds: 41).ending(isStrict: false) == .failed)
        #expect(try plain(seconds: nil).ending(isStrict: false) == .failed)
    }

    @Test("A documented failure passes, a pass in its place does not (HN-03)")
    func documented() throws {
        #expect(
            try plain(fails: "It waits.", seconds: 41).ending(isStrict: false) == .failedAsExpected
        )
        let pass = try plain(fails: "It waits.", seconds: 8)
        #expect(pass.ending(isStrict: false) == .passedUnexpectedly)
        #expect(!pass.ending(isStrict: false).isGreen)
    }

    @Test("Neither a gate without data nor a broken invariant is ever expected (HN-03)")
    func neverExpected() throws {
        #expect(try plain(fails: "It waits.", seconds: nil).ending(isStrict: false) == .failed)
        var broken = try plain(fails: "It waits.", seconds: 41)
        Outcomes.judge(
            &broken.points[0],
            [Outcomes.evidence(seconds: 41, violations: 1)]
        )
        #expect(broken.ending(isStrict: false) == .failed)
        var unchecked = try plain(fails: "It waits.", seconds: 41)
        let evidence = Outcomes.evidence(seconds: 41)
        Outcomes.judge(
            &unchecked.points[0],
            [RunEvidence(seed: 7, metrics: evidence.metrics)]
        )
        #expect(unchecked.ending(isStrict: false) == .failed)
        unchecked.points[0].about.plannedSeeds = 20
        unchecked.points[0].judge()
        #expect(unchecked.ending(isStrict: false) == .undecided, "19 more seeds may check it")
    }

    @Test("Too few samples leave it undecided, which is neither green nor a failure (HN-03)")
    func undecided() throws {
        func outcome(fails: String? = nil, seconds: Int64, needed: Int) throws -> ScenarioOutcome {
            var outcome = try Outcomes.scenario(fails: fails) { _, _ in seconds }
            outcome.points[0].judgement.gates[0].verdict = .undecided
            outcome.points[0].judgement.gates[0].noDataReason = .tooFewSamples
            outcome.points[0].judgement.gates[0].gate.allowsNoData = needed == 0
            return outcome
        }
        let open = try outcome(seconds: 8, needed: 20)
        #expect(open.ending(isStrict: true) == .undecided)
        #expect(!open.ending(isStrict: true).isGreen && !open.ending(isStrict: true).isFailure)
        #expect(try outcome(seconds: 8, needed: 0).ending(isStrict: false) == .passed)
        let documented = try outcome(fails: "It waits.", seconds: 8, needed: 20)
        #expect(documented.ending(isStrict: false) == .undecided)
        let report = RunReport([open], material: "")
        #expect(report.isUndecided && !report.isGreen)
        #expect(report.verdictLine == "UNDECIDED: total-outage (1 of 1 scenario, 1 run)")
        let failing = RunReport([open, try plain(seconds: 41)], material: "")
        #expect(!failing.isUndecided)
        #expect(failing.verdictLine.hasPrefix("FAIL: total-outage "))
        #expect(failing.verdictLine.contains("; undecided: total-outage "))
        #expect(JUnitReport(report).text.contains("failures=\"0\" errors=\"0\" skipped=\"1\""))
        #expect(JUnitReport(report).text.contains("<skipped message=\"undecided: max"))
        #expect(GitHubAnnotations(report).text.hasPrefix("::warning "))
        #expect(ConsoleReport(report).text.contains("  undecided  voice.mouth_to_ear.time"))
        #expect(MarkdownReport(report).text.contains("? undecided"))
        #expect(HTMLReport(report).text.contains("class=\"undecided\""))
        #expect(try RunReport(json: try report.json) == report)
    }

    @Test("Once a gate fails as documented, an undecided one changes nothing (HN-03)")
    func undecidedBesideAFailure() throws {
        func outcome(seconds: Int64) throws -> ScenarioOutcome {
            var outcome = try plain(fails: "It waits.", seconds: seconds)
            var other = outcome.points[0].judgement.gates[0]
            other.verdict = .undecided
            other.noDataReason = .tooFewSamples
            outcome.points[0].judgement.gates.append(other)
            return outcome
        }
        #expect(try outcome(seconds: 41).ending(isStrict: false) == .failedAsExpected)
        #expect(try outcome(seconds: 8).ending(isStrict: false) == .undecided)
        var unchecked = try outcome(seconds: 41)
        unchecked.points[0].judgement.invariants[0].verdict = .undecided
        #expect(unchecked.ending(isStrict: false) == .undecided, "an invariant always holds")
    }

    @Test(
        "Fewer seeds, of which none fails, do not show that what is documented to fail passes (HN-03)",
        arguments: [true, false]
    )
    func fewerSeeds(isQuick: Bool) throws {
        func ending(_ count: Int, of planned: Int) throws -> ScenarioEnding {
            var outcome = try plain(fails: "It waits.", seconds: 8)
            let gate = outcome.points[0].judgement.gates[0].gate
            outcome.points[0].judgement.gates[0].gate = gate.running(
                count,
                of: planned,
                form: .distribution,
                isQuick: isQuick,
                scalesSamples: isQuick
            )
            return outcome.ending(isStrict: false)
        }
        #expect(try ending(1, of: 20) == .undecided)
        #expect(try ending(20, of: 20) == .passedUnexpectedly)
        #expect(try ending(40, of: 20) == .passedUnexpectedly)
    }

    @Test(
        "Among several, a scenario that fails as documented is told in a line and its reason (HN-04)"
    )
    func documentedInALine() throws {
        func text(fails: String?) throws -> String {
            let outcome = try plain(fails: fails, seconds: 41)
            return ConsoleReport(RunReport([outcome], material: ""), isFolded: true).text
        }
        let documented = try text(fails: "It waits.")
        #expect(documented.contains("\npass  total-outage: "), "\(documented)")
        #expect(documented.contains("\n    because: It waits."), "\(documented)")
        #expect(!documented.contains("  fail: ") && !documented.contains("replay with"))
        let failing = try text(fails: nil)
        #expect(failing.contains("\n  fail: ") && failing.contains("replay with"), "\(failing)")
    }

    @Test("A quantile that no sample lies beyond is warned of, and fails under --strict (HN-03)")
    func thinQuantile() throws {
        func warnings(_ perMille: Int, of samples: Int) throws -> [String] {
            var outcome = try plain(seconds: 8)
            outcome.points[0].judgement.gates[0].gate.statistic = .quantile(perMille: perMille)
            outcome.points[0].judgement.gates[0].samples = samples
            let found = outcome.warnings
            #expect(outcome.ending(isStrict: false) == .passed)
            #expect(outcome.ending(isStrict: true) == (found.isEmpty ? .passed : .failed))
            #expect(ScenarioReport(outcome, isStrict: false).about.warnings == found)
            return found
        }
        let words = " p99.9 <= 30s: of 1 sample, where one beyond the quantile takes 1000"
        let found = try #require(try warnings(999, of: 1).first)
        #expect(found.hasPrefix("total-outage.yaml:"), "\(found)")
        #expect(found.contains(": warning: voice.mouth_to_ear.time"), "\(found)")
        #expect(found.hasSuffix(words), "\(found)")
        for (perMille, needed) in [(950, 20), (990, 100), (999, 1_000), (500, 2), (50, 20)] {
            #expect(try warnings(perMille, of: needed - 1).count == 1, "\(perMille)")
            #expect(try warnings(perMille, of: needed).isEmpty, "\(perMille)")
        }
        var part = try plain(seconds: 8)
        var gate = part.points[0].judgement.gates[0].gate
        gate.statistic = .quantile(perMille: 950)
        part.points[0].judgement.gates[0].gate = gate
        #expect(part.warnings.count == 1)
        let fewer = gate.running(1, of: 10, form: .distribution, isQuick: true)
        part.points[0].judgement.gates[0].gate = fewer
        #expect(part.warnings.isEmpty, "a part of the seeds promises nothing")
    }

    @Test("Every point of a sweep passes by itself, or the scenario fails (HN-03)")
    func sweeps() throws {
        func ending(_ fails: String?, _ seconds: [String: Int64]) throws -> ScenarioEnding {
            try Outcomes.scenario(lengths: ["1s", "5s"], fails: fails) { length, _ in
                seconds[length]
            }.ending(isStrict: false)
        }
        #expect(try ending(nil, ["1s": 3, "5s": 8]) == .passed)
        #expect(try ending(nil, ["1s": 3, "5s": 41]) == .failed)
        #expect(try ending("It waits.", ["1s": 3, "5s": 41]) == .failedAsExpected)
        #expect(try ending("It waits.", ["1s": 3, "5s": 8]) == .passedUnexpectedly)
        #expect(try ending("It waits.", ["5s": 41]) == .failed, "one point has no data")
    }

    @Test("Where swept values say which points fail, all others must pass (HN-03)")
    func conditions() throws {
        func ending(standard: Int64, specified: Int64, only: String? = nil) throws -> ScenarioEnding
        {
            var outcome = try Outcomes.scenario(
                lengths: ["1s"],
                presets: ["default", "as-specified"],
                fails: "It waits.",
                fragment: "where: { preset: as-specified }"
            ) { _, preset in
                preset == "default" ? standard : specified
            }
            if let only {
                outcome.points.removeAll { $0.about.values.last?.value != only }
            }
            return outcome.ending(isStrict: false)
        }
        #expect(try ending(standard: 8, specified: 41) == .failedAsExpected)
        #expect(try ending(standard: 41, specified: 41) == .failed)
        #expect(try ending(standard: 8, specified: 8) == .passedUnexpectedly)
        #expect(try ending(standard: 8, specified: 41, only: "default") == .passed)
        #expect(try ending(standard: 41, specified: 41, only: "default") == .failed)
    }
}
