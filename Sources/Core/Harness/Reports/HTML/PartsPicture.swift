import KodamaEvidence

/// Where the time of reconnects went: stacked bars of the mean, of a median run and of a bad one.
struct PartsPicture {
    private struct Bar {
        var label: String
        var parts: [Int64]
        var whole: Int64 { parts.heldSum }
    }

    private let names: [String]
    private let bars: [Bar]
    /// How many points of a sweep have no bar.
    private var omittedCount = 0
    private static let width = 640
    private static let left = 120
    private static let rowHeight = 26

    private static let barCountMax = 24

    /// `nil` of a scenario without reconnects; of a sweep there is a bar for the mean at each point.
    init?(_ scenario: ScenarioReport) {
        let points = scenario.points.filter { !$0.reconnectParts.isEmpty }
        guard let first = points.first else { return nil }
        if scenario.points.count == 1 {
            self.init(first)
        } else {
            self.init(Array(points.prefix(Self.barCountMax)))
            omittedCount = max(0, points.count - Self.barCountMax)
        }
    }

    private init?(_ points: [PointReport]) {
        let means = points.map { point in
            Dictionary(point.reconnectParts.map { ($0.name, $0.figures.mean) }) { first, _ in first
            }
        }
        let all = points.flatMap { $0.reconnectParts.filter { !$0.isWhole }.map(\.name) }.distinct
        names = all.filter { name in means.contains { ($0[name] ?? 0) > 0 } }
        guard !names.isEmpty else { return nil }
        let names = names
        bars = zip(points, means).map { point, means in
            Bar(
                label: point.about.values.map(\.value).joined(separator: " "),
                parts: names.map { means[$0] ?? 0 }
            )
        }
    }

    private init?(_ point: PointReport) {
        let all = point.reconnectParts
        let parts = all.filter { !$0.isWhole && $0.figures.sum > 0 }
        guard !parts.isEmpty else { return nil }
        names = parts.map(\.name)
        var bars = [Bar(label: "mean", parts: parts.map(\.figures.mean))]
        let sums = (all.first(where: \.isWhole)?.sums ?? []).enumerated()
            .compactMap { index, sum in sum.map { (index: index, sum: $0) } }
            .sorted { ($0.sum, $0.index) < ($1.sum, $1.index) }
        // By nearest rank among the runs with a reconnect.
        for (label, perMille) in [("median run", 500), ("p99 run", 990)] where sums.count > 1 {
            let rank = max(1, (sums.count * perMille + 999) / 1_000)
            let run = sums[rank - 1].index
            bars.append(
                Bar(
                    label: "\(label), seed \(point.runs[run].seed)",
                    parts: parts.map { $0.sums[run] ?? 0 }
                )
            )
        }
        self.bars = bars
    }

    /// The picture, its legend and its numbers.
    func draw(into html: inout Markup) {
        let height = bars.count * Self.rowHeight + 8
        html.element("h4", "Where the time of reconnects went")
        html.raw("<svg viewBox=\"0 0 \(Self.width) \(height)\" role=\"img\"")
        html.raw(" class=\"picture bars\">")
        html.element("title", "Parts of reconnects")
        html.element("desc", finding)
        let longest = max(1, bars.map(\.whole).max() ?? 1)
        for (row, bar) in bars.enumerated() {
            let top = row * Self.rowHeight + 4
            html.raw("<text class=\"end\" x=\"\(Self.left - 6)\" y=\"\(top + 14)\">")
            html.raw("\(Markup.escaped(bar.label))</text>")
            var passed: Int64 = 0
            for (index, part) in bar.parts.enumerated() where part > 0 {
                let width = (Self.width - Self.left - 70) * 10
                let from = Self.left * 10 + FigureAxis.scaled(passed, longest, width)
                passed = [passed, part].heldSum
                let until = Self.left * 10 + FigureAxis.scaled(passed, longest, width)
                html.raw(
                    "<rect class=\"part p\(index % 10)\" x=\"\(PlotNumber.tenths(from))\" y=\"\(top)\""
                )
                html.raw(" width=\"\(PlotNumber.tenths(max(2, until - from)))\" height=\"18\">")
                html.element("title", "\(names[index]): \(MetricUnit.nanoseconds.text(part))")
                html.raw("</rect>")
            }
            let end =
                Self.left * 10
                + FigureAxis.scaled(bar.whole, longest, (Self.width - Self.left - 70) * 10) + 50
            html.raw("<text class=\"start\" x=\"\(PlotNumber.tenths(end))\" y=\"\(top + 14)\">")
            html.raw("\(MetricUnit.nanoseconds.text(bar.whole))</text>")
        }
        html.raw("</svg>\n")
        html.element("p", finding, "class=\"finding\"")
        html.element("p") { html in
            for (index, name) in names.enumerated() {
                html.element("span", name, "class=\"key p\(index % 10)\"")
                html.raw(" ")
            }
        }
        html.table(
            ["reconnects"] + names,
            bars.map { bar in
                [Markup.Cell(bar.label)]
                    + bar.parts.map { .figure($0) { MetricUnit.nanoseconds.text($0) } }
            },
            caption: "Parts of reconnects: means, of a run the sum over its reconnects"
        )
        if omittedCount > 0 {
            let points = counted(omittedCount, "more point")
            html.element("p", "\(points) with reconnects: report.json has them.", "class=\"soft\"")
        }
    }

    private var finding: String {
        let mean = bars.max { $0.whole < $1.whole } ?? bars[0]
        let most = mean.parts.enumerated().max { ($0.element, $1.offset) < ($1.element, $0.offset) }
        guard let most, mean.whole > 0 else { return "" }
        let share = FigureAxis.scaled(most.element, mean.whole, 100)
        return "Of \(mean.label), \(share) % of the time goes into \(names[most.offset])."
    }
}
