import Evidence

/// The report as JUnit XML: a suite for each point of each scenario, a case for each gate and invariant.
///
/// There is no standard; this is the part that readers agree on (github.com/testmoapp/junitxml). GitLab
/// shows only the text of a failure and not its message, so the sentence stands in both. No time is
/// given: the time that a run took is no part of a result.
public struct JUnitReport {
    private let report: RunReport

    /// Renders a report.
    public init(_ report: RunReport) {
        self.report = report
    }

    /// The file's text.
    public var text: String {
        let suites = report.scenarios.flatMap { scenario in
            scenario.points.indices.map { Suite(scenario, point: $0, of: report) }
        }
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        let counts = Suite.counts(of: suites.flatMap(\.cases))
        lines.append("<testsuites name=\"kodama\" \(counts)>")
        for suite in suites { lines += suite.lines }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The cases of one point.
private struct Suite {
    var name: String
    /// The preset and every parameter that does not have its default.
    var settings: [String]
    var cases: [Case]

    init(_ scenario: ScenarioReport, point index: Int, of report: RunReport) {
        let point = scenario.points[index]
        let label = point.about.label
        name = label.isEmpty ? scenario.about.name : "\(scenario.about.name) \(label)"
        settings = point.about.preset.map { ["preset \($0)"] } ?? []
        settings += point.about.settings.map(\.description)
        let expectsFailure = point.about.mayFail && scenario.ending == .failedAsExpected
        let misses = scenario.points.count == 1 ? scenario.misses : []
        func replay(_ seed: UInt64?) -> [String] {
            let command = (seed ?? point.runs.first?.seed).flatMap {
                report.replay($0, of: point.about, in: scenario.about)
            }
            return command.map { ["replay with: \($0)"] } ?? []
        }
        cases = point.gates.enumerated().map { index, gate in
            let remarks = misses.first { $0.gate == index }?.remarks ?? []
            let isExpected = expectsFailure && gate.verdict == .fail
            return Case(
                name: "\(gate.metric) \(gate.rule)",
                line: gate.line,
                file: gate.file ?? scenario.about.file,
                end: gate.end(isStrict: report.isStrict, because: isExpected ? scenario : nil),
                more: remarks + replay(gate.worst?.seed)
            )
        }
        cases += point.invariants.map { invariant in
            var more = invariant.first.map { ["first by: \($0.line)"] } ?? []
            more += replay(invariant.first?.seed ?? point.seed(breaking: invariant.name))
            return Case(
                name: "\(invariant.name) always",
                file: scenario.about.file,
                end: invariant.verdict == .pass
                    ? .passed : .failed(invariant.verdict, invariant.sentence),
                more: more
            )
        }
        if index == 0 { cases += Self.ofScenario(scenario, isStrict: report.isStrict) }
    }

    /// What is wrong with a scenario although each gate is green.
    private static func ofScenario(_ scenario: ScenarioReport, isStrict: Bool) -> [Case] {
        var cases: [Case] = []
        if scenario.ending == .passedUnexpectedly {
            let words = scenario.endingRemarks
            cases.append(
                Case(
                    name: "outcome: fail",
                    file: scenario.about.file,
                    end: .failed(.fail, words.first ?? ""),
                    more: Array(words.dropFirst())
                )
            )
        }
        if isStrict, !scenario.about.warnings.isEmpty {
            cases.append(
                Case(
                    name: "no warnings",
                    file: scenario.about.file,
                    end: .failed(.warn, scenario.about.warnings.joined(separator: "\n"))
                )
            )
        }
        if scenario.runCount == 0 {
            cases.append(
                Case(
                    name: "runs",
                    file: scenario.about.file,
                    end: .failed(.noData, "nothing was run")
                )
            )
        }
        return cases
    }

    static func counts(of cases: [Case]) -> String {
        let failures = cases.filter { if case .failed = $0.end { true } else { false } }
        let skipped = cases.filter { if case .skipped = $0.end { true } else { false } }
        return "tests=\"\(cases.count)\" failures=\"\(failures.count)\" errors=\"0\" "
            + "skipped=\"\(skipped.count)\""
    }

    var lines: [String] {
        let title = SVGText.escaped(name)
        var lines = ["  <testsuite name=\"\(title)\" \(Self.counts(of: cases))>"]
        for entry in cases { lines += entry.lines(of: title) }
        if !settings.isEmpty {
            // Properties would say it better, but one of the readers takes their names for unique in
            // the whole file.
            let words = SVGText.escaped("with " + settings.joined(separator: ", "))
            lines.append("    <system-out>\(words)</system-out>")
        }
        return lines + ["  </testsuite>"]
    }
}

/// One case, and how it ended.
private struct Case {
    enum End {
        case passed
        case skipped(String)
        case failed(Verdict, String)
    }

    var name: String
    var line: Int?
    var file: String
    var end: End
    /// What the text of a failure says after the sentence.
    var more: [String] = []

    func lines(of suite: String) -> [String] {
        let line = line.map { " line=\"\($0)\"" } ?? ""
        let head =
            "    <testcase classname=\"\(suite)\" name=\"\(SVGText.escaped(name))\" "
            + "file=\"\(SVGText.escaped(file))\"\(line)"
        switch end {
        case .passed: return [head + "/>"]
        case .skipped(let words):
            let body = "      <skipped message=\"\(SVGText.escaped(Self.oneLine(words)))\"/>"
            return [head + ">", body, "    </testcase>"]
        case .failed(let verdict, let words):
            let text = ([words] + more).map { SVGText.escapedText($0) }.joined(separator: "\n")
            let body =
                "      <failure message=\"\(SVGText.escaped(Self.oneLine(words)))\" "
                + "type=\"\(verdict.rawValue)\">\(text)</failure>"
            return [head + ">", body, "    </testcase>"]
        }
    }

    private static func oneLine(_ words: String) -> String { words.replacing("\n", with: " ") }
}

extension GateReport {
    /// How the gate's case ends; `because` is the scenario, where it documents that the gate fails.
    fileprivate func end(isStrict: Bool, because scenario: ScenarioReport?) -> Case.End {
        if let scenario {
            return .skipped("fails as documented (\(sentence)): \(scenario.about.because ?? "")")
        }
        if !isGreen || isStrict && verdict != .pass { return .failed(verdict, sentence) }
        return verdict == .noData ? .skipped(sentence) : .passed
    }
}
