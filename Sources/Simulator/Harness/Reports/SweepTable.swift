import Evidence
import Scenarios

/// The gated figures of a sweep: by two values as rows and columns, by one as rows.
struct SweepTable {
    /// No table gets wider than this by choice.
    private static let widthMax = 110

    private let outcome: ScenarioOutcome
    private let names: [String]

    /// Makes the tables of a sweep; `nil` of what sweeps nothing.
    init?(_ outcome: ScenarioOutcome) {
        names = outcome.scenario.sweep.names
        guard !names.isEmpty else { return nil }
        self.outcome = outcome
    }

    /// The tables, then the invariants of all points together.
    var lines: [String] {
        let hasColumns = outcome.scenario.sweep.isGrid && names.count > 1
        let figures = hasColumns ? gates.flatMap(grid) : list
        return figures + invariants
    }

    /// The places of the gates, which are the same at every point.
    private var gates: Range<Int> {
        0..<(outcome.points.map(\.judgement.gates.count).min() ?? 0)
    }

    /// One gate: the last name's values are columns, the others' are rows.
    private func grid(_ gate: Int) -> [String] {
        var columns: [String] = []
        var rows: [(label: [String], cells: [String: String])] = []
        for point in outcome.points {
            let values = point.point.values.map(\.text)
            guard let column = values.last else { continue }
            if !columns.contains(column) { columns.append(column) }
            let label = Array(values.dropLast())
            if !rows.contains(where: { $0.label == label }) { rows.append((label, [:])) }
            guard let row = rows.firstIndex(where: { $0.label == label }) else { continue }
            rows[row].cells[column] = Self.cell(point.judgement.gates[gate])
        }
        let head = Array(names.dropLast())
        var table = [head + columns.map { "\(names.last ?? "") \($0)" }]
        for row in rows { table.append(row.label + columns.map { row.cells[$0] ?? "" }) }
        let right = Set(head.count..<head.count + columns.count)
        return ["  \(title(of: gate))"] + TextTable(table, rightAligned: right).indentedLines
    }

    /// The metric with its rule, or without the limit where points differ in it.
    private func title(of gate: Int) -> String {
        let results = outcome.points.map { $0.judgement.gates[gate] }
        guard let first = results.first else { return "" }
        let covers = first.covers.isEmpty ? "" : "  \(first.covers.joined(separator: " "))"
        return "\(first.metric)  \(rule(of: gate))\(covers)"
    }

    private func rule(of gate: Int) -> String {
        let rules = outcome.points.map { $0.judgement.gates[gate].ruleText }
        guard let first = rules.first else { return "" }
        guard rules.contains(where: { $0 != first }) else { return first }
        let statistic = outcome.points[0].judgement.gates[gate].gate.statistic
        let unit = MetricCatalog.metric(named: outcome.points[0].judgement.gates[gate].metric)?.unit
        return statistic.text(of: unit ?? .count) + " by point"
    }

    /// All gates side by side, a row per point.
    private var list: [String] {
        var lines: [String] = []
        var columns: [[String]] = []
        func flush() {
            guard !columns.isEmpty else { return }
            let labels = names.indices.map { index in
                [names[index], ""] + outcome.points.map { $0.point.values[index].text }
            }
            let all = labels + columns
            let rows = (0..<(all.first?.count ?? 0)).map { row in all.map { $0[row] } }
            let right = Set(labels.count..<all.count)
            lines += TextTable(rows, rightAligned: right).indentedLines
            columns = []
        }
        var width = 0
        for gate in gates {
            let column =
                [outcome.points.first?.judgement.gates[gate].metric ?? "", rule(of: gate)]
                + outcome.points.map { Self.cell($0.judgement.gates[gate]) }
            let own = 2 + (column.map(\.count).max() ?? 0)
            if width + own > Self.widthMax {
                flush()
                width = 0
            }
            width += own
            columns.append(column)
        }
        flush()
        return lines
    }

    /// A figure, and the verdict unless it is a plain pass.
    private static func cell(_ gate: GateResult) -> String {
        guard gate.verdict != .pass else { return gate.texts.value }
        return "\(gate.verdict.rawValue) \(gate.texts.value)"
    }

    private var invariants: [String] {
        var rows: [[String]] = []
        for name in outcome.invariantNames {
            let all = outcome.points.compactMap { $0.invariant(named: name) }
            let verdict = all.map(\.verdict).max() ?? .noData
            let broken = all.reduce(0) { $0 + $1.result.violationCount }
            let checked = all.reduce(0) { $0 + $1.result.checkedCount }
            rows.append([
                verdict.rawValue, name, "always", "\(broken) broken",
                "\(checked)",
            ])
        }
        guard !rows.isEmpty else { return [] }
        return TextTable(rows, rightAligned: [3, 4]).indentedLines
    }
}
