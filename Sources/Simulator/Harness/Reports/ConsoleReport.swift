public import Evidence
import SansIO
import Scenarios

/// The table that people read: one row per gate or swept value, then each miss, the verdict last.
public struct ConsoleReport {
    private let outcomes: [ScenarioOutcome]
    private let material: String
    let options: [String]?
    private let isStrict: Bool
    private let showsMetrics: Bool

    /// Reports outcomes.
    ///
    /// - Parameters:
    ///   - outcomes: The scenarios, in the order in which they were named.
    ///   - material: What was heard and coded: voices, packages and codec, with their versions.
    ///   - options: The arguments besides scenario, point and seed that repeat a run, such as `--set`
    ///     and its value; `nil` where a miss needs no command that repeats it.
    ///   - isStrict: Whether warnings fail.
    ///   - showsMetrics: Whether every metric is shown, gated or not.
    public init(
        _ outcomes: [ScenarioOutcome],
        material: String,
        options: [String]? = [],
        isStrict: Bool = false,
        showsMetrics: Bool = false
    ) {
        self.outcomes = outcomes
        self.material = material
        self.options = options
        self.isStrict = isStrict
        self.showsMetrics = showsMetrics
    }

    /// Whether every scenario is what it says of itself.
    public var isGreen: Bool { outcomes.allSatisfy { ending(of: $0).isGreen } }

    private func ending(of outcome: ScenarioOutcome) -> ScenarioEnding {
        outcome.ending(isStrict: isStrict)
    }

    /// The whole report.
    public var text: String {
        var lines = [material, ""]
        for outcome in outcomes {
            lines += section(on: outcome)
            lines.append("")
        }
        lines.append(verdictLine)
        return lines.joined(separator: "\n")
    }

    /// Everything on one scenario.
    func section(on outcome: ScenarioOutcome) -> [String] {
        var lines = [header(of: outcome)]
        lines += SweepTable(outcome)?.lines ?? outcome.points.flatMap(gates)
        lines += ReconnectTable(outcome).lines
        lines += misses(of: outcome)
        lines += remark(on: outcome)
        if showsMetrics {
            for point in outcome.points { lines += metrics(of: point) }
        }
        return lines + outcome.scenario.warnings.map(\.description)
    }

    private func header(of outcome: ScenarioOutcome) -> String {
        var parts: [String] = []
        let scenario = outcome.scenario
        if !scenario.sweep.names.isEmpty {
            let names = scenario.sweep.names
            let joined = names.joined(separator: scenario.sweep.isGrid ? " by " : ", ")
            parts.append("\(counted(outcome.points.count, "point")) of \(joined)")
        } else if let label = scenario.points.first?.label, !label.isEmpty {
            parts.append("at \(label)")
        }
        parts.append(seeds(of: outcome))
        let durations = scenario.points.map(\.plan.duration)
        let texts = [durations.min(), durations.max()].compactMap(\.self).map {
            MetricUnit.nanoseconds.text($0.wholeNanoseconds)
        }
        let isOne = texts.first == texts.last
        parts.append((isOne ? texts.first ?? "" : texts.joined(separator: " to ")) + " each")
        parts += Self.modeTexts(of: scenario.points.map(\.plan))
        return "\(scenario.name): \(parts.joined(separator: ", ")), digest \(outcome.digest)"
    }

    /// How much is real, for each of the apps that run; a sweep may run both.
    private static func modeTexts(of plans: [WorldPlan]) -> [String] {
        func text(_ modes: [String], _ noun: String) -> [String] {
            var distinct: [String] = []
            for mode in modes where !distinct.contains(mode) { distinct.append(mode) }
            return distinct.isEmpty ? [] : ["\(distinct.joined(separator: " and ")) \(noun)"]
        }
        let speaking = plans.filter { !$0.devices.isEmpty || $0.phones.isEmpty }
        let carrying = plans.filter { !$0.phones.isEmpty }
        return text(speaking.map(\.audio.rawValue), "audio")
            + text(carrying.map(\.media.rawValue), "media")
    }

    private func seeds(of outcome: ScenarioOutcome) -> String {
        let seeds = outcome.points.map { $0.runs.map(\.seed) }
        let isOne = seeds.allSatisfy { $0 == seeds.first }
        guard isOne, let all = seeds.first, let first = all.first, let last = all.last else {
            return counted(seeds.joined().count, "run")
        }
        let each = seeds.count > 1 ? " each" : ""
        return (first == last ? "seed \(first)" : "seeds \(first) to \(last)") + each
    }

    private func gates(of point: PointOutcome) -> [String] {
        guard point.judgement.isGated else { return [] }
        var rows = [["", "metric", "rule", "value", "samples", "covers"]]
        for gate in point.judgement.gates {
            rows.append([
                gate.verdict.rawValue, gate.metric, gate.ruleText, gate.texts.value,
                "\(gate.samples)", gate.covers.joined(separator: " "),
            ])
        }
        for invariant in point.judgement.invariants {
            rows.append([
                invariant.verdict.rawValue, invariant.result.name, "always",
                "\(invariant.result.violationCount) broken", "\(invariant.result.checkedCount)", "",
            ])
        }
        return TextTable(rows, rightAligned: [3, 4]).indentedLines
    }

    /// Every metric of which there is a sample, gated or not, pooled over the runs.
    private func metrics(of point: PointOutcome) -> [String] {
        var rows = [["measured", "value", "p50", "p95", "max", "samples"]]
        for result in point.judgement.metrics where result.samples > 0 {
            let figures = MetricFigures(result)
            let cells = [figures.value, figures.p50, figures.p95, figures.maximum].map {
                $0.map(result.unit.text) ?? ""
            }
            rows.append([result.name] + cells + ["\(result.samples)"])
        }
        let title = point.point.values.isEmpty ? [] : ["  at \(point.point.label)"]
        return title + TextTable(rows, rightAligned: [1, 2, 3, 4, 5]).indentedLines
    }

    /// What there is to say where a scenario says that it fails.
    private func remark(on outcome: ScenarioOutcome) -> [String] {
        guard case .fail(let reason, _) = outcome.scenario.outcome else { return [] }
        switch ending(of: outcome) {
        case .failedAsExpected:
            let labels = outcome.missedPoints.map(\.point.label).filter { !$0.isEmpty }
            let place = labels.isEmpty ? "" : " at \(labels.joined(separator: "; "))"
            return ["  fails as expected\(place)", "    because: \(reason)"]
        case .passedUnexpectedly:
            return [
                "  passes, but is documented to fail: remove 'outcome: fail', or find out what changed",
                "    because: \(reason)",
            ]
        case .failed:
            return [
                "  documented to fail, but not like this: only gates may, and only where it says"
            ]
        case .passed:
            return ["  documented to fail elsewhere; what was run here had to pass"]
        }
    }

    private var verdictLine: String {
        let endings = outcomes.map(ending)
        let red = zip(outcomes, endings).filter { !$0.1.isGreen }.map(\.0.scenario.name)
        let runs = counted(outcomes.reduce(0) { $0 + $1.runs.count }, "run")
        var line: String
        if red.isEmpty {
            let expected = zip(outcomes, endings).filter { $0.1 == .failedAsExpected }
                .map(\.0.scenario.name)
            let aside =
                expected.isEmpty
                ? "" : " (failing as expected: \(expected.joined(separator: ", ")))"
            line = "PASS: \(counted(outcomes.count, "scenario"))\(aside), \(runs)"
        } else {
            line = "FAIL: \(red.joined(separator: ", "))"
            line += " (\(red.count) of \(counted(outcomes.count, "scenario")), \(runs))"
        }
        let ungated = outcomes.filter { !$0.isGated }.map(\.scenario.name)
        if !ungated.isEmpty {
            line += "; nothing is expected of \(ungated.joined(separator: ", "))"
        }
        return line
    }
}

extension ScenarioOutcome {
    /// One digest over those of all runs, in the order of points and seeds.
    public var digest: Digest64 {
        var fold = Digest64(bits: 0)
        for run in runs { fold = fold.folding(run.digest) }
        return fold
    }
}
