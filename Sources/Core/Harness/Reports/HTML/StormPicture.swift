import KodamaEvidence

/// How many attempts all clients together began in each second of a run.
struct StormPicture {
    private let attempts: RunStory.Counts
    private let most: Int
    private static let width = 640
    private static let height = 110
    private static let left = 46
    private static let bottom = 90
    /// Fewer attempts in a second are no storm.
    private static let stormCount = 4

    /// `nil` where few attempts come together.
    init?(_ story: RunStory) {
        guard let attempts = story.attempts, let most = attempts.counts.max(),
            most >= Self.stormCount
        else { return nil }
        self.attempts = attempts
        self.most = most
    }

    /// The picture; the finding stands in its description.
    func draw(into html: inout Markup) {
        let second =
            (attempts.counts.firstIndex(of: most) ?? 0)
            * Int(attempts.stepNanoseconds / 1_000_000_000)
        let finding =
            "At most \(counted(most, "attempt")) begin in one second, first at \(second) s."
        html.element("h5", "Attempts to connect, of all clients together")
        html.raw(
            "<svg viewBox=\"0 0 \(Self.width) \(Self.height)\" role=\"img\" class=\"picture\">"
        )
        html.element("title", "Attempts in each second")
        html.element("desc", finding)
        let plotWidth = (Self.width - Self.left - 14) * 10
        var path = SVGPath()
        for (index, count) in attempts.counts.enumerated() where count > 0 {
            let from = Self.left * 10 + index * plotWidth / attempts.counts.count
            let until = Self.left * 10 + (index + 1) * plotWidth / attempts.counts.count
            let tall = FigureAxis.scaled(Int64(count), Int64(most), (Self.bottom - 10) * 10)
            let top = Self.bottom * 10 - tall
            path.rectangle(from, top, max(from + 8, until - 3), Self.bottom * 10)
        }
        html.raw("<path class=\"bar\" d=\"\(path.data)\"/>")
        html.raw("<text class=\"end\" x=\"\(Self.left - 5)\" y=\"16\">\(most) per s</text>")
        html.raw("<text class=\"start\" x=\"\(Self.left)\" y=\"\(Self.height - 5)\">0 s</text>")
        let end = attempts.counts.count * Int(attempts.stepNanoseconds / 1_000_000_000)
        html.raw(
            "<text class=\"end\" x=\"\(Self.width - 14)\" y=\"\(Self.height - 5)\">\(end) s</text>"
        )
        html.raw("</svg>\n")
        html.element("p", finding, "class=\"finding\"")
    }
}
