import KodamaEvidence
public import KodamaLanguage

/// Two settings under the same weather as pieces of a page: what differs, gates, curves, parts of reconnects.
public struct SettingPair {
    private let left: ScenarioReport
    private let right: ScenarioReport
    private let objectives: [Objective]
    private let figures: [[Evaluation.ObjectiveFigure]]
    private let comparison: ReportComparison
    private let metrics: [String]

    /// A seed worth looking at closely.
    public struct WorstSeed: Sendable, Equatable, Encodable {
        /// The seed.
        public var seed: UInt64
        /// Why, in a few words.
        public var reason: String
    }

    /// Sets two settings side by side.
    ///
    /// - Parameters:
    ///   - left: The runs of the one.
    ///   - right: Those of the other, of the same seeds.
    ///   - evaluations: The figures of both.
    ///   - objectives: What the evaluations measured.
    ///   - metrics: The metrics whose curves are drawn besides those of gates and objectives.
    public init(
        _ left: ScenarioReport,
        _ right: ScenarioReport,
        _ evaluations: [Evaluation],
        of objectives: [Objective],
        metrics: [String]
    ) {
        self.left = left
        self.right = right
        self.objectives = objectives
        figures = evaluations.map(\.objectives)
        comparison = ReportComparison(
            RunReport([left], material: "", options: nil),
            RunReport([right], material: "", options: nil)
        )
        let gated = (left.points + right.points).flatMap(\.gates).map(\.metric)
        self.metrics = (figures.flatMap { $0.map(\.metric) } + gated + metrics).distinct
    }

    /// The metrics of which there is a curve to draw, in the order of the list of metrics.
    public var drawable: [String] {
        (left.points + right.points).flatMap(\.metrics).filter { $0.cumulative != nil }
            .map(\.name).distinct
    }

    /// The seeds that are worst on either side, and the one that differs most; the first seed without any.
    public var worstSeeds: [WorstSeed] {
        var worst: [WorstSeed] = []
        func add(_ seed: UInt64?, _ reason: String) {
            guard let seed, !worst.contains(where: { $0.seed == seed }) else { return }
            worst.append(WorstSeed(seed: seed, reason: reason))
        }
        let changes = comparison.points.flatMap(\.gated)
        add(changes.first { $0.most != nil }?.most?.seed, "differs most")
        for (side, name) in [(left, "left"), (right, "right")] {
            let gates = side.points[0].gates.filter { $0.worst != nil }
            let gate = gates.min { SlackTable.Slack($0) < SlackTable.Slack($1) }
            add(gate?.worst?.seed, "worst on the \(name): \(gate?.metric ?? "")")
            let broken = side.points[0].invariants.first { $0.violations > 0 }
            add(broken?.first?.seed, "breaks \(broken?.name ?? "") on the \(name)")
        }
        add(left.points[0].runs.first?.seed, "the first")
        return worst
    }

    /// One sentence on both verdicts and on what differs between them.
    public var summary: String {
        let verdicts = [("left", left), ("right", right)].map { name, side in
            "\(name) \(side.verdict.word)"
        }.joined(separator: ", ")
        guard let point = comparison.points.first, !point.isEqual else {
            return "\(verdicts); no difference in any run"
        }
        let words: [(FigureChange.Judgement, String)] = [
            (.regression, "surely worse on the right"), (.undecided, "too few seeds to tell"),
            (.better, "better on the right"), (.moved, "moved, within chance or the margin"),
        ]
        let open = point.gated.filter(\.isTurnedOpen)
        let told = words.map { judgement, word in
            (point.gated.filter { $0.judgement == judgement && !$0.isTurnedOpen }.count, word)
        }
        let counts = (told + [(open.count, "undecided only on the right")]).filter { $0.0 > 0 }
            .map { "\(counted($0.0, "gated figure")) \($0.1)" }
        return "\(verdicts); "
            + (counts.isEmpty ? "no gated figure differs" : counts.joined(separator: ", "))
    }

    /// Gates and invariants of both with their slack, and what they stand on.
    public var gatesHTML: String {
        var html = Markup()
        let (old, new) = (left.points[0], right.points[0])
        func rows(_ name: String, _ left: [Markup.Cell], _ right: [Markup.Cell]) -> [[Markup.Cell]]
        {
            [[Markup.Cell(name), "left"] + left, [Markup.Cell(name), "right"] + right]
        }
        var all = zip(old.gates, new.gates).flatMap { one, other in
            rows("\(one.metric) \(one.rule)", cells(one), cells(other))
        }
        all += old.invariants.flatMap { one in
            new.invariant(named: one.name).map { rows(one.name, cells(one), cells($0)) } ?? []
        }
        guard !all.isEmpty else {
            html.element("p", "The scenario expects nothing; choose metrics to draw.")
            return html.text
        }
        html.table(
            ["gate", "side", "verdict", "value", "interval", "slack", "samples"],
            all,
            caption: "Gates with their slack, as a share of the limit; negative beyond it"
        )
        for (side, point) in [("left", old), ("right", new)] {
            for gate in point.gates where gate.noDataReason != nil || gate.verdict == .undecided {
                html.element("p", "\(side): \(gate.metric) \(gate.sentence)", "class=\"soft\"")
            }
        }
        return html.text
    }

    private func cells(_ gate: GateReport) -> [Markup.Cell] {
        [
            Markup.Cell(gate.verdict.mark, style: gate.verdict.rawValue),
            Markup.Cell(gate.texts.value, number: gate.value, style: "number"),
            Markup.Cell(gate.intervalText ?? "-", style: "number"),
            Markup.Cell(SlackTable.Slack(gate).text, style: "number"),
            Markup.Cell(
                gate.countsText
                    + (gate.samples < gate.samplesNeeded ? ", needs \(gate.samplesNeeded)" : ""),
                number: Int64(gate.samples),
                style: "number"
            ),
        ]
    }

    private func cells(_ invariant: InvariantReport) -> [Markup.Cell] {
        [
            Markup.Cell(invariant.verdict.mark, style: invariant.verdict.rawValue),
            Markup.Cell("\(invariant.violations) broken", style: "number"),
            Markup.Cell("-", style: "number"), Markup.Cell("-", style: "number"),
            Markup.Cell("\(invariant.checked)", style: "number"),
        ]
    }

    /// What differs, seed by seed.
    public var changesHTML: String {
        var html = Markup()
        guard let point = comparison.points.first else { return "" }
        let changes = point.gated + point.shownFree
        guard !changes.isEmpty else {
            html.element(
                "p",
                point.isEqual ? "Every run is the same on both sides." : "No figure differs."
            )
            return html.text
        }
        html.table(
            ["figure", "left", "right", "difference", "of seeds", "verdict"],
            changes.map { change in
                [
                    Markup.Cell("\(change.metric) \(change.rule ?? change.figure)"),
                    Markup.Cell(change.texts.before, number: change.before, style: "number"),
                    Markup.Cell(change.texts.after, number: change.after, style: "number"),
                    Markup.Cell(change.difference, style: "number"),
                    Markup.Cell(change.seedsText),
                    Markup.Cell(change.judgement.rawValue),
                ]
            },
            caption: "What differs from left to right, run by run under the same weather"
        )
        return html.text
    }

    /// The curves of both over each other: left dashed, right drawn through.
    public var curvesHTML: String {
        var html = Markup()
        let (old, new) = (left.points[0], right.points[0])
        for name in metrics {
            guard let one = old.metric(named: name), let other = new.metric(named: name),
                one.cumulative != nil, other.cumulative != nil
            else { continue }
            let finding = finding(name)
            html.element("figure") { html in
                html.element("figcaption", "\(name): \(finding)")
                CurvePicture(
                    [
                        CurvePicture.Curve(name: "right", metric: other, style: "a"),
                        CurvePicture.Curve(name: "left", metric: one, style: "b"),
                    ],
                    gates: new.gates.filter { $0.metric == name },
                    reaches: reaches(name)
                ).draw("\(name), left dashed and right drawn through", finding, into: &html)
            }
        }
        return html.text
    }

    /// The figures of a metric on both sides, with their intervals.
    private func figures(of name: String) -> [[Evaluation.ObjectiveFigure]] {
        figures.map { $0.filter { $0.metric == name } }
    }

    private func finding(_ name: String) -> String {
        let sides = figures(of: name)
        let texts = zip(["left", "right"], sides).map { side, figures in
            figures.map { figure in
                let value = figure.value.map(figure.unit.text) ?? "-"
                return "\(side) \(figure.figure) \(value)\(Self.ends(of: figure)) of "
                    + counted(figure.samples, "sample")
            }
        }
        let all = texts.flatMap(\.self)
        return all.isEmpty ? "left dashed, right drawn through" : all.joined(separator: "; ")
    }

    /// The interval in brackets; nothing without one.
    private static func ends(of figure: Evaluation.ObjectiveFigure) -> String {
        let text = figure.unit.text
        return switch (figure.interval?.lower, figure.interval?.upper) {
        case (let lower?, let upper?): " (\(text(lower)) to \(text(upper)))"
        case (let lower?, nil): " (\(text(lower)) or more)"
        case (nil, let upper?): " (\(text(upper)) or less)"
        case (nil, nil): ""
        }
    }

    private func reaches(_ name: String) -> [CurvePicture.Reach] {
        zip(["b", "a"], figures).flatMap { style, figures in
            zip(objectives, figures).compactMap { objective, figure -> CurvePicture.Reach? in
                guard figure.metric == name, let value = figure.value,
                    let interval = figure.interval, let perMille = objective.statistic.perMille
                else { return nil }
                return CurvePicture.Reach(
                    from: interval.lower,
                    value: value,
                    until: interval.upper,
                    perMille: perMille,
                    style: style
                )
            }
        }
    }

    /// Where the time of reconnects went, on either side.
    public var partsHTML: String {
        var html = Markup()
        for (name, side) in [("Left", left), ("Right", right)] {
            guard let picture = PartsPicture(side) else { continue }
            html.element("div") { html in
                html.element("h3", name)
                picture.draw(into: &html)
            }
        }
        return html.text
    }
}

extension Statistic {
    /// At which height of a curve the figure lies; `nil` if at none.
    fileprivate var perMille: Int? {
        switch self {
        case .quantile(let perMille): perMille
        case .maximum: 1_000
        case .minimum: 0
        case .mean, .value, .count, .shareAbove: nil
        }
    }
}
