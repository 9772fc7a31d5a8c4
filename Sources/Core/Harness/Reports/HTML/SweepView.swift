import KodamaEvidence

/// The gated figures of a sweep: by two names as a map whose shade grows with the figure, else as rows.
struct SweepView {
    private let scenario: ScenarioReport
    private let names: [String]
    /// How many shades a map has.
    static let shadeCount = 5

    init(_ scenario: ScenarioReport) {
        self.scenario = scenario
        names = scenario.about.sweep?.names ?? []
    }

    func draw(into html: inout Markup) {
        let gateCount = scenario.points.map(\.gates.count).min() ?? 0
        if scenario.about.sweep?.isGrid == true, names.count > 1 {
            for gate in 0..<gateCount { drawMap(gate, &html) }
        } else if gateCount > 0 {
            html.table(
                names + (0..<gateCount).map(title),
                scenario.points.map { point in
                    point.about.values.map { Markup.Cell($0.value) }
                        + (0..<gateCount).map { cell(point, $0) }
                },
                caption: "Gated figures at each point; the darker, the greater"
            )
        }
        let rows = scenario.invariantNames.map { name in
            let found = scenario.points.compactMap { $0.invariant(named: name) }
            let broken = found.map(\.violations).heldSum
            let verdict = found.map(\.verdict).max() ?? .noData
            return [
                Markup.Cell(name), Markup.Cell(verdict.mark, style: verdict.rawValue),
                Markup.Cell("\(broken) broken", style: "number"),
            ]
        }
        guard !rows.isEmpty else { return }
        html.table(
            ["invariant", "verdict", "violations"],
            rows,
            caption: "Invariants of all points"
        )
    }

    private func title(_ gate: Int) -> String {
        let rules = scenario.points.map { $0.gates[gate].rule }.distinct
        let first = scenario.points[0].gates[gate]
        return "\(first.metric) \(rules.count == 1 ? rules[0] : "\(first.figure) by point")"
    }

    private func drawMap(_ gate: Int, _ html: inout Markup) {
        let figures = scenario.points.map { figure($0.gates[gate]) }.distinct
        guard figures.count > 1 || scenario.points.count == 1 else {
            html.element("p", "\(title(gate)): \(figures.first ?? "-") at every point")
            return
        }
        SweepMap(names, scenario.points.map { $0.about.values.map(\.value) })
            .draw(caption: "\(title(gate)); the darker, the greater", into: &html) {
                cell(scenario.points[$0], gate)
            }
    }

    private func cell(_ point: PointReport, _ index: Int) -> Markup.Cell {
        let gate = point.gates[index]
        let all = scenario.points.compactMap { $0.gates[index].value }.map(FigureAxis.held)
        let (least, most) = (all.min() ?? 0, all.max() ?? 0)
        var style = "number"
        if let value = gate.value.map(FigureAxis.held), most > least {
            let shade = FigureAxis.scaled(value - least, most - least, Self.shadeCount - 1)
            style += " h\(shade)"
        }
        return Markup.Cell(figure(gate), number: gate.value, style: style)
    }

    private func figure(_ gate: GateReport) -> String {
        "\(gate.verdict == .pass ? "✓" : gate.verdict.mark) \(gate.texts.value)"
    }
}
