import KodamaEvidence

/// Everything on one scenario.
struct ScenarioSection {
    private let scenario: ScenarioReport
    private let index: Int
    private let report: RunReport
    private let detail: Detail
    private static let seedCountMax = 12
    private static let suiteCount = 8
    private static let fullPointCountMax = 4

    /// How much is shown; with everything on each of many scenarios, a page is too large to open.
    private enum Detail {
        /// One of few.
        case whole
        /// One of many that is not as it should be.
        case suite
        /// One of many that is as it should be.
        case brief

        var recordCountMax: Int {
            switch self {
            case .whole: StoryTeller.recordCountMax
            case .suite: 24
            case .brief: 0
            }
        }
        var multipleCountMax: Int { self == .whole ? 24 : 6 }
    }

    init(_ scenario: ScenarioReport, _ index: Int, of report: RunReport) {
        self.scenario = scenario
        self.index = index
        self.report = report
        let isOfSuite = report.scenarios.count > Self.suiteCount
        detail = !isOfSuite ? .whole : scenario.ending.isGreen ? .brief : .suite
    }

    func draw(into html: inout Markup) {
        // Several scenarios may share a name; their files differ.
        let label = Markup.escaped("\(scenario.about.name), \(scenario.about.file)")
        let isOpen = report.scenarios.count == 1 ? " open" : ""
        html.element(
            "details",
            "class=\"scenario\" id=\"s\(index)\" aria-label=\"\(label)\"\(isOpen)"
        ) {
            html in
            html.element("summary") { html in
                let style = "class=\"\(scenario.ending.style)\""
                html.element("span", scenario.ending.mark(of: report.tier), style)
                html.raw(" ")
                html.element("h3", report.titles[index])
                html.element(
                    "span",
                    " \(gateCounts), \(counted(scenario.runCount, "run"))",
                    "class=\"soft\""
                )
            }
            if let summary = scenario.about.summary { html.element("p", summary) }
            html.element("p", scenario.headline, "class=\"soft\"")
            if let settings = scenario.settingsLine {
                html.element("p", "with \(settings)", "class=\"soft\"")
            }
            for remark in scenario.endingRemarks { html.element("p", remark) }
            if let passing = scenario.passingSentence { html.element("p", passing) }
            for warning in scenario.about.warnings { html.element("p", warning, "class=\"warn\"") }
            if scenario.about.sweep != nil {
                SweepView(scenario).draw(into: &html)
                drawMultiples(&html)
            } else if let point = scenario.points.first {
                drawGates(of: point, &html)
                // What went wrong, before how often it does.
                if !scenario.ending.isGreen { drawStories(&html) }
                drawCurves(of: point, &html)
            }
            if detail != .brief {
                drawParts(&html)
                drawChains(&html)
            }
            drawGroups(&html)
            if scenario.ending.isGreen || scenario.about.sweep != nil { drawStories(&html) }
            drawNumbers(&html)
        }
    }

    /// How many gates were kept, and of the others how many failed and how many could not be told.
    private var gateCounts: String {
        let gates = scenario.points.flatMap(\.gates)
        var words = "\(gates.filter(\.isGreen).count) of \(counted(gates.count, "gate")) kept"
        let rest: [(Verdict, String)] = [
            (.fail, "failed"), (.noData, "without data"), (.undecided, "undecided"),
        ]
        for (verdict, word) in rest {
            let count = gates.filter { $0.verdict == verdict && !$0.isGreen }.count
            if count > 0 { words += ", \(count) \(word)" }
        }
        return words
    }

    private func drawStories(_ html: inout Markup) {
        for story in (scenario.stories ?? []).prefix(detail == .whole ? .max : 1) {
            draw(story, &html)
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
                Markup.Cell(gate.countsText, number: Int64(gate.samples), style: "number"),
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
                Markup.Cell(invariant.first?.seed.map { "\($0)" } ?? "-", style: "number"),
                Markup.Cell((invariant.covers ?? []).joined(separator: " ")),
            ]
        }
        html.table(
            ["gate", "verdict", "rule", "value", "interval", "samples", "worst seed", "covers"],
            rows,
            caption: "Gates and invariants"
        )
    }

    private func drawCurves(of point: PointReport, _ html: inout Markup) {
        for name in curveNames(of: point) {
            guard let metric = point.metric(named: name) else { continue }
            let gates = point.gates.filter { $0.metric == name }
            html.element("figure") { html in
                let finding = gates.map { "\($0.rule): \($0.texts.value)" }.joined(separator: "; ")
                html.element("figcaption", "\(name): \(finding)")
                if metric.hasCurve {
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
                if let strip, detail != .brief {
                    SeedPicture(strip, seeds: point.runs.map(\.seed))?.draw(into: &html)
                }
            }
        }
    }

    /// The gated metrics; in brief the one that is nearest to its limit.
    private func curveNames(of point: PointReport) -> [String] {
        guard detail == .brief else { return point.gates.map(\.metric).distinct }
        return point.gates.filter { point.metric(named: $0.metric)?.hasCurve ?? false }
            .min { SlackTable.Slack($0) < SlackTable.Slack($1) }.map { [$0.metric] } ?? []
    }

    /// A small curve for each point of a sweep, those of a metric to one scale.
    private func drawMultiples(_ html: inout Markup) {
        guard detail != .brief else { return }
        let names = scenario.points.flatMap { $0.gates.map(\.metric) }.distinct
        for name in names {
            let all = scenario.points.filter { $0.metric(named: name)?.hasCurve ?? false }
            guard !all.isEmpty else { continue }
            // Those that miss a gate of it first, for not all may be drawn.
            let isMissed = all.map { $0.gates.contains { $0.metric == name && $0.isMissed } }
            let points =
                zip(all, isMissed).filter(\.1).map(\.0) + zip(all, isMissed).filter { !$1 }.map(\.0)
            let drawn = Array(points.prefix(detail.multipleCountMax))
            let axis = CurvePicture.axis(of: name, at: drawn, width: Self.multipleWidth)
            html.element("h4", "\(name) at each point")
            html.element("div", "class=\"multiples\"") { html in
                for point in drawn {
                    guard let metric = point.metric(named: name) else { continue }
                    let gates = point.gates.filter { $0.metric == name }
                    let finding = gates.map { "\($0.rule): \($0.texts.value)" }
                        .joined(separator: "; ")
                    html.element("figure") { html in
                        CurvePicture(
                            [CurvePicture.Curve(name: name, metric: metric, style: "a")],
                            gates: gates,
                            width: Self.multipleWidth,
                            height: 130,
                            axis: axis
                        ).draw("\(name) at \(point.about.label)", finding, into: &html)
                        html.element("figcaption", point.about.label)
                    }
                }
            }
            let rest = points.count - detail.multipleCountMax
            if rest > 0 { html.element("p", "\(rest) more points are in the table alone.") }
        }
    }

    private static let multipleWidth = 260

    private func drawParts(_ html: inout Markup) {
        guard let picture = PartsPicture(scenario) else { return }
        html.element("figure") { html in picture.draw(into: &html) }
    }

    private func drawChains(_ html: inout Markup) {
        for picture in ChainPicture.all(scenario) {
            html.element("figure") { html in picture.draw(into: &html) }
        }
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
                    if !group.breaks.isEmpty { words += "; in the first \(group.breaks.course)" }
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
        StoryView(
            [story],
            command: command,
            isCoarse: detail != .whole,
            recordCountMax: detail.recordCountMax
        ).draw(into: &html)
    }

    /// Metrics with their percentiles, folded away: all of a single point, the gated ones of many.
    private func drawNumbers(_ html: inout Markup) {
        guard detail != .brief else {
            html.element(
                "p",
                "digest \(scenario.digest); more on a page of its own:",
                "class=\"soft\""
            )
            CommandView.draw(report.command(for: scenario), into: &html)
            return
        }
        let isShort = detail == .suite || scenario.points.count > Self.fullPointCountMax
        html.element("details") { html in
            html.element(
                "summary",
                "\(isShort ? "Gated metrics" : "All metrics") of \(scenario.about.name)"
            )
            // The map of a sweep has its figures already.
            let shown = detail == .suite && scenario.about.sweep != nil ? [] : scenario.points
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
                for line in point.metrics.compactMap(\.exclusionsText) {
                    html.element("p", line, "class=\"soft\"")
                }
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
                Markup.Cell(countsText, number: Int64(samples), style: "number"),
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
        case .undecided: "? undecided"
        case .noData: "? no data"
        case .fail: "✗ fail"
        }
    }
}
