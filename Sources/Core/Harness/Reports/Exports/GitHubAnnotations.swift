import KodamaEvidence
import KodamaLanguage

/// The report as workflow commands of GitHub Actions: an annotation on the scenario's line per miss.
///
/// The form is that of docs.github.com, "Workflow commands for GitHub Actions"; GitHub shows the first
/// ten errors and ten warnings of a step, so the worst come first.
public struct GitHubAnnotations {
    private let report: RunReport

    /// Renders a report.
    public init(_ report: RunReport) {
        self.report = report
    }

    /// The commands, a line each, errors first; nothing if there is nothing to say.
    public var text: String {
        let annotations = report.scenarios.flatMap(annotations)
        let undone = (report.notRun ?? []).map { name in
            Self.line(isError: true, title: name, RunReport.notRunSentence)
        }
        guard report.tier != .explored else { return "" }
        let lines =
            undone
            + annotations.filter { $0.isError }.map(\.line)
            + annotations.filter { !$0.isError }.map(\.line)
        return lines.map { $0 + "\n" }.joined()
    }

    private struct Annotation {
        var isError: Bool
        var line: String
    }

    private func annotations(of scenario: ScenarioReport) -> [Annotation] {
        var found: [Annotation] = []
        if scenario.ending == .passedUnexpectedly {
            let words = scenario.endingRemarks.joined(separator: "\n")
            found.append(annotation(true, scenario, words))
        }
        for miss in scenario.misses {
            let point = scenario.points[miss.point]
            let gate = miss.gate.map { point.gates[$0] }
            let trigger = miss.trigger.flatMap { point.triggers?[$0] }
            let isError = !(gate?.isGreen ?? false) && miss.verdict != .undecided
            let isExpected = scenario.ending == .failedAsExpected && miss.verdict == .fail
            guard !isExpected else { continue }
            var words = ["\(miss.name): \(miss.sentence)"] + miss.remarks
            words += report.replay(miss, of: scenario).map { ["replay with: \($0)"] } ?? []
            found.append(
                annotation(
                    isError || report.isStrict && !point.about.mayFail && miss.verdict == .warn,
                    scenario,
                    words.joined(separator: "\n"),
                    line: gate?.line ?? trigger?.line,
                    of: gate?.file ?? trigger?.file
                )
            )
        }
        for warning in scenario.about.warnings {
            found.append(annotation(report.isStrict, scenario, warning))
        }
        return found
    }

    private func annotation(
        _ isError: Bool,
        _ scenario: ScenarioReport,
        _ words: String,
        line: Int? = nil,
        of file: String? = nil
    ) -> Annotation {
        let line = Self.line(
            isError: isError,
            file: file ?? scenario.about.file,
            line: line,
            title: scenario.about.name,
            words
        )
        return Annotation(isError: isError, line: line)
    }

    /// One command.
    static func line(
        isError: Bool,
        file: String? = nil,
        line: Int? = nil,
        title: String,
        _ words: String
    ) -> String {
        var properties = file.map { ["file=\(property($0))"] } ?? []
        if let line { properties.append("line=\(line)") }
        properties.append("title=\(property(title))")
        let command = isError ? "error" : "warning"
        return "::\(command) \(properties.joined(separator: ","))::\(escaped(words))"
    }

    private static func escaped(_ words: String) -> String {
        words.replacingScalars { ["%": "%25", "\r": "%0D", "\n": "%0A"][$0] }
    }

    private static func property(_ words: String) -> String {
        escaped(words).replacingScalars { [":": "%3A", ",": "%2C"][$0] }
    }
}
