import KodamaEvidence

/// A chain of shares as bars that become shorter: what each link kept of all, and what it lost.
struct ChainPicture {
    private let chain: ChainReport
    private let label: String
    private static let width = 640
    private static let left = 150
    private static let right = 100
    private static let rowHeight = 24
    private static let pointCountMax = 8

    /// Makes a picture for each chain of each point, of many points of the first ones.
    static func all(_ scenario: ScenarioReport) -> [ChainPicture] {
        scenario.points.prefix(pointCountMax).flatMap { point in
            (point.chains ?? []).map { ChainPicture($0, at: point.about.label) }
        }
    }

    private init(_ chain: ChainReport, at label: String) {
        self.chain = chain
        self.label = label
    }

    /// The picture and its numbers; the finding stands in its description.
    func draw(into html: inout Markup) {
        let position = label.isEmpty ? "" : " at \(label)"
        let height = chain.links.count * Self.rowHeight + 8
        html.element("h4", "Chain of \(chain.name)\(position)")
        html.raw("<svg viewBox=\"0 0 \(Self.width) \(height)\" role=\"img\"")
        html.raw(" class=\"picture bars\">")
        html.element("title", "What each link kept of all \(chain.name)\(position)")
        html.element("desc", finding)
        for (row, link) in chain.links.enumerated() { draw(link, row, &html) }
        html.raw("</svg>\n")
        html.element("p", finding, "class=\"finding\"")
        drawTable(position, &html)
    }

    /// A bar for what was kept, and beside it what was lost.
    private func draw(_ link: ChainReport.Share, _ row: Int, _ html: inout Markup) {
        let top = row * Self.rowHeight + 4
        let plotWidth = (Self.width - Self.left - Self.right) * 10
        func x(_ count: Int64) -> Int {
            Self.left * 10 + FigureAxis.scaled(count, max(1, chain.whole.whole), plotWidth)
        }
        func bar(_ style: String, _ from: Int, _ until: Int, _ title: String) {
            guard until > from else { return }
            html.raw("<rect class=\"part \(style)\" x=\"\(PlotNumber.tenths(from))\" y=\"\(top)\"")
            html.raw(" width=\"\(PlotNumber.tenths(until - from))\" height=\"18\">")
            html.element("title", title)
            html.raw("</rect>")
        }
        bar("p0", x(0), x(link.part), "\(link.name): kept \(link.part)")
        bar("p3", x(link.part), x(link.whole), "\(link.name): lost \(link.lost)")
        html.raw("<text class=\"end\" x=\"\(Self.left - 6)\" y=\"\(top + 14)\">")
        html.raw("\(Markup.escaped(link.name))</text>")
        let share = MetricUnit.partsPerMillion.text(link.value)
        html.raw("<text class=\"start\" x=\"\(PlotNumber.tenths(x(link.whole) + 50))\"")
        html.raw(" y=\"\(top + 14)\">\(Markup.escaped(share))</text>")
    }

    private func drawTable(_ position: String, _ html: inout Markup) {
        html.table(
            ["link", "kept", "of", "share", "interval"],
            chain.shares.map { share in
                [
                    Markup.Cell(share.name),
                    .figure(share.part) { "\($0)" },
                    .figure(share.whole) { "\($0)" },
                    .figure(share.value, MetricUnit.partsPerMillion.text),
                    Markup.Cell(share.intervalText ?? "-", style: "number"),
                ]
            },
            caption: "Chain of \(chain.name)\(position): the links multiply to \(chain.whole.name)"
        )
    }

    private var finding: String {
        let worst = chain.links.max { $0.lost < $1.lost }
        let unit = MetricUnit.partsPerMillion
        let share = unit.text(chain.whole.value)
        var text = "Of \(chain.whole.whole) \(chain.name), \(share) came to the end."
        if let worst, worst.whole > worst.part {
            text += " Most were lost at '\(worst.name)': \(unit.text(chain.lost(at: worst)))."
        }
        guard let gap = chain.gapSentence else { return text }
        return text + " " + gap.prefix(1).uppercased() + gap.dropFirst() + "."
    }
}
