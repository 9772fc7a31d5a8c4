import KodamaEvidence
import KodamaLanguage

/// The gated figures of a sweep: by two values as rows and columns, by one as rows.
struct SweepTable {
    /// No table gets wider than this by choice.
    private static let widthMax = 110

    private let scenario: ScenarioReport
    private let names: [String]

    /// Makes the tables of a sweep; `nil` of what sweeps nothing.
    init?(_ scenario: ScenarioReport) {
        guard let sweep = scenario.about.sweep else { return nil }
        names = sweep.names
        self.scenario = scenario
    }

    /// The tables, then the invariants of all points together, and where the sweep passes.
    var lines: [String] {
        let hasColumns = scenario.about.sweep?.isGrid == true && names.count > 1
        let figures = hasColumns ? gates.flatMap(grid) : list
        let passing = scenario.passingSentence.map { ["  \($0)"] } ?? []
        return figures + indistinct + invariants + passing
    }

    /// Gates whose figures at all points lie so near each other that the runs cannot tell them apart.
    private var indistinct: [String] {
        guard scenario.points.count > 1 else { return [] }
        return gates.compactMap { index in
            let reports = scenario.points.map { $0.gates[index] }
            let intervals = reports.compactMap(\.interval)
            guard intervals.count == reports.count, Set(reports.map(\.value)).count > 1,
                let highest = intervals.map({ $0.lower ?? .min }).max(),
                let lowest = intervals.map({ $0.upper ?? .max }).min(), highest <= lowest,
                !seedsAgree(index)
            else { return nil }
            let name = "\(reports[0].metric) \(reports[0].figure)"
            return "  \(name): the points differ by less than their intervals"
        }
    }

    /// Whether the seeds agree that the greatest figure is greater than the least.
    ///
    /// They meet the same weather at each point, so each is a comparison of its own.
    private func seedsAgree(_ gate: Int) -> Bool {
        func value(_ point: PointReport) -> Int64 { point.gates[gate].value ?? 0 }
        guard let least = scenario.points.min(by: { value($0) < value($1) }),
            let greatest = scenario.points.max(by: { value($0) < value($1) }),
            least.runs.map(\.seed) == greatest.runs.map(\.seed)
        else { return false }
        var (greater, less): (Int64, Int64) = (0, 0)
        for (one, other) in zip(least.gates[gate].bySeed, greatest.gates[gate].bySeed) {
            guard let one, let other, one != other else { continue }
            if other > one { greater += 1 } else { less += 1 }
        }
        let interval = WilsonInterval(successes: greater, trials: greater + less)
        return interval.map { $0.lowerPartsPerMillion > 500_000 } ?? false
    }

    /// The indices of the gates, which are the same at every point.
    private var gates: Range<Int> {
        0..<(scenario.points.map(\.gates.count).min() ?? 0)
    }

    /// One gate: the last name's values are columns, the others' are rows; a line if all are alike.
    private func grid(_ gate: Int) -> [String] {
        let cells = scenario.points.map { Self.cell($0.gates[gate]) }.distinct
        if cells.count == 1, scenario.points.count > 1 {
            return ["  \(title(of: gate, figure: ": \(cells[0]) at every point"))"]
        }
        var columns: [String] = []
        var rows: [(label: [String], cells: [String: String])] = []
        for point in scenario.points {
            let values = point.about.values.map(\.value)
            guard let column = values.last else { continue }
            if !columns.contains(column) { columns.append(column) }
            let label = Array(values.dropLast())
            if !rows.contains(where: { $0.label == label }) { rows.append((label, [:])) }
            guard let row = rows.firstIndex(where: { $0.label == label }) else { continue }
            rows[row].cells[column] = Self.cell(point.gates[gate])
        }
        let head = Array(names.dropLast())
        var table = [head + columns.map { "\(names.last ?? "") \($0)" }]
        for row in rows { table.append(row.label + columns.map { row.cells[$0] ?? "" }) }
        let right = Set(head.count..<head.count + columns.count)
        return ["  \(title(of: gate))"] + TextTable(table, rightAligned: right).indentedLines
    }

    /// The metric with its rule, or without the limit where points differ in it.
    private func title(of gate: Int, figure: String = "") -> String {
        let results = scenario.points.map { $0.gates[gate] }
        guard let first = results.first else { return "" }
        let covers = first.covers.isEmpty ? "" : "  \(first.covers.joined(separator: " "))"
        return "\(first.metric)  \(rule(of: gate))\(figure)\(covers)"
    }

    private func rule(of gate: Int) -> String {
        let rules = scenario.points.map { $0.gates[gate].rule }
        guard let first = rules.first else { return "" }
        guard rules.contains(where: { $0 != first }) else { return first }
        return "\(scenario.points[0].gates[gate].figure) by point"
    }

    /// All gates side by side, a row per point.
    private var list: [String] {
        var lines: [String] = []
        var columns: [[String]] = []
        func flush() {
            guard !columns.isEmpty else { return }
            let labels = names.indices.map { index in
                [names[index], ""] + scenario.points.map { $0.about.values[index].value }
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
                [scenario.points.first?.gates[gate].metric ?? "", rule(of: gate)]
                + scenario.points.map { Self.cell($0.gates[gate]) }
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
    private static func cell(_ gate: GateReport) -> String {
        guard gate.verdict != .pass else { return gate.texts.value }
        return "\(gate.verdict.word) \(gate.texts.value)"
    }

    private var invariants: [String] {
        var rows: [[String]] = []
        for name in scenario.invariantNames {
            let all = scenario.points.compactMap { $0.invariant(named: name) }
            let verdict = all.map(\.verdict).max() ?? .noData
            let broken = all.map(\.violations).heldSum
            let checked = all.map(\.checked).heldSum
            rows.append([
                verdict.word, name, "always", "\(broken) broken",
                "\(checked)",
            ])
        }
        guard !rows.isEmpty else { return [] }
        return TextTable(rows, rightAligned: [3, 4]).indentedLines
    }
}
