import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage
import KodamaShipped
import Testing

@Suite("What the timeline waits for")
struct TriggerTests {
    private static let when = "after: { event: path.lost, of: phone, count: 2 }"

    /// Three runs in which every gate passes; in those with the seeds `waiting` no path is lost.
    private static func report(waiting: [UInt64], fails: String? = nil) throws -> RunReport {
        var outcome = try Outcomes.scenario(fails: fails, when: when) { _, _ in 8 }
        let seconds: Int64 = fails == nil ? 8 : 41
        let evidence = ([1, 2, 3] as [UInt64]).map { Outcomes.evidence(seed: $0, seconds: seconds) }
        Outcomes.judge(&outcome.points[0], evidence, waiting: waiting)
        return RunReport([outcome], material: "")
    }

    @Test("What never comes, in no run, fails the scenario: it tested something else (HN-03)")
    func never() throws {
        let report = try Self.report(waiting: [1, 2, 3])
        #expect(report.scenarios[0].ending == .failed)
        #expect(report.scenarios[0].verdict == .noData)
        #expect(!report.isGreen)
        let text = ConsoleReport(report).text
        #expect(text.contains("no data: after path.lost of phone, count 2: came in none of 3 runs"))
        #expect(text.contains("what waits for it at total-outage.yaml:11:"))
        #expect(text.contains("counted over 3 seeds, where the scenario has 1"))
        #expect(text.contains("replay with: kodama replay total-outage.yaml --seed 1"))
        #expect(text.hasSuffix("FAIL: total-outage (1 of 1 scenario, 3 runs)"))
        #expect(HTMLReport(report).text.contains("after path.lost of phone, count 2"))
        #expect(MarkdownReport(report).text.contains("`after path.lost of phone, count 2`"))
    }

    @Test("What never comes in a part of the seeds may come in the others (HN-03)")
    func part() throws {
        var outcome = try Outcomes.scenario(when: Self.when) { _, _ in 8 }
        outcome.points[0].about.plannedSeeds = 20
        let evidence = ([1, 2, 3] as [UInt64]).map { Outcomes.evidence(seed: $0, seconds: 8) }
        Outcomes.judge(&outcome.points[0], evidence, waiting: [1, 2, 3])
        let report = RunReport([outcome], material: "")
        #expect(report.scenarios[0].ending == .undecided)
        #expect(report.isUndecided)
        let sentence = "undecided: after path.lost of phone, count 2: came in none of 3 runs"
        #expect(ConsoleReport(report).text.contains(sentence))
        #expect(JUnitReport(report).text.contains("<skipped message=\"undecided: came in none"))
        #expect(GitHubAnnotations(report).text.hasPrefix("::warning "))
        #expect(!ReportComparison(report, try Self.report(waiting: [1, 2, 3])).isRegression)
        let kept = report.asBaseline.scenarios[0].points[0].triggers
        #expect(kept?.map(\.firedRuns) == [0])
    }

    @Test("What came in one run is enough, and the report counts the runs (HN-04)")
    func once() throws {
        let report = try Self.report(waiting: [1, 3])
        #expect(report.isGreen)
        let triggers = try #require(report.scenarios[0].points[0].triggers)
        #expect(triggers.map(\.firedRuns) == [1])
        #expect(triggers.map(\.verdict) == [.pass])
        #expect(ConsoleReport(report).text.hasSuffix("PASS: 1 scenario, 3 runs"))
    }

    @Test("A documented failure does not excuse what never comes (HN-03)")
    func documented() throws {
        let fires = try Self.report(waiting: [], fails: "It waits.")
        #expect(fires.scenarios[0].ending == .failedAsExpected)
        let report = try Self.report(waiting: [1, 2, 3], fails: "It waits.")
        #expect(report.scenarios[0].ending == .failed)
    }

    @Test("What comes in no run any more is a regression, against a baseline too (HN-03)")
    func compared() throws {
        let before = try Self.report(waiting: [1, 3])
        let after = try Self.report(waiting: [1, 2, 3])
        let line = "no data any more: after path.lost of phone, count 2"
        for old in [before, before.asBaseline] {
            let comparison = ReportComparison(old, after)
            #expect(comparison.isRegression)
            #expect(!comparison.isEqual)
            #expect(ComparisonText(comparison).text.contains("  regression: \(line)\n"))
            #expect(ComparisonMarkdown(comparison).text.contains("no data any more"))
            #expect(ComparisonJUnit(comparison).text.contains("failures=\"1\""))
            #expect(ComparisonAnnotations(comparison).text.contains(line))
            let json = String(decoding: try comparison.json, as: UTF8.self)
            #expect(json.contains("\"silenced\":[\"after path.lost of phone, count 2\"]"))
        }
        for old in [after, after.asBaseline] {
            #expect(!ReportComparison(old, after).isRegression)
        }
        #expect(!ReportComparison(after, before).isRegression)
        // The run in which it came may be the one that is missing.
        var fewer = after
        fewer.scenarios[0].points[0].runs.remove(at: 1)
        #expect(ReportComparison(before, fewer).points[0].silenced.isEmpty)
    }

    @Test("JSON, JUnit and annotations name it with its line; baselines if it never came (HN-04)")
    func renderings() throws {
        let report = try Self.report(waiting: [1, 2, 3])
        let json = String(decoding: try report.json, as: UTF8.self)
        #expect(json.contains("\"component\":\"phone\",\"count\":2,\"event\":\"path.lost\""))
        #expect(json.contains("\"firedRuns\":0"))
        #expect(try RunReport(json: try report.json) == report)
        let cases = JUnitReport(report).text
        #expect(
            cases.contains(
                "name=\"after path.lost of phone, count 2\" file=\"total-outage.yaml\" line=\"11\""
            )
        )
        #expect(cases.contains("type=\"no-data\""))
        let annotation = "::error file=total-outage.yaml,line=11,title=total-outage::after path"
        #expect(GitHubAnnotations(report).text.hasPrefix(annotation))
        let kept = report.asBaseline.scenarios[0].points[0].triggers
        #expect(kept == report.scenarios[0].points[0].triggers)
        let came = try Self.report(waiting: [1, 3]).asBaseline
        #expect(came.scenarios[0].points[0].triggers == nil)
    }

    @Test("Shards that are joined know in how many of all runs it came (HN-03)")
    func shards() throws {
        var outcome = try Outcomes.scenario(when: Self.when) { _, _ in 8 }
        let evidence = ([1, 2] as [UInt64]).map { Outcomes.evidence(seed: $0, seconds: 8) }
        Outcomes.judge(&outcome.points[0], evidence, waiting: [2])
        let data = try JSONEncoder().encode(outcome)
        let again = try JSONDecoder().decode(ScenarioOutcome.self, from: data)
        #expect(again.points[0].triggerReports.map(\.firedRuns) == [1])
    }

    @Test(
        "What a server writes is about the phone that it names; what a phone writes is its own (RS-09)"
    )
    func subject() throws {
        let text = """
            version: 2
            scenario: named
            duration: 30s
            voice: reachability
            phones:
              - { name: a-phone, radios: { wifi: wifi-internet }, apps: { calls: { user: a } } }
              - { name: b-phone, radios: { wifi: wifi-internet }, apps: { calls: { user: b, answers: 3s } } }
            timeline:
              - { at: 5s, do: { call: { from: a-phone, to: b } } }
              - after: { event: push.accepted, of: b-phone }
                do: { outage: { of: a-phone, for: 1s } }
              - after: { event: push.accepted, of: a-phone }
                do: { outage: { of: b-phone, for: 1s } }
            expect:
              - { metric: call.silent, value: "== 0" }
            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let point = try loader.load(text: text, file: "named.yaml").points[0]
        let outcome = try SingleRun(plan: point.plan, seed: 1, material: nil).measure()
        let waiting = outcome.waitingEntries.map { point.plan.timeline[$0].target }
        #expect(!waiting.isEmpty)
        #expect(waiting.allSatisfy { $0.hasPrefix("b-phone") }, "\(waiting)")
    }
}
