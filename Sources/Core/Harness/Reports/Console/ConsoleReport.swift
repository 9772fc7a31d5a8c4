import KodamaEvidence

/// The table that people read: one row per gate or swept value, then each miss, the verdict last.
public struct ConsoleReport {
    let report: RunReport
    private let showsMetrics: Bool
    /// The names of the metrics that are shown, if not all of them.
    private let shown: [String]
    private let showsTrades: Bool
    /// Whether a scenario that passes is one line, and any other its misses.
    private let isFolded: Bool

    /// Renders a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - showsMetrics: Whether every metric is shown, gated or not.
    ///   - shown: Metrics that are shown in any case, by name.
    ///   - showsTrades: Whether of a sweep also those figures are shown that differ without a gate.
    ///   - isFolded: Whether a scenario that passes is one line, and any other its misses.
    public init(
        _ report: RunReport,
        showsMetrics: Bool = false,
        shown: [String] = [],
        showsTrades: Bool = false,
        isFolded: Bool = false
    ) {
        self.report = report
        self.showsMetrics = showsMetrics
        self.shown = shown
        self.showsTrades = showsTrades
        self.isFolded = isFolded
    }

    /// The whole report.
    public var text: String {
        ([head] + sections + [report.verdictLine]).joined(separator: "\n")
    }

    /// What was heard and coded, with an empty line behind it.
    public var head: String { report.material + "\n" }

    /// A section on each scenario, with an empty line behind it.
    public var sections: [String] {
        report.scenarios.map { scenario in
            guard isFolded else { return section(on: scenario).joined(separator: "\n") + "\n" }
            return folded(scenario).joined(separator: "\n")
        }
    }

    /// The verdict on everything.
    public var verdict: String { report.verdictLine }

    /// A scenario in one line, and its misses.
    private func folded(_ scenario: ScenarioReport) -> [String] {
        let gates = scenario.points.flatMap(\.gates).map(\.isGreen)
        let rules =
            gates + scenario.points.flatMap(\.invariants).map { $0.verdict == .pass }
        let kept = "\(rules.filter(\.self).count) of \(counted(rules.count, "rule")) kept"
        return [
            "\(scenario.ending.word(of: report.tier))  \(scenario.about.name): \(scenario.headline), \(kept)"
        ]
            + foldedMisses(of: scenario) + scenario.endingRemarks.map { "  " + $0 }
            + scenario.about.warnings
    }

    /// The misses of a scenario in one line: what it is documented to miss is none.
    private func foldedMisses(of scenario: ScenarioReport) -> [String] {
        guard scenario.ending == .failedAsExpected else { return misses(of: scenario) }
        return lines(on: scenario.misses.filter { $0.verdict != .fail }, of: scenario)
    }

    /// Everything on one scenario.
    func section(on scenario: ScenarioReport) -> [String] {
        var lines = ["\(scenario.about.name): \(scenario.headline), digest \(scenario.digest)"]
        lines += scenario.settingsLine.map { ["  with \($0)"] } ?? []
        lines += SweepTable(scenario)?.lines ?? scenario.points.flatMap(gates)
        if showsTrades { lines += TradeTable(scenario)?.lines ?? [] }
        lines += ReconnectTable(scenario).lines
        lines += ChainTable(scenario).lines
        lines += misses(of: scenario)
        lines += scenario.endingRemarks.map { "  " + $0 }
        if showsMetrics || !shown.isEmpty {
            lines +=
                !showsMetrics && scenario.points.count > 1
                ? shown.distinct.flatMap { table(of: $0, in: scenario) }
                : scenario.points.flatMap(metrics)
        }
        return lines + scenario.about.warnings
    }

    private func gates(of point: PointReport) -> [String] {
        guard point.isGated else { return [] }
        var rows = [["", "metric", "rule", "value", "samples", "covers"]]
        for gate in point.gates {
            rows.append([
                gate.verdict.word, gate.metric, gate.rule, gate.texts.value,
                gate.countsText, gate.covers.joined(separator: " "),
            ])
        }
        for invariant in point.invariants {
            rows.append([
                invariant.verdict.word, invariant.name, "always",
                "\(invariant.violations) broken", "\(invariant.checked)",
                (invariant.covers ?? []).joined(separator: " "),
            ])
        }
        return TextTable(rows, rightAligned: [3, 4]).indentedLines
    }

    /// Every metric of which there is a sample, gated or not, pooled over the runs.
    private func metrics(of point: PointReport) -> [String] {
        var rows = [["measured"] + Self.columns]
        for metric in point.metrics where showsMetrics || shown.contains(metric.name) {
            rows.append([metric.name] + Self.cells(of: metric))
        }
        for name in shown.distinct where point.metric(named: name) == nil {
            rows.append([name] + Self.cells(of: nil))
        }
        let title = point.about.values.isEmpty ? [] : ["  at \(point.about.label)"]
        let excluded = point.metrics.filter { showsMetrics || shown.contains($0.name) }
            .compactMap(\.exclusionsText)
        return title + TextTable(rows, rightAligned: [1, 2, 3, 4, 5]).indentedLines
            + excluded.map { "  " + $0 }
    }

    /// One metric at all points of a sweep, a row per point.
    private func table(of name: String, in scenario: ScenarioReport) -> [String] {
        let names = scenario.about.sweep?.names ?? []
        let rows = scenario.points.map { point in
            point.about.values.map(\.value) + Self.cells(of: point.metric(named: name))
        }
        let right = Set(names.count..<names.count + Self.columns.count)
        return ["  \(name)"]
            + TextTable([names + Self.columns] + rows, rightAligned: right).indentedLines
    }

    private static let columns = ["value", "p50", "p95", "max", "samples"]

    /// A metric's figures under `columns`; of one without a sample there are none.
    private static func cells(of metric: MetricReport?) -> [String] {
        guard let metric else { return ["", "", "", "", "0"] }
        let figures = metric.figures
        return [metric.value, figures?.p50, figures?.p95, figures?.max].map {
            $0.map(metric.unit.text) ?? ""
        } + [metric.countsText]
    }
}
