public import Evidence
import SansIO
import Scenarios

/// The table that people read: one row per gate, the verdict last.
public struct ConsoleReport {
    private let outcomes: [ScenarioOutcome]
    private let material: String

    /// Reports outcomes.
    ///
    /// - Parameters:
    ///   - outcomes: The scenarios, in the order in which they were named.
    ///   - material: What was heard and coded: voices, packages and codec, with their versions.
    public init(_ outcomes: [ScenarioOutcome], material: String) {
        self.outcomes = outcomes
        self.material = material
    }

    /// The whole report.
    public var text: String {
        var lines = [material, ""]
        for outcome in outcomes {
            lines += header(of: outcome)
            lines += table(of: outcome)
            lines += misses(of: outcome)
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

    /// Each miss with the command that repeats its worst run.
    private func misses(of outcome: ScenarioOutcome) -> [String] {
        var lines: [String] = []
        for gate in outcome.judgement.gates where !gate.isGreen {
            let reason = gate.noDataReason.map { ": \($0.rawValue)" } ?? ""
            let seed = gate.worst?.seed ?? outcome.runs.first?.seed ?? 0
            lines.append("  \(gate.verdict.rawValue): \(gate.metric) \(gate.ruleText)\(reason)")
            lines.append("    repeat with: kodama run \(outcome.file) --seed \(seed)")
        }
        for invariant in outcome.judgement.invariants where invariant.verdict != .pass {
            lines.append("  \(invariant.verdict.rawValue): \(invariant.result.name)")
            if let first = invariant.result.violations.first {
                lines.append("    first broken by: \(first.line)")
                let seed = first.seed ?? 0
                lines.append("    repeat with: kodama run \(outcome.file) --seed \(seed)")
            }
        }
        for line in outcome.scenario.warnings.map(\.description) { lines.append(line) }
        return lines
    }

    private var verdictLine: String {
        let red = outcomes.filter { !$0.judgement.isGreen }
        let ungated = outcomes.filter { !$0.judgement.isGated }
        var line =
            red.isEmpty
            ? "PASS: \(outcomes.count) scenarios"
            : "FAIL: \(red.map(\.scenario.name).joined(separator: ", "))"
        line += " (\(outcomes.reduce(0) { $0 + $1.runs.count }) runs)"
        if !ungated.isEmpty {
            line +=
                ", of which \(ungated.map(\.scenario.name).joined(separator: ", ")) expect nothing"
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
