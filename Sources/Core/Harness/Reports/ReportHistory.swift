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
        /// percent; where that lies beyond the limit by how many percent of the limit, and of itself where the
        /// limit is nothing.
        var moved: Int64 {
            guard let first = values.compactMap(\.self).first, let last = values.last ?? nil else {
                return .max
            }
            let harm = gate.distance(of: last).minus(gate.distance(of: first))
            let slack = max(0, Int64(0).minus(gate.distance(of: first))).magnitude
            let sizes: [UInt64] = [slack, gate.limit.magnitude, first.magnitude]
            let size = sizes.first(where: { $0 > 0 }) ?? 1
            let percent = (Double(harm) * 100 / Double(size)).rounded()
            return Int64(min(max(percent, -1e15), 1e15))
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
        let shared = reports.map { ReportComparison.sharedNames($0.report) }
            .reduce(into: Set()) { $0.formUnion($1) }
        let builds = reports.map { Self.entries(of: $0.report, shared) }
        let known = builds.map { entries in
            Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
        }
        let found = (builds.last ?? []).map { entry in
            Series(
                title: entry.title,
                gate: entry.gate,
                values: known.map { $0[entry.key].flatMap { $0.value(ofRuns: entry.runCount) } }
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

    /// A gate of a report, and what it is known by in others: not by its limit, which may change.
    private struct Entry {
        var key: String
        var title: String
        var gate: GateReport
        var runCount: Int

        /// The figure; of a sum over other runs as of so many.
        func value(ofRuns count: Int) -> Int64? {
            guard gate.isSum, count != runCount, runCount > 0, let value = gate.value else {
                return gate.value
            }
            return gate.figure(ofRunsLike: value, count) / Int64(runCount)
        }
    }

    private static func entries(of report: RunReport, _ shared: Set<String>) -> [Entry] {
        var counts: [String: Int] = [:]
        return zip(report.scenarios, report.titles).flatMap { scenario, title in
            scenario.points.flatMap { point in
                point.gates.map { gate in
                    let file = shared.contains(scenario.about.name) ? scenario.about.file : ""
                    let words = [
                        scenario.about.name, file, point.about.label, gate.metric, gate.figure,
                        gate.comparison.rawValue, gate.scope ?? "",
                    ]
                    let key = words.joined(separator: "\n")
                    // Two gates may bound one figure from the same side.
                    counts[key, default: 0] += 1
                    let label = [title, point.about.label].filter { !$0.isEmpty }
                    return Entry(
                        key: "\(key)\n\(counts[key] ?? 0)",
                        title: label.joined(separator: " "),
                        gate: gate,
                        runCount: point.runs.count
                    )
                }
            }
        }
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
