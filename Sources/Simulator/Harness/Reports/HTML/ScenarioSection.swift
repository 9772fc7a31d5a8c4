import Evidence

/// Everything on one scenario.
struct ScenarioSection {
    private let scenario: ScenarioReport
    private let index: Int
    private let report: RunReport
    /// Whether it is one of many, of which the page shows less.
    private let isOfSuite: Bool
    private var recordCountMax: Int { isOfSuite ? 24 : StoryTeller.recordCountMax }

    private var multipleCountMax: Int { isOfSuite ? 6 : 24 }
    private static let seedCountMax = 12
    private static let suiteCount = 8
    private static let fullPointCountMax = 4

    init(_ scenario: ScenarioReport, _ index: Int, of report: RunReport) {
        self.scenario = scenario
        self.index = index
        self.report = report
        isOfSuite = report.scenarios.count > Self.suiteCount
    }

    func draw(into html: inout Markup) {
        html.element("section", "class=\"scenario\" id=\"s\(index)\" aria-labelledby=\"h\(index)\"")
        {
            html in
            let style = scenario.ending.isGreen ? "pass" : "fail"
            html.element("h3", "id=\"h\(index)\"") { html in
                html.element("span", scenario.ending.mark, "class=\"\(style)\"")
                html.raw(" \(Markup.escaped(scenario.about.name))")
            }
            if let summary = scenario.about.summary { html.element("p", summary) }
            html.element("p", scenario.headline, "class=\"soft\"")
            if let settings = scenario.settingsLine {
                html.element("p", "with \(settings)", "class=\"soft\"")
            }
            for remark in scenario.endingRemarks { html.element("p", remark) }
            for warning in scenario.about.warnings { html.element("p", warning, "class=\"warn\"") }
            if scenario.about.sweep != nil {
                SweepView(scenario).draw(into: &html)
                drawMultiples(&html)
            } else if let point = scenario.points.first {
                drawGates(of: point, &html)
                drawCurves(of: point, &html)
            }
            drawParts(&html)
            drawGroups(&html)
            for story in (scenario.stories ?? []).prefix(isOfSuite ? 1 : .max) {
                draw(story, &html)
            }
            drawNumbers(&html)
        }
    }

    private func drawGates(of point: PointReport, _ html: inout Markup) {
        guard point.isGated else { return }
        var rows: [[Markup.Cell]] = point.gates.map { gate in
            [
                Markup.Cell(gate.metric),
                Markup.Cell(gate.verdict.mark, style: gate.verdict.rawValue),
                Markup.Cell(gate.rule),
                Markup.Cell(gate.texts.value, number: gate.value, style: "number"),
                Markup.Cell(gate.intervalText ?? "-", style: "number"),
                Markup.Cell("\(gate.samples)", number: Int64(gate.samples), style: "number"),
                Markup.Cell(gate.worst.map { "\($0.seed)" } ?? "-", style: "number"),
                Markup.Cell(gate.covers.joined(separator: " ")),
            ]
        }
        rows += point.invariants.map { invariant in
            [
                Markup.Cell(invariant.name),
                Markup.Cell(invariant.verdict.mark, style: invariant.verdict.rawValue),
                "always",
                Markup.Cell(
                    "\(invariant.violations) broken",
                    number: Int64(invariant.violations),
                    style: "number"
                ),
                Markup.Cell("-", style: "number"),
                Markup.Cell(
                    "\(invariant.checked)",
                    number: Int64(invariant.checked),
                    style: "number"
                ),
                Markup.Cell(invariant.first?.seed.map { "\($0)" } ?? "-", style: "number"), "",
            ]
        }
        html.table(
            ["gate", "verdict", "rule", "value", "interval", "samples", "worst seed", "covers"],
            rows,
            caption: "Gates and invariants"
        )
    }

    private func drawCurves(of point: PointReport, _ html: inout Markup) {
        for name in point.gates.map(\.metric).distinct {
            guard let metric = point.metric(named: name) else { continue }
            let gates = point.gates.filter { $0.metric == name }
            html.element("figure") { html in
                let finding = gates.map { "\($0.rule): \($0.texts.value)" }.joined(separator: "; ")
                html.element("figcaption", "\(name): \(finding)")
                if metric.cumulative != nil {
                    CurvePicture(
                        [CurvePicture.Curve(name: name, metric: metric, style: "a")],
                        gates: gates
                    ).draw(
                        "How many samples of \(name) lie at or below each value",
                        finding,
                        into: &html
                    )
                }
                let strip = gates.first { !$0.isGreen } ?? gates.first
                if let strip {
                    SeedPicture(strip, seeds: point.runs.map(\.seed))?.draw(into: &html)
                }
            }
        }
    }

    /// A small curve for each point of a sweep.
    private func drawMultiples(_ html: inout Markup) {
        guard !isOfSuite || !scenario.ending.isGreen else { return }
        let names = scenario.points.flatMap { $0.gates.map(\.metric) }.distinct
        for name in names {
            let points = scenario.points.filter { $0.metric(named: name)?.cumulative != nil }
            guard !points.isEmpty else { continue }
            html.element("h4", "\(name) at each point")
            html.element("div", "class=\"multiples\"") { html in
                for point in points.prefix(multipleCountMax) {
                    guard let metric = point.metric(named: name) else { continue }
                    let gates = point.gates.filter { $0.metric == name }
                    let finding = gates.map { "\($0.rule): \($0.texts.value)" }
                        .joined(separator: "; ")
                    html.element("figure") { html in
                        CurvePicture(
                            [CurvePicture.Curve(name: name, metric: metric, style: "a")],
                            gates: gates,
                            width: 260,
                            height: 130
                        ).draw("\(name) at \(point.about.label)", finding, into: &html)
                        html.element("figcaption", point.about.label)
                    }
                }
            }
            let rest = points.count - multipleCountMax
            if rest > 0 { html.element("p", "\(rest) more points are in the table alone.") }
        }
    }

    private func drawParts(_ html: inout Markup) {
        guard let picture = PartsPicture(scenario) else { return }
        html.element("figure") { html in picture.draw(into: &html) }
    }

    /// The seeds that fail by themselves, those with the same cause together.
    private func drawGroups(_ html: inout Markup) {
        let groups = scenario.failingSeeds
        guard !groups.isEmpty else { return }
        html.element("h4", "Failing seeds by cause")
        html.element("ul") { html in
            for group in groups {
                html.element("li") { html in
                    let seeds = group.seeds.prefix(Self.seedCountMax).map { "\($0)" }
                    let more = group.seeds.count - seeds.count
                    let label = scenario.points[group.point].about.label
                    var words = group.cause + (label.isEmpty ? "" : " at \(label)")
                    words += ": \(counted(group.seeds.count, "seed")): "
                    words += seeds.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
                    html.element("p", words)
                    if let seed = group.seeds.first,
                        let command = report.replay(
                            seed,
                            of: scenario.points[group.point].about,
                            in: scenario.about
                        )
                    {
                        CommandView.draw(command, into: &html)
                    }
                }
            }
        }
    }

    private func draw(_ story: RunStory, _ html: inout Markup) {
        guard scenario.points.indices.contains(story.point) else { return }
        let about = scenario.points[story.point].about
        let command = report.replay(story.seed, of: about, in: scenario.about)
        let position = about.label.isEmpty ? "" : " at \(about.label)"
        html.element("h4", "Seed \(story.seed)\(position): \(story.reason)")
        StoryView([story], command: command, recordCountMax: recordCountMax).draw(into: &html)
    }

    /// Metrics with their percentiles, folded away: all of a single point, the gated ones of many.
    private func drawNumbers(_ html: inout Markup) {
        let isShort = isOfSuite || scenario.points.count > Self.fullPointCountMax
        html.element("details") { html in
            html.element(
                "summary",
                "\(isShort ? "Gated metrics" : "All metrics") of \(scenario.about.name)"
            )
            // The map of a sweep has its figures already.
            let shown = isOfSuite && scenario.about.sweep != nil ? [] : scenario.points
            for point in shown {
                let label = point.about.label
                let gated = Set(point.gates.map(\.metric))
                html.table(
                    [
                        "metric", "value", "min", "mean", "p50", "p90", "p95", "p99", "p99.9",
                        "max", "samples", "worst sample",
                    ],
                    point.metrics.filter { !isShort || gated.contains($0.name) }.map(\.cells),
                    caption: label.isEmpty
                        ? "Figures by nearest rank over all runs"
                        : "Figures by nearest rank at \(label)"
                )
                let settings = point.about.settings.map(\.description).joined(separator: ", ")
                if !settings.isEmpty { html.element("p", "with \(settings)", "class=\"soft\"") }
            }
            if isShort { html.element("p", "The report's JSON has all metrics.", "class=\"soft\"") }
            html.element("p", "digest \(scenario.digest)", "class=\"soft\"")
        }
    }
}

extension MetricReport {
    fileprivate var cells: [Markup.Cell] {
        let all = [
            value, figures?.min, figures?.mean, figures?.p50, figures?.p90, figures?.p95,
            figures?.p99, figures?.p999, figures?.max,
        ]
        return [Markup.Cell(name)] + all.map { .figure($0, unit.text) }
            + [
                Markup.Cell("\(samples)", number: Int64(samples), style: "number"),
                Markup.Cell(worst?.label ?? ""),
            ]
    }
}

extension LocatedSample {
    /// Where to look for it: the seed, when, and where.
    fileprivate var label: String { (seed.map { "seed \($0), " } ?? "") + occasion }
}

extension Verdict {
    /// The verdict in a word, with a sign that needs no colour.
    var mark: String {
        switch self {
        case .pass: "✓ pass"
        case .warn: "! warn"
        case .noData: "? no data"
        case .fail: "✗ fail"
        }
    }
}
