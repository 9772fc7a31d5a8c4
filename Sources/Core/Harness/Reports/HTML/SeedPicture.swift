import KodamaEvidence

/// A gate's figure in each run alone, in the order of the seeds, with the limit as a line.
struct SeedPicture {
    private let gate: GateReport
    private let seeds: [UInt64]
    private static let width = 640
    private static let height = 96
    private static let left = 60
    private static let bottom = 82
    /// With more runs than this, several share a column and the worst of them is drawn.
    private static let columnCountMax = 292

    /// - Parameters:
    ///   - gate: The gate, with its figure of each run.
    ///   - seeds: The runs' seeds.
    init?(_ gate: GateReport, seeds: [UInt64]) {
        guard seeds.count > 1, gate.bySeed.contains(where: { $0 != nil }) else { return nil }
        self.gate = gate
        self.seeds = seeds
    }

    /// The picture; the finding stands in its description.
    func draw(into html: inout Markup) {
        let missed = gate.bySeed.compactMap(\.self).filter { !isKept(by: $0) }
        let finding =
            missed.isEmpty
            ? "No run's own figure lies beyond the limit."
            : "The figure of \(missed.count) of \(counted(seeds.count, "run")) alone lies beyond the limit."
        let axis = FigureAxis(
            gate.bySeed.compactMap(\.self) + [limit],
            middle: nil,
            width: (Self.bottom - 6) * 10
        )
        html.raw(
            "<svg viewBox=\"0 0 \(Self.width) \(Self.height)\" role=\"img\" class=\"picture\">"
        )
        html.element("title", "\(gate.figure) of \(gate.metric), run by run")
        html.element("desc", finding)
        var grid = SVGPath()
        let y = Self.bottom * 10 - axis.x(limit)
        grid.move(Self.left * 10, y)
        grid.horizontal((Self.width - 14) * 10)
        html.raw("<path class=\"limit\" d=\"\(grid.data)\"/>")
        html.raw(
            "<text class=\"end\" x=\"\(Self.left - 5)\" y=\"\(PlotNumber.tenths(y + 35))\">"
        )
        let text = gate.isSum ? gate.unit.text(limit) : gate.texts.limit
        html.raw("\(Markup.escaped(text))</text>")
        drawRuns(axis, &html)
        for (seed, x, side) in [
            (seeds.first, Self.left, "start"), (seeds.last, Self.width - 14, "end"),
        ] {
            guard let seed else { continue }
            html.raw(
                "<text class=\"\(side)\" x=\"\(x)\" y=\"\(Self.height - 1)\">seed \(seed)</text>"
            )
        }
        html.raw("</svg>\n")
        html.element("p", finding, "class=\"finding\"")
    }

    /// The limit of one run alone: of a sum its share.
    private var limit: Int64 { gate.isSum ? gate.limit / Int64(seeds.count) : gate.limit }

    private func isKept(by figure: Int64) -> Bool {
        gate.comparison.holds(gate.figure(ofRunsLike: figure, seeds.count), gate.limit)
    }

    private func distance(of figure: Int64) -> Int64 {
        gate.distance(of: gate.figure(ofRunsLike: figure, seeds.count))
    }

    private func drawRuns(_ axis: FigureAxis, _ html: inout Markup) {
        let perColumn = (seeds.count + Self.columnCountMax - 1) / Self.columnCountMax
        let columnCount = (seeds.count + perColumn - 1) / perColumn
        let plotWidth = (Self.width - 14 - Self.left) * 10
        var (kept, missed) = (SVGPath(), SVGPath())
        for column in 0..<columnCount {
            let runs = column * perColumn..<min((column + 1) * perColumn, seeds.count)
            let figures = runs.compactMap { gate.bySeed[$0] }
            guard let worst = figures.max(by: { distance(of: $0) < distance(of: $1) })
            else { continue }
            let x = Self.left * 10 + (column * 2 + 1) * plotWidth / (columnCount * 2)
            let y = Self.bottom * 10 - axis.x(worst)
            if isKept(by: worst) {
                kept.rectangle(x - 18, y - 18, x + 18, y + 18)
            } else {
                // A shape of its own, so that colour is not all.
                missed.move(x - 28, y - 28)
                missed.line(x + 28, y + 28)
                missed.move(x + 28, y - 28)
                missed.line(x - 28, y + 28)
            }
        }
        html.raw("<path class=\"dot\" d=\"\(kept.data)\"/>")
        html.raw("<path class=\"cross\" d=\"\(missed.data)\"/>")
    }
}
