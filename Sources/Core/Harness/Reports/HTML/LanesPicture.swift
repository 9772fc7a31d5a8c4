import KodamaEvidence

/// One run over time: for each component what it did, said and heard, its packets and faults under it.
struct LanesPicture {
    private let story: RunStory
    /// What the run is shown for first, then its components.
    private let lanes: [RunStory.Lane]
    private let label: String
    private let height: Int
    /// Whether what needs no words is drawn without them.
    private let isCoarse: Bool
    private static let width = 1_000
    private static let left = 132
    private static let rowHeight = 16
    private static let laneGap = 22
    private static let axisHeight = 22
    /// The plot's own units across, for the script that zooms.
    private static let units = 10_000

    /// - Parameters:
    ///   - story: The run.
    ///   - name: What it is called beside another run of its seed.
    ///   - isCoarse: Whether it is one of many: what is as it should be is drawn without words.
    init(_ story: RunStory, name: String = "", isCoarse: Bool = false) {
        self.story = story
        self.isCoarse = isCoarse
        label = "seed \(story.seed)" + (name.isEmpty ? "" : " \(name)")
        lanes = [story.samples].compactMap(\.self) + story.lanes
        let rows = lanes.reduce(0) { $0 + $1.rows.count }
        height = Self.axisHeight + lanes.count * Self.laneGap + rows * Self.rowHeight + 6
    }

    /// The picture; its numbers are the records below it.
    func draw(into html: inout Markup) {
        html.raw(
            "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"Lanes of \(label)\">"
        )
        html.raw("<svg viewBox=\"0 0 \(Self.width) \(height)\" role=\"img\" class=\"lanes\"")
        html.raw(" data-duration=\"\(story.durationNanoseconds)\"")
        if let opening = story.opening {
            html.raw(" data-from=\"\(opening.from)\" data-until=\"\(opening.until)\"")
        }
        html.raw(">")
        html.element(
            "title",
            "Seed \(story.seed) over \(MetricUnit.nanoseconds.text(story.durationNanoseconds))"
        )
        html.element("desc", finding)
        var labels = Markup()
        var plot = Markup()
        var top = Self.axisHeight
        for lane in lanes {
            labels.raw(
                "<text class=\"lane\" x=\"2\" y=\"\(top + 15)\">\(Markup.escaped(lane.name))</text>"
            )
            top += Self.laneGap
            for row in lane.rows {
                labels.raw("<text class=\"end\" x=\"\(Self.left - 6)\" y=\"\(top + 12)\">")
                labels.raw("\(Markup.escaped(row.label))</text>")
                draw(row, top, &plot, &labels)
                top += Self.rowHeight
            }
        }
        drawAxis(&plot, &labels)
        let plotWidth = Self.width - Self.left
        html.raw("<svg class=\"plot\" x=\"\(Self.left)\" y=\"0\" width=\"\(plotWidth)\"")
        html.raw(" height=\"\(height)\" viewBox=\"0 0 \(Self.units) \(height)\"")
        html.raw(" preserveAspectRatio=\"none\">")
        html.raw(plot.text)
        html.raw("</svg>")
        html.raw(labels.text)
        html.raw("</svg></div>\n")
    }

    private var finding: String {
        let bands = story.lanes.flatMap { lane in lane.rows.flatMap(\.bands) }
        let worst = bands.filter { $0.tone == .bad }
            .max { ($0.length, $1.from) < ($1.length, $0.from) }
        guard let worst else { return "Nothing in it is marked as trouble." }
        let unit = MetricUnit.nanoseconds
        return "The longest trouble is \(worst.label), for \(unit.text(worst.length)) "
            + "from \(unit.text(worst.from)) on."
    }

    /// Where an instant lies in the plot's units.
    private func x(_ instant: Int64) -> Int {
        let instant = min(max(0, instant), story.durationNanoseconds)
        return FigureAxis.scaled(instant, max(1, story.durationNanoseconds), Self.units)
    }

    private func draw(_ row: RunStory.Row, _ top: Int, _ plot: inout Markup, _ labels: inout Markup)
    {
        let wordless: [RunStory.Tone] = isCoarse ? [.good, .speech] : []
        for tone in wordless {
            draw(row.bands.filter { $0.tone == tone }, tone, of: row.label, top, &plot)
        }
        for (index, band) in row.bands.enumerated() where !wordless.contains(band.tone) {
            let (from, until) = (x(band.from), x(band.until))
            let next = row.bands.dropFirst(index + 1).first.map { x($0.from) } ?? Self.units
            let width = max(8, until - from)
            plot.raw("<rect class=\"\(band.tone.rawValue)\" x=\"\(from)\" y=\"\(top + 2)\"")
            plot.raw(" width=\"\(width)\" height=\"\(Self.rowHeight - 4)\">")
            let length = MetricUnit.nanoseconds.text(band.length)
            plot.element(
                "title",
                "\(band.label), \(length) from \(MetricUnit.nanoseconds.text(band.from))"
            )
            plot.raw("</rect>")
            // Only where the words fit, also beside what begins meanwhile; the script takes them away when it zooms.
            let free = min(width, max(0, next - from))
            let room = free * (Self.width - Self.left) / Self.units
            guard band.tone != .speech, band.tone != .good, room > band.label.count * 6 + 4 else {
                continue
            }
            let textX = Self.left + from * (Self.width - Self.left) / Self.units + 4
            labels.raw("<text class=\"in\" x=\"\(textX)\" y=\"\(top + 12)\">")
            labels.raw("\(Markup.escaped(band.label))</text>")
        }
        for mark in row.marks {
            let x = x(mark.at)
            plot.raw("<rect class=\"mark\" x=\"\(max(0, x - 6))\" y=\"\(top + 1)\" width=\"12\"")
            plot.raw(" height=\"\(Self.rowHeight - 2)\">")
            plot.element("title", "\(mark.label), at \(MetricUnit.nanoseconds.text(mark.at))")
            plot.raw("</rect>")
        }
        let most = row.counts.flatMap(\.counts).max() ?? 0
        for counts in row.counts where most > 0 { draw(counts, most, top, &plot) }
    }

    /// Stretches of one tone as one shape.
    private func draw(
        _ bands: [RunStory.Band],
        _ tone: RunStory.Tone,
        of label: String,
        _ top: Int,
        _ plot: inout Markup
    ) {
        guard !bands.isEmpty else { return }
        let tall = Self.rowHeight - 4
        let shapes = bands.map { band in
            let (from, until) = (x(band.from), x(band.until))
            return "M\(from) \(top + 2)h\(max(8, until - from))v\(tall)H\(from)z"
        }
        plot.raw("<path class=\"\(tone.rawValue)\" d=\"\(shapes.joined())\">")
        plot.element("title", label)
        plot.raw("</path>")
    }

    private func draw(_ counts: RunStory.Counts, _ most: Int, _ top: Int, _ plot: inout Markup) {
        var path = ""
        let heights = counts.counts.map { count in
            count > 0 ? max(1, FigureAxis.scaled(Int64(count), Int64(most), Self.rowHeight - 2)) : 0
        }
        var index = 0
        while index < heights.count {
            // Neighbours of one height are one shape.
            let tall = heights[index]
            let end = heights[index...].firstIndex { $0 != tall } ?? heights.count
            let from = x(counts.stepNanoseconds.times(Int64(index)))
            let until = x(counts.stepNanoseconds.times(Int64(end)))
            if tall > 0 {
                path += "M\(from) \(top + Self.rowHeight)v-\(tall)h\(max(1, until - from))v\(tall)z"
            }
            index = end
        }
        let style = counts.label == "dropped" ? "bad" : "count"
        plot.raw("<path class=\"\(style)\" d=\"\(path)\">")
        plot.element("title", "packets \(counts.label)")
        plot.raw("</path>")
    }

    private func drawAxis(_ plot: inout Markup, _ labels: inout Markup) {
        let seconds = max(1, story.durationNanoseconds / 1_000_000_000)
        let steps: [Int64] = [
            1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600,
        ]
        // A tick a day, but no more than some hundred.
        let step = steps.first { seconds / $0 <= 10 } ?? 86_400 * max(1, seconds / 8_640_000)
        var ticks = ""
        for second in stride(from: 0, through: Int(seconds), by: Int(step)) {
            let x = x(Int64(second) * 1_000_000_000)
            ticks += "M\(x) \(Self.axisHeight - 4)h4V\(height - 4)h-4z"
            let label = PlotNumber.clock(seconds: second, upTo: Int(seconds))
            let textX = Self.left + x * (Self.width - Self.left) / Self.units
            let side = second == 0 ? "start" : textX > Self.width - 24 ? "end" : "middle"
            labels.raw("<text class=\"\(side) in\" x=\"\(textX)\" y=\"12\">\(label)</text>")
        }
        plot.raw("<path class=\"tick\" d=\"\(ticks)\"/>")
    }
}
