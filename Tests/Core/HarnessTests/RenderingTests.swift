import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
import Testing

@Suite("Renderings of a report")
struct RenderingTests {
    @Test("Every rendering of a report with something of everything is as kept (HN-04)")
    func golden() throws {
        let report = try Reports.ofEverything()
        try Golden.check(ConsoleReport(report, showsMetrics: true).text, "Golden/report.txt")
        try Golden.check(MarkdownReport(report).text, "Golden/report.md")
        try Golden.check(JUnitReport(report).text, "Golden/junit.xml")
        try Golden.check(GitHubAnnotations(report).text, "Golden/annotations.txt")
        try Golden.check(String(decoding: try report.json, as: UTF8.self), "Golden/report.json")
    }

    @Test("The schema of reports is as kept (HN-04)")
    func schema() throws {
        try Golden.check(ReportSchema.text, "Golden/report.schema.json")
    }

    @Test("A report read back is the same report and gives the same bytes (HN-04)")
    func roundTrip() throws {
        let report = try Reports.ofEverything(isStrict: true)
        let again = try RunReport(json: try report.json)
        #expect(again == report)
        #expect(try again.json == report.json)
    }

    @Test("Of an interrupted sweep the points that are done are kept, the others named (HN-03)")
    func interruptedSweep() throws {
        var sweep = try Outcomes.scenario(lengths: ["1s", "5s", "9s"], fails: "It waits.") { _, _ in
            8
        }
        let labels = sweep.points.dropFirst().map(\.about.label)
        sweep.points.removeLast(2)
        let part = ScenarioReport(sweep, isStrict: false, isPartial: true)
        // What is documented to fail may be what was not run.
        #expect(part.ending == .passed)
        var report = RunReport([part], material: "")
        let title = RunReport.title("total-outage", without: labels)
        #expect(title == "total-outage at outage=5s and 1 more")
        report.notRun = [title]
        #expect(!report.isGreen)
        #expect(report.verdictLine == "INTERRUPTED: 0 of 1 scenario done; not done: \(title)")
        #expect(String(decoding: try report.json, as: UTF8.self).contains("\"isPartial\":true"))
        // What is not done is not among what is done, also where it fails already.
        var failing = report
        failing.scenarios[0].ending = .failed
        #expect(failing.verdictLine == "\(report.verdictLine); fails already: total-outage")
        #expect(try RunReport(json: try report.json) == report)
    }

    @Test("What an interruption left undone is no pass in any rendering (HN-03)")
    func interrupted() throws {
        let quick = try Outcomes.scenario { _, _ in 8 }
        var report = RunReport([quick], material: "")
        let whole = report
        report.notRun = ["later"]
        #expect(!report.isGreen)
        let verdict = "INTERRUPTED: 1 of 2 scenarios done; not done: later"
        #expect(report.verdictLine == verdict)
        #expect(try RunReport(json: try report.json) == report)
        #expect(MarkdownReport(report).text.hasPrefix("## Kodama: \(verdict)\n"))
        #expect(HTMLReport(report).text.contains("✗ \(verdict)"))
        let suite = "<testsuite name=\"later\" tests=\"1\" failures=\"1\""
        #expect(JUnitReport(report).text.contains(suite))
        #expect(
            GitHubAnnotations(report).text
                == "::error title=later::not run: the run was interrupted\n"
        )
        let comparison = ComparisonText(ReportComparison(whole, report)).text
        #expect(comparison.hasPrefix("after interrupted, not done: later\n"))
        let page = HTMLComparison(ReportComparison(whole, report)).text
        #expect(page.contains("After interrupted, not done"))
        // Nobody knows whether what was never run is the same.
        let same = ReportComparison(report, report)
        let line = "NO REGRESSION (1 point, 1 run in common); interrupted before and after"
        #expect(same.verdictLine == line)
        let json = String(decoding: try same.json, as: UTF8.self)
        #expect(json.contains("\"notRunAfter\":[\"later\"],\"notRunBefore\":[\"later\"]"))
        #expect(json.contains("\"verdict\":\"no-regression\""))
        report.scenarios = RunReport([try Outcomes.scenario { _, _ in 40 }], material: "").scenarios
        #expect(
            report.verdictLine
                == "INTERRUPTED: 1 of 2 scenarios done, of which fail: total-outage; "
                + "not done: later"
        )
    }

    @Test("What ends a line or a word is escaped though Swift has it in one character with others")
    func escapes() throws {
        // With an accent on it a sign is another character, but its byte is the same.
        let accent = "\u{301}"
        var report = RunReport([try Outcomes.scenario { _, _ in 8 }], material: "")
        report.scenarios[0].about.name = "a,\(accent)file=b:\(accent)"
        report.scenarios[0].about.warnings = ["one\r\n::error::two\r\n100%\(accent)"]
        #expect(
            GitHubAnnotations(report).text == """
                ::warning file=total-outage.yaml,title=a%2C\(accent)file=b%3A\(accent)\
                ::one%0D%0A::error::two%0D%0A100%25\(accent)

                """
        )
        #expect(ShellText.quoted("it'\(accent)s; true") == "'it'\\''\(accent)s; true'")
        #expect(SVGText.escapedText("a\r\nb\nc\u{202E}d") == "a\nb\nc\u{FFFD}d")
        #expect(MarkdownText.code("a`|\r\n`b") == "`a \\|   b`")
        #expect(
            MarkdownText.console(["run '```\r\n```'"])
                == "\n````console\n$ run '```\r\n```'\n````\n"
        )
    }

    @Test("Markdown mentions nobody, links nowhere, strikes nothing through and turns no text")
    func inertMarkdown() {
        #expect(
            MarkdownText.escaped("@mika: https://x.example, www.x.example, a@b.example, now.")
                == "@<!-- -->mika: https:<!-- -->//x.example, www<!-- -->.x.example, "
                + "a@<!-- -->b.example, now."
        )
        #expect(MarkdownText.escaped("#12 ~~no~~ $1$") == "\\#<!-- -->12 \\~\\~no\\~\\~ \\$1\\$")
        #expect(MarkdownText.escaped("a\u{202E}b\u{2028}c\u{2066}") == "a\u{FFFD}b c\u{FFFD}")
        #expect(MarkdownText.code("a\u{202E}b") == "`a\u{FFFD}b`")
        #expect(MarkdownText.console(["a\u{202E}b"]) == "\n```console\n$ a\u{FFFD}b\n```\n")
    }

    @Test(
        "A report whose figures lie at the ends of their type is refused or shown",
        arguments: [Int64.min, .min + 1, .max]
    )
    func ends(_ end: Int64) throws {
        let whole = try Reports.ofEverything()
        let json = try JSONSerialization.jsonObject(with: try whole.json)
        var kinds: [String] = []
        func changed(_ value: Any, at path: String, of kind: String?) -> Any {
            switch value {
            case let list as [Any]: return list.map { changed($0, at: path + "#", of: kind) }
            case let object as [String: Any]:
                return Dictionary(
                    uniqueKeysWithValues: object.map {
                        ($0, changed($1, at: "\(path).\($0)", of: kind))
                    }
                )
            case is NSNumber:
                if kind == nil, !kinds.contains(path) { kinds.append(path) }
                return path == kind ? NSNumber(value: end) : value
            default: return value
            }
        }
        _ = changed(json, at: "", of: nil)
        #expect(kinds.count > 30)
        var shown = 0
        for kind in kinds {
            let object = changed(json, at: "", of: kind)
            let data = try JSONSerialization.data(withJSONObject: object)
            guard let report = try? RunReport(json: data) else { continue }
            shown += 1
            #expect(!ConsoleReport(report, showsMetrics: true).text.isEmpty)
            #expect(!MarkdownReport(report).text.isEmpty && !JUnitReport(report).text.isEmpty)
            #expect(!HTMLReport(report).text.isEmpty && !SlackTable(report).text.isEmpty)
            _ = GitHubAnnotations(report).text
            let comparison = ReportComparison(whole, report)
            #expect(!ComparisonText(comparison).text.isEmpty)
            #expect(!ComparisonMarkdown(comparison).text.isEmpty)
            #expect(!HTMLComparison(comparison).text.isEmpty)
        }
        #expect(shown > 20)
    }

    @Test("Under --strict JUnit fails what the exit code does: warnings, where all must pass")
    func strict() throws {
        var report = RunReport([try Outcomes.scenario { _, _ in 8 }], material: "", isStrict: true)
        func failures() -> Int {
            JUnitReport(report).text.components(separatedBy: "<failure").count - 1
        }
        report.scenarios[0].points[0].gates[0].verdict = .noData
        report.scenarios[0].points[0].gates[0].noDataReason = .tooFewSamples
        #expect(report.isGreen)
        #expect(failures() == 0)
        #expect(JUnitReport(report).text.contains("<skipped message=\"max"))
        report.scenarios[0].points[0].gates[0].verdict = .warn
        report.scenarios[0].points[0].gates[0].noDataReason = nil
        #expect(failures() == 1)
        #expect(GitHubAnnotations(report).text.hasPrefix("::error "))
        report.scenarios[0].points[0].about.mayFail = true
        #expect(failures() == 0)
        #expect(GitHubAnnotations(report).text.hasPrefix("::warning "))
    }

    @Test(
        "What is missed most in units of its limit comes first, of gates and of scenarios (HN-04)"
    )
    func worstFirst() throws {
        let quick = try Outcomes.scenario { _, _ in 31 }
        let slow = try Outcomes.scenario { _, _ in 90 }
        var report = RunReport([quick, slow], material: "")
        report.scenarios[0].about.name = "near"
        report.scenarios[1].about.name = "far"
        var (far, open) = (
            report.scenarios[0].points[0].gates[0], report.scenarios[0].points[0].gates[0]
        )
        (far.rule, far.limit) = ("max <= 10s", 10_000_000_000)
        (open.rule, open.verdict) = ("max <= 60s", .undecided)
        report.scenarios[0].points[0].gates = [open] + report.scenarios[0].points[0].gates + [far]
        #expect(report.scenarios[0].misses.map(\.gate) == [2, 1, 0])
        let page = HTMLReport(report).text
        let wrong = try #require(page.split(separator: "<h2 class=\"list\">").first)
        #expect(
            wrong.contains(#/near</a>[\s\S]*far</a>/#),
            "31 s are more beyond 10 s than 90 s beyond 30 s"
        )
        report.scenarios[0].points[0].gates.removeLast()
        let other = HTMLReport(report).text.split(separator: "<h2 class=\"list\">")[0]
        #expect(other.contains(#/far</a>[\s\S]*near</a>/#))
    }

    @Test("No data that is allowed does not look like no data that fails (HN-03)")
    func allowedNoData() throws {
        var report = RunReport([try Outcomes.scenario { _, _ in 8 }], material: "")
        report.scenarios[0].points[0].gates[0].value = nil
        report.scenarios[0].points[0].gates[0].verdict = .noData
        for isGreen in [true, false] {
            report.scenarios[0].points[0].gates[0].isGreen = isGreen
            let rows = ConsoleReport(report).text.split(separator: "\n")
            let row = try #require(rows.first { $0.contains("no data") })
            #expect(row.contains("- (allowed)") == isGreen, "\(row)")
        }
    }

    @Test("A page's title names scenarios, whatever the verdict (HN-04)")
    func titles() throws {
        let outcome = try Outcomes.scenario { _, _ in 8 }
        var report = RunReport([outcome], material: "")
        func title() -> Substring {
            HTMLReport(report).text.split(separator: "<title>")[1].split(separator: "<")[0]
        }
        #expect(title() == "Kodama: total-outage: PASS: 1 scenario, 1 run")
        report.tier = .quick
        #expect(title().hasPrefix("Kodama: total-outage: NO FAILURE: 1 scenario"))
        report.tier = .explored
        #expect(title().hasPrefix("Kodama: total-outage: EXPLORED: 1 scenario"))
        report = RunReport(Array(repeating: outcome, count: 5), material: "")
        #expect(title().contains(" and 2 more: PASS: 5 scenarios"))
        report = RunReport([try Outcomes.scenario { _, _ in 41 }], material: "")
        #expect(title() == "Kodama: FAIL: total-outage (1 of 1 scenario, 1 run)")
    }

    @Test(
        "A gate is followed over builds though its limit, its seeds or its file's folder changes (HN-04)"
    )
    func history() throws {
        func build(
            _ seconds: Int64,
            _ change: (inout GateReport) -> Void = { _ in }
        ) throws -> RunReport {
            var report = RunReport([try Outcomes.scenario { _, _ in seconds }], material: "")
            change(&report.scenarios[0].points[0].gates[0])
            return report
        }
        let stricter = try build(9) { ($0.rule, $0.limit) = ("max <= 20s", 20_000_000_000) }
        let history = ReportHistory([("1", try build(8)), ("2", stricter)])
        #expect(history.text.contains(#/max <= 20s +8 s +9 s/#), "\(history.text)")
        // Beyond its limit a figure has no distance left to move in.
        let failing = ReportHistory([("1", try build(40)), ("2", try build(43))]).text
        #expect(failing.contains(#/40 s +43 s +\+10 %/#), "\(failing)")
        // Two files of one name keep their own figures.
        var before = try build(8)
        before.scenarios.append(try build(2).scenarios[0])
        before.scenarios[1].about.file = "other.yaml"
        var after = before
        after.scenarios.swapAt(0, 1)
        let apart = ReportHistory([("1", before), ("2", after)]).text
        #expect(apart.contains("2 gates the same in every build"), "\(apart)")
        // A sum of other runs is taken as of as many.
        func sum(_ value: Int64, runs: Int) throws -> RunReport {
            var report = try build(8) { gate in
                (gate.figure, gate.unit, gate.comparison) = ("value", .count, .equal)
                (gate.rule, gate.limit, gate.value) = ("value == \(value)", value, value)
            }
            let run = report.scenarios[0].points[0].runs[0]
            report.scenarios[0].points[0].runs = Array(repeating: run, count: runs)
            return report
        }
        let sums = ReportHistory([("1", try sum(5, runs: 5)), ("2", try sum(20, runs: 20))]).text
        #expect(sums == "1 gate the same in every build", "\(sums)")
    }

    @Test("A file of another kind is called by its name")
    func otherFiles() throws {
        let report = try Reports.ofEverything().json
        let capsule = #expect(throws: ReportError.self) { try Capsule(json: report) }
        #expect(
            capsule?.description
                == "this is no capsule of 'kodama run --capsules', but a report of "
                + "'kodama run --json'; 'kodama report' renders it"
        )
        let shard = #expect(throws: ReportError.self) { try ShardResult(json: report) }
        #expect(shard?.description.contains("--shard', but a report of") == true)
        let comparison = ReportComparison(try Reports.ofEverything(), try Reports.ofEverything())
        let other = try comparison.json
        let compared = #expect(throws: ReportError.self) { try RunReport(json: other) }
        #expect(compared?.description.hasSuffix("a comparison of 'kodama compare --json'") == true)
    }

    @Test("Scenarios of one name are told apart by their files, wherever several are listed")
    func sharedNames() throws {
        let (quick, slow) = (
            try Outcomes.scenario { _, _ in 8 }, try Outcomes.scenario { _, _ in 40 }
        )
        var report = RunReport([quick, slow], material: "")
        report.scenarios[1].about.file = "other/total-outage.yaml"
        let title = "total-outage (other/total-outage.yaml)"
        #expect(report.verdictLine == "FAIL: \(title) (1 of 2 scenarios, 2 runs)")
        #expect(MarkdownReport(report).text.contains("### ✗ fail: \(title)\n"))
        #expect(JUnitReport(report).text.contains("<testsuite name=\"\(title)\" "))
        #expect(JUnitReport(report).text.contains("classname=\"total-outage (total-outage.yaml)\""))
        #expect(SlackTable(report).text.contains("  \(title)  "))
        #expect(HTMLReport(report).text.contains(">\(title)</a>"))
        report.scenarios.remove(at: 0)
        #expect(report.verdictLine.hasPrefix("FAIL: total-outage (1 of 1 scenario"))
        let alone = "classname=\"total-outage (other/total-outage.yaml)\""
        #expect(JUnitReport(report).text.contains(alone), "whatever else was run")
    }

    @Test("No two cases of JUnit have one class and one name (HN-04)")
    func namesOfCases() throws {
        let cases = ["a", "b", "a", "a", "a"].enumerated().map { index, name in
            JUnitCase(name: name, line: index < 4 ? min(index, 2) : nil, end: .passed)
        }
        let text = JUnitSuite.text([JUnitSuite(name: "s", remarks: [], cases: cases)])
        let names = text.matches(of: /classname="s" name="([^"]*)"/).map { String($0.1) }
        #expect(names == ["a (line 0)", "b", "a (line 2)", "a (line 2) (2)", "a"])
    }

    @Test("A miss in a stretch of the run says which stretch")
    func scopedMiss() throws {
        let report = RunReport([try Outcomes.scenario { _, _ in 40 }], material: "")
        var gate = report.scenarios[0].points[0].gates[0]
        #expect(gate.sentence.hasPrefix("max was 40 s, limit 30 s"))
        gate.scope = "from 1s until 2s"
        #expect(gate.sentence.hasPrefix("max from 1s until 2s was 40 s, limit 30 s"))
    }

    @Test("The command that repeats a silent run chooses no voice")
    func silentReplay() throws {
        var report = try Reports.ofEverything()
        report.options = ["--set", "a.b=1", "--synthetic"]
        let scenario = report.scenarios[0]
        var point = scenario.points[0].about
        let silent = report.replay(7, of: point, in: scenario.about)
        #expect(silent?.hasSuffix(" --set a.b=1") == true)
        point.audio = "real"
        let heard = report.replay(7, of: point, in: scenario.about)
        #expect(heard?.hasSuffix(" --set a.b=1 --synthetic") == true)
    }

    @Test("What is no report, of another version, or uneven is refused in a sentence")
    func refusals() throws {
        let text = String(decoding: try Reports.ofEverything().json, as: UTF8.self)
        func refusal(_ text: String) -> String? {
            do throws(ReportError) {
                _ = try RunReport(json: Data(text.utf8))
                return nil
            } catch {
                return error.description
            }
        }
        #expect(refusal(text) == nil)
        #expect(refusal("[]") == "this is no report of 'kodama run --json'")
        let manifest = try RunManifest(version: "1", program: nil, arguments: []).json
        #expect(
            refusal(String(decoding: manifest, as: UTF8.self))
                == "this is no report of 'kodama run --json', but a manifest of "
                + "'kodama run --output'; the report lies beside it, in report.json"
        )
        #expect(
            refusal(text.replacing("\"schemaVersion\":2", with: "\"schemaVersion\":1"))
                == "the report has schema version 1; this build reads 2, so run the scenarios again"
        )
        #expect(
            refusal(text.replacing("\"ending\":\"failed\"", with: "\"ended\":\"failed\""))
                == "scenarios[1].ending is missing"
        )
        #expect(
            refusal(text.replacing("\"samples\":40", with: "\"samples\":\"40\""))?
                .hasSuffix(".samples has a value of another kind") == true
        )
        #expect(
            refusal(text.replacing("\"bySeed\":[8000000000]", with: "\"bySeed\":[]"))
                == "total-outage: a row has 0 figures for 1 run"
        )
    }

    @Test("Markdown stays below what a comment holds, and says what it leaves out (HN-04)")
    func cap() throws {
        var report = try Reports.ofEverything()
        let one = report.scenarios[1]
        report.scenarios = (0..<400).map { index in
            var copy = one
            copy.about.name = "too-slow-\(index)"
            return copy
        }
        let text = MarkdownReport(report).text
        #expect(text.utf8.count <= MarkdownReport.byteCountMax)
        #expect(text.utf8.count > 50_000)
        #expect(text.contains("more scenarios with something to say: see the other renderings."))
        // What fails is never left out for what does not.
        let documented = RunReport([try Reports.documented()], material: "").scenarios[0]
        report.scenarios = Array(repeating: documented, count: 400) + [one]
        #expect(MarkdownReport(report).text.contains("\n### ✗ fail: too-slow\n"))
    }

    @Test("A documented failure is no failed case and no annotation; against --strict warnings are")
    func endings() throws {
        let documented = RunReport([try Reports.documented()], material: "")
        #expect(documented.isGreen)
        #expect(JUnitReport(documented).text.contains("failures=\"0\" errors=\"0\" skipped=\"1\""))
        #expect(GitHubAnnotations(documented).text.isEmpty)
        let failing = try Reports.failing()
        let lenient = GitHubAnnotations(RunReport([failing], material: "")).text
        let strict = GitHubAnnotations(RunReport([failing], material: "", isStrict: true)).text
        #expect(lenient.contains("::warning file=Scenarios/too slow.yaml,"))
        #expect(!strict.contains("::warning"))
    }
}

@Suite("Curves of samples")
struct CumulativeCountsTests {
    @Test("Each point of a curve is exact, the last one is the maximum, and there are few (HN-04)")
    func exact() {
        var samples = Distribution()
        var state: UInt64 = 1
        for index in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let tail: Int64 = index % 100 == 0 ? 40 : 1
            samples.add(Int64(state >> 40) * 50 * tail)
        }
        let curve = samples.cumulativeCounts(pointCount: 160)
        #expect(curve.values.last == samples.maximum)
        #expect(curve.counts.last == samples.count)
        #expect(curve.values.count <= 640)
        #expect(zip(curve.values, curve.values.dropFirst()).allSatisfy { $0 < $1 })
        for (value, count) in zip(curve.values, curve.counts).dropLast() {
            let above = samples.shareAbove(value).numerator
            #expect(Int64(samples.count) - above == Int64(count), "at \(value)")
        }
        // Between two points neither axis moves by more than a step, unless it steps at once.
        let range = (samples.maximum ?? 0) - (samples.minimum ?? 0)
        for index in curve.values.indices.dropFirst() {
            let rise = curve.counts[index] - curve.counts[index - 1]
            let run = curve.values[index] - curve.values[index - 1]
            #expect(rise <= 20_000 / 160 + 200 || run <= 10_000_000)
            #expect(run <= range / 160 * 2 || rise <= 400)
        }
    }

    @Test("Of no sample there is no curve, of one a point")
    func few() {
        var samples = Distribution()
        #expect(samples.cumulativeCounts(pointCount: 160) == CumulativeCounts())
        samples.add(1_234_567)
        let curve = samples.cumulativeCounts(pointCount: 160)
        #expect(curve.values == [1_234_567])
        #expect(curve.counts == [1])
    }
}
