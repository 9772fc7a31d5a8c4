import Evidence

/// The table that people read: one row per gate or swept value, then each miss, the verdict last.
public struct ConsoleReport {
    let report: RunReport
    private let showsMetrics: Bool
    /// The names of the metrics that are shown, if not all of them.
    private let shown: [String]

    /// Renders a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - showsMetrics: Whether every metric is shown, gated or not.
    ///   - shown: Metrics that are shown in any case, by name.
    public init(_ report: RunReport, showsMetrics: Bool = false, shown: [String] = []) {
        self.report = report
        self.showsMetrics = showsMetrics
        self.shown = shown
    }

    /// The whole report.
    public var text: String {
        ([head] + sections + [report.verdictLine]).joined(separator: "\n")
    }

    /// What was heard and coded, with an empty line behind it.
    public var head: String { report.material + "\n" }

    /// A section on each scenario, with an empty line behind it.
    public var sections: [String] {
        report.scenarios.map { section(on: $0).joined(separator: "\n") + "\n" }
    }

    /// The verdict on everything.
    public var verdict: String { report.verdictLine }

    /// Everything on one scenario.
    func section(on scenario: ScenarioReport) -> [String] {
        var lines = ["\(scenario.about.name): \(scenario.headline), digest \(scenario.digest)"]
        lines += scenario.settingsLine.map { ["  with \($0)"] } ?? []
        lines += SweepTable(scenario)?.lines ?? scenario.points.flatMap(gates)
        lines += ReconnectTable(scenario).lines
        lines += misses(of: scenario)
        lines += scenario.endingRemarks.map { "  " + $0 }
        if showsMetrics || !shown.isEmpty {
            for point in scenario.points { lines += metrics(of: point) }
        }
        return lines + scenario.about.warnings
    }

    private func gates(of point: PointReport) -> [String] {
        guard point.isGated else { return [] }
        var rows = [["", "metric", "rule", "value", "samples", "covers"]]
        for gate in point.gates {
            rows.append([
                gate.verdict.word, gate.metric, gate.rule, gate.texts.value,
                "\(gate.samples)", gate.covers.joined(separator: " "),
            ])
        }
        for invariant in point.invariants {
            rows.append([
                invariant.verdict.word, invariant.name, "always",
                "\(invariant.violations) broken", "\(invariant.checked)", "",
            ])
        }
        return TextTable(rows, rightAligned: [3, 4]).indentedLines
    }

    /// Every metric of which there is a sample, gated or not, pooled over the runs.
    private func metrics(of point: PointReport) -> [String] {
        var rows = [["measured", "value", "p50", "p95", "max", "samples"]]
        for metric in point.metrics where showsMetrics || shown.contains(metric.name) {
            let figures = metric.figures
            let cells = [metric.value, figures?.p50, figures?.p95, figures?.max].map {
                $0.map(metric.unit.text) ?? ""
            }
            rows.append([metric.name] + cells + ["\(metric.samples)"])
        }
        let title = point.about.values.isEmpty ? [] : ["  at \(point.about.label)"]
        return title + TextTable(rows, rightAligned: [1, 2, 3, 4, 5]).indentedLines
    }
}
