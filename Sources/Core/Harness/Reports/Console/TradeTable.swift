import KodamaEvidence

/// What a sweep gains and costs besides its gates.
///
/// These are the figures that no gate bounds and in which points differ, the greatest difference first.
struct TradeTable {
    private struct Row {
        var metric: String
        var figure: String
        var unit: MetricUnit
        /// The figure at each point.
        var values: [Int64?]

        /// The figure at each point, for people.
        var texts: [String] { values.map { $0.map(unit.text) ?? "-" } }

        /// By which share of the greatest figure the points differ.
        var spread: Double {
            let known = values.compactMap(\.self)
            guard let least = known.min(), let greatest = known.max(), known.count == values.count
            else { return 1 }
            let most = max(least.magnitude, greatest.magnitude)
            return most > 0 ? (Double(greatest) - Double(least)) / Double(most) : 0
        }
    }

    /// As many rows are shown.
    private static let rowCountMax = 12
    /// As many points have a column each; of more the least and the greatest figure are shown.
    private static let columnCountMax = 6

    private let scenario: ScenarioReport
    private let rows: [Row]

    /// Gathers the figures; `nil` of what sweeps nothing, or where no other figure differs.
    init?(_ scenario: ScenarioReport) {
        guard scenario.about.sweep != nil, scenario.points.count > 1 else { return nil }
        self.scenario = scenario
        let all = Self.metrics(of: scenario).flatMap { metric -> [Row] in
            let reports = scenario.points.map { $0.metric(named: metric.name) }
            let figures: [(name: String, values: [Int64?])] = [
                ("value", reports.map { $0?.value }), ("p50", reports.map { $0?.figures?.p50 }),
                ("p95", reports.map { $0?.figures?.p95 }),
            ]
            return figures.map {
                Row(metric: metric.name, figure: $0.name, unit: metric.unit, values: $0.values)
            }
        }
        rows = all.filter { row in
            // What reads the same everywhere would seem no difference.
            guard Set(row.texts).count > 1 else { return false }
            return !scenario.points.contains { point in
                point.gates.contains { $0.metric == row.metric && $0.figure == row.figure }
            }
        }.enumerated().sorted { one, other in
            let (left, right) = (one.element.spread, other.element.spread)
            return left == right ? one.offset < other.offset : left > right
        }.map(\.element)
        guard !rows.isEmpty else { return nil }
    }

    /// The metrics of which some point has a sample, each as the first that has one gives it.
    private static func metrics(of scenario: ScenarioReport) -> [MetricReport] {
        scenario.points.flatMap(\.metrics).reduce(into: []) { metrics, metric in
            if !metrics.contains(where: { $0.name == metric.name }) { metrics.append(metric) }
        }
    }

    /// The table.
    var lines: [String] {
        let labels = scenario.points.map { $0.about.values.map(\.value).joined(separator: " ") }
        let hasColumns = labels.count <= Self.columnCountMax
        var cells = [["differs too", ""] + (hasColumns ? labels : ["least", "greatest"])]
        for row in rows.prefix(Self.rowCountMax) {
            var ends = row.texts
            if !hasColumns {
                let known = row.values.compactMap(\.self)
                ends = [known.min(), known.max()]
                    .compactMap { row.values.firstIndex(of: $0) }
                    .map { "\(row.texts[$0]) at \(labels[$0])" }
            }
            cells.append([row.metric, row.figure] + ends)
        }
        let right = hasColumns ? Set(2..<2 + labels.count) : []
        let rest = rows.count - Self.rowCountMax
        let more = rest > 0 ? ["  \(rest) more figures differ; --metrics shows all"] : []
        return TextTable(cells, rightAligned: right).indentedLines + more
    }
}
