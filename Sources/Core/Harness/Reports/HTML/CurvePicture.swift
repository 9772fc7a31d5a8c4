import KodamaEvidence

/// How many of the samples lie at or below each value, with the limits of gates as lines.
struct CurvePicture {
    /// One curve with its name in the legend.
    struct Curve {
        var name: String
        var metric: MetricReport
        /// `a` is drawn whole, `b` dashed.
        var style: String
    }

    /// A figure of a curve with its interval, drawn at its height.
    struct Reach {
        var from: Int64?
        var value: Int64
        var until: Int64?
        var perMille: Int
        /// That of its curve.
        var style: String
    }

    let unit: MetricUnit
    let curves: [Curve]
    private let reaches: [Reach]
    let gates: [GateReport]
    /// The picture's size in pixels.
    let width: Int
    let height: Int
    private let axis: FigureAxis

    private var left: Int { width < 400 ? 36 : 60 }
    private var bottom: Int { height - 26 }
    private var plotWidth: Int { width - left - 14 }

    init(
        _ curves: [Curve],
        gates: [GateReport],
        width: Int = 640,
        height: Int = 230,
        axis: FigureAxis? = nil,
        reaches: [Reach] = []
    ) {
        self.curves = curves
        self.reaches = reaches
        self.width = width
        self.height = height
        let unit = curves.first?.metric.unit ?? .count
        self.unit = unit
        self.gates = gates.filter { $0.unit == unit }
        self.axis =
            axis
            ?? Self.axis(
                of: curves.map(\.metric),
                middle: curves.first?.metric.figures?.p50,
                gates: gates,
                width: width
            )
    }

    /// One axis for the curves of a metric at several points, which are compared by eye.
    static func axis(of name: String, at points: [PointReport], width: Int) -> FigureAxis {
        let metrics = points.compactMap { $0.metric(named: name) }
        let middles = metrics.compactMap { $0.figures?.p50 }.sorted()
        return axis(
            of: metrics,
            middle: middles.isEmpty ? nil : middles[middles.count / 2],
            gates: points.flatMap(\.gates).filter { $0.metric == name },
            width: width
        )
    }

    private static func axis(
        of metrics: [MetricReport],
        middle: Int64?,
        gates: [GateReport],
        width: Int
    ) -> FigureAxis {
        let unit = metrics.first?.unit ?? .count
        let limits = gates.filter { $0.unit == unit }.map(\.limit)
        let left = width < 400 ? 36 : 60
        return FigureAxis(
            metrics.flatMap { $0.cumulative?.values ?? [] } + limits,
            middle: middle,
            width: (width - left - 14) * 10
        )
    }

    /// The picture; the finding stands in its description.
    func draw(_ title: String, _ finding: String, into html: inout Markup) {
        html.raw("<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" class=\"picture\">")
        html.element("title", title)
        html.element("desc", finding)
        drawGrid(&html)
        for gate in gates { drawLimit(gate, &html) }
        for curve in curves { drawCurve(curve, &html) }
        for reach in reaches { draw(reach, &html) }
        html.raw("</svg>\n")
    }

    /// A line from end to end, to the picture's edge where an end is open, with the figure on it.
    private func draw(_ reach: Reach, _ html: inout Markup) {
        let y = y(reach.perMille, of: 1_000) + (reach.style == "b" ? -30 : 30)
        var line = SVGPath()
        line.move(reach.from.map(x) ?? left * 10, y)
        line.horizontal(reach.until.map(x) ?? (left + plotWidth) * 10)
        html.raw("<path class=\"reach \(reach.style)\" d=\"\(line.data)\"/>")
        html.raw(
            "<circle class=\"reach \(reach.style)\" cx=\"\(PlotNumber.tenths(x(reach.value)))\""
        )
        html.raw(" cy=\"\(PlotNumber.tenths(y))\" r=\"4\"/>")
    }

    private func x(_ value: Int64) -> Int { left * 10 + axis.x(value) }

    private func y(_ count: Int, of total: Int) -> Int {
        bottom * 10 - FigureAxis.scaled(Int64(count), Int64(max(1, total)), (bottom - 8) * 10)
    }

    private func drawGrid(_ html: inout Markup) {
        var grid = SVGPath()
        for percent in [0, 25, 50, 75, 95, 100] {
            let y = y(percent, of: 100)
            grid.move(left * 10, y)
            grid.horizontal((left + plotWidth) * 10)
            guard percent != 95, width >= 400 || percent % 50 == 0 else { continue }
            html.raw("<text class=\"end\" x=\"\(left - 5)\" y=\"\(PlotNumber.tenths(y + 35))\">")
            html.raw("\(percent)\u{202F}%</text>")
        }
        var last = 0
        if axis.clipsLow {
            let label = "≤\u{202F}\(unit.text(axis.least))"
            html.raw("<text class=\"start\" x=\"\(left)\" y=\"\(height - 10)\">\(label)</text>")
            last = left * 10 + label.count * 2 * (width < 400 ? 32 : 44)
        }
        for tick in axis.ticks {
            let x = x(tick)
            grid.move(x, 80)
            grid.vertical(bottom * 10)
            // Labels keep off each other.
            let label = unit.text(tick)
            let reach = label.count * (width < 400 ? 32 : 44)
            guard x - reach > last, x + reach < width * 10 else { continue }
            last = x + reach
            html.raw("<text class=\"middle\" x=\"\(PlotNumber.tenths(x))\" y=\"\(height - 10)\">")
            html.raw("\(Markup.escaped(label))</text>")
        }
        html.raw("<path class=\"grid\" d=\"\(grid.data)\"/>")
    }

    private func drawLimit(_ gate: GateReport, _ html: inout Markup) {
        let x = x(gate.limit)
        var line = SVGPath()
        line.move(x, 80)
        line.vertical(bottom * 10)
        let isMissed = !gate.isGreen && gate.verdict != .undecided
        let style = isMissed ? "limit missed" : "limit"
        html.raw("<path class=\"\(style)\" d=\"\(line.data)\">")
        html.element("title", "\(gate.rule): \(gate.texts.value)")
        html.raw("</path>")
        guard width >= 400 else { return }
        let sign = gate.isGreen ? "✓ " : gate.verdict == .undecided ? "? " : "✗ "
        let label = sign + gate.rule
        // On the right of the line where it fits: some 9.5 units a letter on a phone.
        let isRight = x > width * 7 || x + 40 + label.count * 95 > width * 10
        let side = isRight ? "end" : "start"
        let row = gates.firstIndex { $0.rule == gate.rule } ?? 0
        let textX = PlotNumber.tenths(isRight ? x - 40 : x + 40)
        html.raw("<text class=\"\(side) on\" x=\"\(textX)\" y=\"\(bottom - 8 - row * 18)\">")
        html.raw("\(Markup.escaped(label))</text>")
    }

    private func drawCurve(_ curve: Curve, _ html: inout Markup) {
        guard let cumulative = curve.metric.cumulative, !cumulative.values.isEmpty else { return }
        let total = curve.metric.samples
        var path = SVGPath()
        path.move(left * 10, bottom * 10)
        var lastX = -10
        for (value, count) in zip(cumulative.values, cumulative.counts) {
            let x = x(value)
            // A step at most for each half pixel.
            guard x - lastX >= 5 || count == total else { continue }
            path.horizontal(x)
            path.vertical(y(count, of: total))
            lastX = x
        }
        path.horizontal((left + plotWidth) * 10)
        html.raw("<path class=\"curve \(curve.style)\" d=\"\(path.data)\">")
        html.element("title", curve.name)
        html.raw("</path>")
    }
}
