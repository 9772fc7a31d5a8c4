public import Evidence
import SansIO
import Scenarios

/// The table that people read: one row per gate, then each miss, the verdict last.
public struct ConsoleReport {
    private let outcomes: [ScenarioOutcome]
    private let material: String
    private let options: [String]
    private let isStrict: Bool
    private let showsMetrics: Bool

    /// Reports outcomes.
    ///
    /// - Parameters:
    ///   - outcomes: The scenarios, in the order in which they were named.
    ///   - material: What was heard and coded: voices, packages and codec, with their versions.
    ///   - options: The arguments besides scenario and seed that repeat a run, such as `--set` and
    ///     its value.
    ///   - isStrict: Whether warnings fail.
    ///   - showsMetrics: Whether every metric is shown, gated or not.
    public init(
        _ outcomes: [ScenarioOutcome],
        material: String,
        options: [String] = [],
        isStrict: Bool = false,
        showsMetrics: Bool = false
    ) {
        self.outcomes = outcomes
        self.material = material
        self.options = options
        self.isStrict = isStrict
        self.showsMetrics = showsMetrics
    }

    /// Whether every scenario passed.
    public var isGreen: Bool { outcomes.allSatisfy(isGreen) }

    private func isGreen(_ outcome: ScenarioOutcome) -> Bool {
        guard isStrict else { return outcome.judgement.isGreen }
        return outcome.judgement.verdict == .pass && outcome.scenario.warnings.isEmpty
    }

    /// The whole report.
    public var text: String {
        var lines = [material, ""]
        for outcome in outcomes {
            lines += header(of: outcome)
            lines += table(of: outcome)
            lines += misses(of: outcome)
            if showsMetrics { lines += metrics(of: outcome) }
            lines += outcome.scenario.warnings.map(\.description)
            lines.append("")
        }
        lines.append(verdictLine)
        return lines.joined(separator: "\n")
    }

    private func header(of outcome: ScenarioOutcome) -> [String] {
        let seeds = outcome.runs.map(\.seed)
        let range =
            seeds.count == 1
            ? "seed \(seeds[0])" : "seeds \(seeds.first ?? 0) to \(seeds.last ?? 0)"
        let plan = outcome.scenario.plan
        let duration = MetricUnit.nanoseconds.text(plan.duration.wholeNanoseconds)
        return [
            "\(outcome.scenario.name): \(range), \(duration) each, \(plan.audio.rawValue) audio, "
                + "digest \(outcome.digest)"
        ]
    }

    private func table(of outcome: ScenarioOutcome) -> [String] {
        guard outcome.judgement.isGated else { return [] }
        var rows = [["", "metric", "rule", "value", "samples", "covers"]]
        for gate in outcome.judgement.gates {
            rows.append([
                gate.verdict.rawValue, gate.metric, gate.ruleText, gate.texts.value,
                "\(gate.samples)", gate.covers.joined(separator: " "),
            ])
        }
        for invariant in outcome.judgement.invariants {
            rows.append([
                invariant.verdict.rawValue, invariant.result.name, "always",
                "\(invariant.result.violationCount) broken", "\(invariant.result.checkedCount)", "",
            ])
        }
        return TextTable(rows, rightAligned: [3, 4]).lines.map { "  " + $0 }
    }

    /// Every metric of which there is a sample, gated or not, pooled over the runs.
    private func metrics(of outcome: ScenarioOutcome) -> [String] {
        var rows = [["measured", "value", "p50", "p95", "max", "samples"]]
        for result in outcome.judgement.metrics where result.samples > 0 {
            let figures = MetricFigures(result)
            let cells = [figures.value, figures.p50, figures.p95, figures.maximum].map {
                $0.map(result.unit.text) ?? ""
            }
            rows.append([result.name] + cells + ["\(result.samples)"])
        }
        return TextTable(rows, rightAligned: [1, 2, 3, 4, 5]).lines.map { "  " + $0 }
    }

    /// Each miss with the command that repeats its worst run.
    private func misses(of outcome: ScenarioOutcome) -> [String] {
        var lines: [String] = []
        for gate in outcome.judgement.gates where !gate.isGreen || gate.verdict == .warn {
            let seed = gate.worst?.seed ?? outcome.runs.first?.seed
            lines.append("  \(gate.verdict.rawValue): \(gate.metric): \(sentence(on: gate))")
            lines += replay(outcome, seed: seed)
        }
        for invariant in outcome.judgement.invariants where invariant.verdict != .pass {
            let first = invariant.result.violations.first
            let broken = "broken \(counted(invariant.result.violationCount, "time"))"
            let what = invariant.verdict == .noData ? "nothing happened that it speaks of" : broken
            lines.append("  \(invariant.verdict.rawValue): \(invariant.result.name): \(what)")
            if let first { lines.append("    first by: \(first.line)") }
            lines += replay(outcome, seed: first?.seed ?? outcome.runs.first?.seed)
        }
        return lines
    }

    private func sentence(on gate: GateResult) -> String {
        if let reason = gate.noDataReason {
            let needed = "\(gate.samples) of at least \(gate.gate.minimumSamples)"
            let detail = reason == .tooFewSamples ? " (\(needed))" : ""
            return "\(gate.ruleText): \(reason.rawValue)\(detail)"
        }
        let rule =
            gate.verdict == .warn ? "near the limit of \(gate.ruleText)" : "not \(gate.ruleText)"
        guard let worst = gate.worst else { return "\(gate.texts.value), \(rule)" }
        let value = gate.unit.texts(worst.value, limit: gate.gate.limit).value
        return "\(gate.texts.value), \(rule); worst in seed \(worst.seed): \(value)"
    }

    private func replay(_ outcome: ScenarioOutcome, seed: UInt64?) -> [String] {
        guard let seed else { return [] }
        let words = ["kodama", "run", outcome.file, "--seed", "\(seed)"] + options
        return ["    repeat with: " + words.map(ShellText.quoted).joined(separator: " ")]
    }

    private var verdictLine: String {
        let red = outcomes.filter { !isGreen($0) }
        let runs = counted(outcomes.reduce(0) { $0 + $1.runs.count }, "run")
        var line: String
        if red.isEmpty {
            line = "PASS: \(counted(outcomes.count, "scenario")), \(runs)"
        } else {
            line = "FAIL: \(red.map(\.scenario.name).joined(separator: ", "))"
            line += " (\(red.count) of \(counted(outcomes.count, "scenario")), \(runs))"
        }
        let ungated = outcomes.filter { !$0.judgement.isGated }.map(\.scenario.name)
        if !ungated.isEmpty {
            line += "; nothing is expected of \(ungated.joined(separator: ", "))"
        }
        return line
    }
}

extension ScenarioOutcome {
    /// One digest over those of all runs, in the order of the seeds.
    public var digest: Digest64 {
        var fold = Digest64(bits: 0)
        for run in runs { fold = fold.folding(run.digest) }
        return fold
    }
}

/// Columns of text, padded to their widest cell.
public struct TextTable {
    /// The lines, without trailing spaces.
    public let lines: [String]

    /// Lays out rows of equal length.
    ///
    /// - Parameters:
    ///   - rows: The cells.
    ///   - rightAligned: The columns whose cells end at one edge.
    public init(_ rows: [[String]], rightAligned: Set<Int> = []) {
        let columnCount = rows.first?.count ?? 0
        let widths = (0..<columnCount).map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        lines = rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return rightAligned.contains(column) ? padding + cell : cell + padding
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
