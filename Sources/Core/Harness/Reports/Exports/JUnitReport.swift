import KodamaEvidence

/// The report as JUnit XML: a suite for each point of each scenario, a case for each rule.
///
/// Rules are its gates, its invariants and what its timeline waits for.
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
            // With its file always: readers compare classes over results, whatever else was run.
            let title = "\(scenario.about.name) (\(scenario.about.file))"
            return scenario.points.indices.map {
                JUnitSuite(scenario, titled: title, point: $0, of: report)
            }
        }
        let undone = (report.notRun ?? []).map { JUnitSuite(notRun: $0) }
        return JUnitSuite.text(suites + undone)
    }
}

/// The cases of one point.
struct JUnitSuite {
    var name: String
    /// What is said of the whole: its settings, or how it differs besides figures.
    var remarks: [String]
    var cases: [JUnitCase]

    init(name: String, remarks: [String], cases: [JUnitCase]) {
        self.name = name
        self.remarks = remarks
        self.cases = cases
    }

    /// A scenario that an interruption left undone; without a case all would look well.
    init(notRun name: String) {
        let end = JUnitCase.End.failed("no-data", RunReport.notRunSentence)
        self.init(name: name, remarks: [], cases: [JUnitCase(name: "runs", end: end)])
    }

    init(_ scenario: ScenarioReport, titled title: String, point index: Int, of report: RunReport) {
        let point = scenario.points[index]
        let label = point.about.label
        name = label.isEmpty ? title : "\(title) \(label)"
        // The preset and every parameter that does not have its default.
        var settings = point.about.preset.map { ["preset \($0)"] } ?? []
        settings += point.about.settings.map(\.description)
        remarks = settings.isEmpty ? [] : ["with " + settings.joined(separator: ", ")]
        if report.tier == .quick, point.runs.count < point.about.plannedSeeds {
            let part = "\(point.runs.count) of \(counted(point.about.plannedSeeds, "seed"))"
            remarks.append("\(part): what does not fail is no promise")
        }
        let expectsFailure = point.about.mayFail && scenario.ending == .failedAsExpected
        // A warning fails nothing where a gate may fail.
        let isStrict = report.isStrict && !point.about.mayFail
        let misses = scenario.points.count == 1 ? scenario.misses : []
        func replay(_ seed: UInt64?, _ moment: Moment?) -> [String] {
            let command = (seed ?? point.runs.first?.seed).flatMap {
                report.replay($0, of: point.about, in: scenario.about, around: moment)
            }
            return command.map { ["replay with: \($0)"] } ?? []
        }
        cases = point.gates.enumerated().map { index, gate in
            let remarks = misses.first { $0.gate == index }?.remarks ?? []
            let isExpected = expectsFailure && gate.verdict == .fail
            return JUnitCase(
                name: "\(gate.metric) \(gate.rule)",
                line: gate.line,
                file: gate.file ?? scenario.about.file,
                end: gate.end(isStrict: isStrict, because: isExpected ? scenario : nil),
                more: remarks + replay(gate.worst?.seed, gate.worst?.sample.map { Moment($0) })
            )
        }
        cases += point.invariants.map { invariant in
            var more =
                invariant.first.map { ["first record: \(TraceText.squeezed($0.line))"] } ?? []
            more += replay(
                invariant.first?.seed ?? point.seed(breaking: invariant.name),
                invariant.first?.instant.map { Moment(from: $0, until: $0) }
            )
            return JUnitCase(
                name: "\(invariant.name) always",
                file: scenario.about.file,
                end: .of(invariant.verdict, invariant.sentence),
                more: more
            )
        }
        cases += (point.triggers ?? []).map { trigger in
            JUnitCase(
                name: trigger.name,
                line: trigger.line,
                file: trigger.file,
                end: .of(trigger.verdict, trigger.sentence(of: point.runs.count)),
                more: replay(nil, nil)
            )
        }
        if index == 0 { cases += Self.ofScenario(scenario, isStrict: report.isStrict) }
        guard report.tier == .explored else { return }
        for index in cases.indices {
            guard case .failed(_, let words) = cases[index].end else { continue }
            cases[index].end = .skipped("explored: \(words)")
        }
    }

    /// What is wrong with a scenario although each gate is green.
    private static func ofScenario(_ scenario: ScenarioReport, isStrict: Bool) -> [JUnitCase] {
        var cases: [JUnitCase] = []
        if scenario.ending == .passedUnexpectedly {
            let words = scenario.endingRemarks
            cases.append(
                JUnitCase(
                    name: "outcome: fail",
                    file: scenario.about.file,
                    end: .failed("fail", words.first ?? ""),
                    more: Array(words.dropFirst())
                )
            )
        }
        if isStrict, !scenario.about.warnings.isEmpty {
            cases.append(
                JUnitCase(
                    name: "no warnings",
                    file: scenario.about.file,
                    end: .failed("warn", scenario.about.warnings.joined(separator: "\n"))
                )
            )
        }
        if scenario.runCount == 0 {
            cases.append(
                JUnitCase(
                    name: "runs",
                    file: scenario.about.file,
                    end: .failed("no-data", "nothing was run")
                )
            )
        }
        return cases
    }

    /// The file with such suites.
    static func text(_ suites: [JUnitSuite]) -> String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append("<testsuites name=\"kodama\" \(counts(of: suites.flatMap(\.cases)))>")
        for suite in suites { lines += suite.lines }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    static func counts(of cases: [JUnitCase]) -> String {
        let failures = cases.filter { if case .failed = $0.end { true } else { false } }
        let skipped = cases.filter { if case .skipped = $0.end { true } else { false } }
        return "tests=\"\(cases.count)\" failures=\"\(failures.count)\" errors=\"0\" "
            + "skipped=\"\(skipped.count)\""
    }

    /// The cases, those of one name told apart by their lines, and by a number where these are equal too:
    /// readers know a case by its class and name alone.
    private var namedOnce: [JUnitCase] {
        var taken: [String: Int] = [:]
        return cases.map { entry in
            var entry = entry
            let isShared = cases.filter { $0.name == entry.name }.count > 1
            if isShared, let line = entry.line { entry.name += " (line \(line))" }
            taken[entry.name, default: 0] += 1
            let count = taken[entry.name] ?? 1
            if count > 1 { entry.name += " (\(count))" }
            return entry
        }
    }

    var lines: [String] {
        let title = SVGText.escaped(name)
        var lines = ["  <testsuite name=\"\(title)\" \(Self.counts(of: cases))>"]
        for entry in namedOnce { lines += entry.lines(of: title) }
        if !remarks.isEmpty {
            // Properties would say it better, but one of the readers takes their names for unique in
            // the whole file.
            let words = SVGText.escaped(remarks.joined(separator: "; "))
            lines.append("    <system-out>\(words)</system-out>")
        }
        return lines + ["  </testsuite>"]
    }
}

/// One case, and how it ended.
struct JUnitCase {
    enum End {
        case passed
        case skipped(String)
        /// With the verdict and a sentence.
        case failed(String, String)
    }

    var name: String
    var line: Int?
    var file: String?
    var end: End
    /// What the text of a failure says after the sentence.
    var more: [String] = []

    func lines(of suite: String) -> [String] {
        let line = line.map { " line=\"\($0)\"" } ?? ""
        let file = file.map { " file=\"\(SVGText.escaped($0))\"" } ?? ""
        let head =
            "    <testcase classname=\"\(suite)\" name=\"\(SVGText.escaped(name))\"\(file)\(line)"
        switch end {
        case .passed: return [head + "/>"]
        case .skipped(let words):
            let body = "      <skipped message=\"\(SVGText.escaped(Self.oneLine(words)))\"/>"
            return [head + ">", body, "    </testcase>"]
        case .failed(let verdict, let words):
            let text = ([words] + more).map { SVGText.escapedText($0) }.joined(separator: "\n")
            let body =
                "      <failure message=\"\(SVGText.escaped(Self.oneLine(words)))\" "
                + "type=\"\(verdict)\">\(text)</failure>"
            return [head + ">", body, "    </testcase>"]
        }
    }

    private static func oneLine(_ words: String) -> String {
        String(words.map { $0.isNewline ? " " : $0 })
    }
}

extension JUnitCase.End {
    /// How the case of an invariant or a trigger ends.
    fileprivate static func of(_ verdict: Verdict, _ sentence: String) -> JUnitCase.End {
        switch verdict {
        case .pass: .passed
        case .undecided: .skipped("undecided: \(sentence)")
        case .warn, .noData, .fail: .failed(verdict.rawValue, sentence)
        }
    }
}

extension GateReport {
    /// How the gate's case ends; `because` is the scenario, where it documents that the gate fails.
    fileprivate func end(isStrict: Bool, because scenario: ScenarioReport?) -> JUnitCase.End {
        if let scenario {
            return .skipped("fails as documented (\(sentence)): \(scenario.about.because ?? "")")
        }
        if verdict == .undecided { return .skipped("undecided: \(sentence)") }
        if !isGreen || isStrict && verdict == .warn { return .failed(verdict.rawValue, sentence) }
        return verdict == .noData ? .skipped(sentence) : .passed
    }
}
