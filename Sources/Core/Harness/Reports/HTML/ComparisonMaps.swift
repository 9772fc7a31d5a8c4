import KodamaEvidence

/// The gated figures of a scenario swept by two names or more, before and after, as maps of its points.
struct ComparisonMaps {
    private let points: [PointComparison]
    private let values: [[String]]
    private let names: [String]
    private let title: String

    /// The maps of a scenario; `nil` if it is no grid, or if no gated figure differs at more than one of its points.
    ///
    /// - Parameters:
    ///   - comparison: The comparison.
    ///   - scenario: The index of the scenario in the report after.
    init?(_ comparison: ReportComparison, scenario: Int) {
        let about = comparison.after.scenarios[scenario].about
        points = comparison.points.filter { $0.keyAfter.scenario == scenario }
        guard let sweep = about.sweep, sweep.isGrid, sweep.names.count > 1,
            points.filter({ !$0.gated.isEmpty }).count > 1
        else { return nil }
        names = sweep.names
        title = about.name
        values = points.map { point in
            comparison.after.scenarios[scenario].points[point.keyAfter.point].about.values.map(
                \.value
            )
        }
    }

    /// Draws a map of each figure that differs somewhere.
    func draw(into html: inout Markup) {
        html.element("details", "class=\"scenario\" open") { html in
            html.element("summary") { html in
                html.element("h2", "\(title) by \(names.joined(separator: " and "))")
            }
            for figure in points.flatMap(\.gated).map(Self.name).distinct {
                SweepMap(names, values).draw(
                    caption:
                        "\(figure): from before to after; the darker, the more of its limit it takes",
                    into: &html
                ) { cell(points[$0], figure) }
            }
        }
    }

    private static func name(_ change: FigureChange) -> String {
        "\(change.metric) \(change.figure)"
    }

    private func cell(_ point: PointComparison, _ figure: String) -> Markup.Cell {
        guard let change = point.gated.first(where: { Self.name($0) == figure }) else {
            return Markup.Cell("=", style: "number")
        }
        let sign = [.regression: "✗ ", .undecided: "? "][change.judgement] ?? ""
        let share = max(0, change.limitShare ?? 0)
        let shade =
            share > 0 ? " h\(FigureAxis.scaled(share, 1_000_000, SweepView.shadeCount - 1))" : ""
        return Markup.Cell(sign + change.difference, style: "number" + shade)
    }
}
