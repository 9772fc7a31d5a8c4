import KodamaEvidence

/// Each gate over several builds, from the reports that they left.
public struct ReportHistory {
    /// One gate of one point, build by build.
    private struct Series {
        var title: String
        var gate: GateReport
        /// The figure of each build; `nil` where it has none.
        var values: [Int64?]

        /// How much of the distance to the limit the figure moved since the first build that has one, in
        /// percent; without a distance by how many percent of the limit.
        var moved: Int64 {
            guard let first = values.compactMap(\.self).first, let last = values.last ?? nil else {
                return .max
            }
            let harm = gate.distance(of: last).minus(gate.distance(of: first))
            let slack = max(1, Int64(0).minus(gate.distance(of: first)))
            return Int64((Double(harm) * 100 / Double(slack)).rounded())
        }
    }

    private let names: [String]
    private let series: [Series]
    private let sameCount: Int

    /// Gathers the gates of the last report.
    ///
    /// - Parameter reports: The reports with what their builds are called, the oldest first.
    public init(_ reports: [(name: String, report: RunReport)]) {
        names = reports.map(\.name)
        func key(_ scenario: ScenarioReport, _ point: PointReport, _ gate: GateReport) -> String {
            [scenario.about.name, point.about.label, gate.metric, gate.rule].joined(separator: "\n")
        }
        func all(_ report: RunReport) -> [(key: String, title: String, gate: GateReport)] {
            zip(report.scenarios, report.titles).flatMap { scenario, title in
                scenario.points.flatMap { point in
                    point.gates.map { gate in
                        let label = [title, point.about.label].filter { !$0.isEmpty }
                        return (key(scenario, point, gate), label.joined(separator: " "), gate)
                    }
                }
            }
        }
        let values = reports.map { entry in
            Dictionary(all(entry.report).map { ($0.key, $0.gate.value) }) { first, _ in first }
        }
        let found = (reports.last.map { all($0.report) } ?? []).map { entry in
            Series(
                title: entry.title,
                gate: entry.gate,
                values: values.map { $0[entry.key] ?? nil }
            )
        }
        let differing = found.filter { Set($0.values).count > 1 }
        sameCount = found.count - differing.count
        // What moved furthest towards its limit comes first.
        series = differing.enumerated().sorted { one, other in
            let (left, right) = (one.element.moved, other.element.moved)
            return left == right ? one.offset < other.offset : left > right
        }.map(\.element)
    }

    private var rest: String { "\(counted(sameCount, "gate")) the same in every build" }

    /// The table: a row for each gate that differs, what moved furthest towards its limit first.
    public var text: String {
        guard !series.isEmpty else { return rest }
        var rows = [["scenario", "metric", "rule"] + names + ["moved"]]
        for one in series {
            let cells = one.values.map { $0.map { one.gate.unit.text($0) } ?? "-" }
            rows.append([one.title, one.gate.metric, one.gate.rule] + cells + [movedText(one)])
        }
        let right = Set(3..<4 + names.count)
        return (TextTable(rows, rightAligned: right).indentedLines + ["  \(rest)"])
            .joined(separator: "\n")
    }

    private func movedText(_ one: Series) -> String {
        one.moved == .max
            ? "-" : (one.moved > 0 ? "+" : one.moved < 0 ? "−" : "") + "\(one.moved.magnitude) %"
    }

    /// The page: a line for each gate that differs, with its limit.
    public var html: String {
        HTMLPage.text(title: "Kodama: gates over \(counted(names.count, "build"))", footer: nil) {
            html in
            html.element("header") { html in
                html.element("h1", "Gates over \(counted(names.count, "build"))")
                html.element("p", names.joined(separator: ", "), "class=\"soft\"")
                let words = "What moved furthest towards its limit comes first; \(rest)."
                html.element("p", words)
            }
            html.element("main", "class=\"multiples\"") { html in
                for one in series { draw(one, &html) }
            }
        }
    }

    private static let size = (width: 260, height: 96)

    private func draw(_ one: Series, _ html: inout Markup) {
        let (width, height) = Self.size
        let axis = FigureAxis(
            one.values.compactMap(\.self) + [one.gate.limit],
            middle: nil,
            width: (height - 16) * 10
        )
        func y(_ value: Int64) -> Int { (height - 8) * 10 - axis.x(value) }
        func x(_ index: Int) -> Int { 80 + index * (width - 16) * 10 / max(1, names.count - 1) }
        var (line, limit) = (SVGPath(), SVGPath())
        var isDown = false
        for (index, value) in one.values.enumerated() {
            guard let value else {
                isDown = false
                continue
            }
            if isDown { line.line(x(index), y(value)) } else { line.move(x(index), y(value)) }
            isDown = true
        }
        limit.move(80, y(one.gate.limit))
        limit.horizontal((width - 8) * 10)
        let figures = one.values.map { $0.map { one.gate.unit.text($0) } ?? "-" }
        html.element("figure") { html in
            html.raw("<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" class=\"picture\">")
            html.element("title", "\(one.gate.metric) \(one.gate.rule), \(one.title)")
            html.element("desc", figures.joined(separator: ", "))
            let style = one.gate.isGreen ? "limit" : "limit missed"
            html.raw("<path class=\"\(style)\" d=\"\(limit.data)\"/>")
            html.raw("<path class=\"curve\" d=\"\(line.data)\"/></svg>\n")
            let ends = "\(figures.first ?? "-") → \(figures.last ?? "-") (\(movedText(one)))"
            html.element("figcaption", "\(one.title): \(one.gate.metric) \(one.gate.rule): \(ends)")
        }
    }
}
