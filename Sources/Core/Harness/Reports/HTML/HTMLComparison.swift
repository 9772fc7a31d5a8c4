import KodamaEvidence

/// A comparison as one page: what got worse first, then each point with two curves, and two runs one above
/// the other.
public struct HTMLComparison {
    private let comparison: ReportComparison
    private let footer: String?
    /// The number of points from which on curves of points without a regression are left out.
    private static let fullPointCountMax = 12
    /// The number of points that got worse whose curves are drawn.
    private static let curvedPointCountMax = 40

    /// Renders a comparison.
    ///
    /// - Parameters:
    ///   - comparison: The comparison.
    ///   - manifest: What made the report after, for the last line.
    public init(_ comparison: ReportComparison, manifest: RunManifest? = nil) {
        self.comparison = comparison
        footer = manifest?.line
    }

    /// The file's text.
    public var text: String {
        let title = "Kodama: \(comparison.verdictLine)"
        let holdsSound = comparison.stories.contains { $0.heard != nil }
        return HTMLPage.text(title: title, footer: footer, holdsSound: holdsSound) { html in
            html.element("header") { html in
                html.element("h1", "Kodama comparison")
                let isOpen = comparison.isUndecided
                let sign = comparison.isRegression ? "✗" : isOpen ? "?" : "✓"
                let style = comparison.isRegression ? "fail" : isOpen ? "undecided" : "pass"
                html.element("p", "\(sign) \(comparison.verdictLine)", "class=\"verdict \(style)\"")
            }
            html.element("main") { html in
                let differing = comparison.points.filter { !$0.isEqual }
                let isFull = differing.count <= Self.fullPointCountMax
                for scenario in comparison.after.scenarios.indices {
                    ComparisonMaps(comparison, scenario: scenario)?.draw(into: &html)
                }
                for (index, point) in ordered(differing).enumerated() {
                    // The worst first, each with its curves; more of them make a page too large to open.
                    draw(
                        point,
                        isFull: isFull || point.isRegression && index < Self.curvedPointCountMax,
                        &html
                    )
                }
                for (names, words) in [
                    (comparison.before.notRun ?? [], "Before interrupted, not done"),
                    (comparison.after.notRun ?? [], "After interrupted, not done"),
                    (comparison.missing, "Only before"), (comparison.added, "Only after"),
                ] where !names.isEmpty {
                    html.element("h2", words)
                    html.element("p", names.joined(separator: ", "))
                }
            }
        }
    }

    /// Regressions first, then what is undecided, each the one that takes most of its limit first.
    private func ordered(_ points: [PointComparison]) -> [PointComparison] {
        func rank(_ point: PointComparison) -> (Int, Int64) {
            let worst = point.gated.map { $0.limitShare ?? 0 }.max() ?? 0
            return (point.isRegression ? 2 : point.isUndecided ? 1 : 0, worst)
        }
        return points.enumerated().sorted { one, other in
            let (left, right) = (rank(one.element), rank(other.element))
            return left == right ? one.offset < other.offset : left > right
        }.map(\.element)
    }

    private func draw(_ point: PointComparison, isFull: Bool, _ html: inout Markup) {
        let isOpen = isFull ? " open" : ""
        html.element("details", "class=\"scenario\"\(isOpen)") { html in
            html.element("summary") { html in
                let isOpen = point.isUndecided && !point.isRegression
                html.element(
                    "span",
                    point.isRegression ? "✗ worse" : isOpen ? "? undecided" : "✓ no worse",
                    "class=\"\(point.isRegression ? "fail" : isOpen ? "undecided" : "pass")\""
                )
                html.raw(" ")
                html.element("h2", point.name)
                html.element("span", " \(point.runsText)", "class=\"soft\"")
            }
            for remark in point.remarks { html.element("p", remark) }
            if isFull { drawCurves(point, &html) }
            drawTable(point, &html)
            drawCommands(point, &html)
            for pair in comparison.stories where pair.name == point.name {
                draw(pair, point, &html)
            }
        }
    }

    /// The gated changes, the greatest in units of its limit first.
    private func shown(_ point: PointComparison) -> [FigureChange] {
        point.gated.enumerated().sorted { one, other in
            let ranks = [one, other].map { entry in
                (entry.element.judgement == .regression ? 1 : 0, abs(entry.element.limitShare ?? 0))
            }
            return ranks[0] == ranks[1] ? one.offset < other.offset : ranks[0] > ranks[1]
        }.map(\.element)
    }

    private func drawTable(_ point: PointComparison, _ html: inout Markup) {
        guard !point.changes.isEmpty || !point.invariants.isEmpty else { return }
        var rows: [[Markup.Cell]] = (shown(point) + point.shownFree).map {
            change in
            let sign = [.regression: "✗ ", .undecided: "? "][change.judgement] ?? ""
            let mark = sign + change.judgement.rawValue
            let style = [.regression: "fail", .undecided: "undecided"][change.judgement] ?? ""
            return [
                Markup.Cell("\(change.metric) \(change.rule ?? change.figure)"),
                Markup.Cell(mark, style: style),
                Markup.Cell(change.texts.before, number: change.before, style: "number"),
                Markup.Cell(change.texts.after, number: change.after, style: "number"),
                Markup.Cell(change.difference, style: "number"),
                Markup.Cell(change.seedsText),
                Markup.Cell(change.most.map { "\($0.seed)" } ?? "-", style: "number"),
            ]
        }
        rows += point.invariants.map { invariant in
            [
                Markup.Cell(invariant.name),
                Markup.Cell(
                    invariant.isRegression ? "✗ regression" : "better",
                    style: invariant.isRegression ? "fail" : ""
                ),
                Markup.Cell("\(invariant.brokenBefore) broken", style: "number"),
                Markup.Cell("\(invariant.brokenAfter) broken", style: "number"), "-", "-",
                Markup.Cell(invariant.seed.map { "\($0)" } ?? "-", style: "number"),
            ]
        }
        html.table(
            ["figure", "verdict", "before", "after", "difference", "seeds", "most in seed"],
            rows,
            caption: point.changes.first?.basis == .meanOfSeeds
                ? "What differs; means over the runs compared"
                : "What differs, pooled over all runs"
        )
        if let rest = point.freeRest { html.element("p", rest, "class=\"soft\"") }
    }

    private func drawCommands(_ point: PointComparison, _ html: inout Markup) {
        let seeds =
            point.changes.filter { $0.judgement == .regression }.compactMap(\.most?.seed)
            + point.invariants.compactMap(\.seed)
        let commands = seeds.compactMap { comparison.replay($0, of: point) }.distinct
        for command in commands { CommandView.draw(command, into: &html) }
    }

    private func drawCurves(_ point: PointComparison, _ html: inout Markup) {
        let old = comparison.before.scenarios[point.keyBefore.scenario].points[
            point.keyBefore.point
        ]
        let new = comparison.after.scenarios[point.keyAfter.scenario].points[point.keyAfter.point]
        for name in point.gated.map(\.metric).distinct {
            guard let before = old.metric(named: name), let after = new.metric(named: name),
                before.cumulative != nil, after.cumulative != nil
            else { continue }
            let finding = point.gated.filter { $0.metric == name }.map(\.summary)
                .joined(separator: "; ")
            html.element("figure") { html in
                html.element("figcaption", "\(name): before dashed, after drawn through")
                CurvePicture(
                    [
                        CurvePicture.Curve(name: "after", metric: after, style: "a"),
                        CurvePicture.Curve(name: "before", metric: before, style: "b"),
                    ],
                    gates: new.gates.filter { $0.metric == name }
                ).draw("\(name) before and after", finding, into: &html)
            }
        }
    }

    private func draw(
        _ pair: ReportComparison.StoryPair,
        _ point: PointComparison,
        _ html: inout Markup
    ) {
        html.element("h3", "Seed \(pair.after.seed), before and after")
        let command = comparison.replay(pair.after.seed, of: point)
        StoryView([pair.before, pair.after], names: ["before", "after"], command: command)
            .draw(into: &html)
        guard let heard = pair.heard else { return }
        HearingView(heard, names: ["before", "after"], seed: pair.after.seed).draw(into: &html)
    }
}
