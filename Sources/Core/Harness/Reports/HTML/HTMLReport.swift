import KodamaEvidence

/// The report as one page: verdict and misses first, then each scenario with its pictures and numbers.
public struct HTMLReport {
    private let report: RunReport
    private let footer: String?
    private let sounds: String?

    /// Renders a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - manifest: What made it, for the last line.
    ///   - sounds: Where a page with the run's sounds lies, seen from this one.
    public init(_ report: RunReport, manifest: RunManifest? = nil, sounds: String? = nil) {
        self.report = report
        self.sounds = sounds
        footer = manifest?.line
    }

    /// The file's text.
    public var text: String {
        HTMLPage.text(title: title, footer: footer) { html in
            html.element("header") { html in
                html.element("h1", "Kodama report")
                let isOpen = report.isUndecided || report.tier != nil && report.isGreen
                let sign = isOpen ? "?" : report.isGreen ? "✓" : "✗"
                let word = isOpen ? "undecided" : report.isGreen ? "pass" : "fail"
                let style = "class=\"verdict \(word)\""
                html.element("p", "\(sign) \(report.verdictLine)", style)
                html.element("p", report.material, "class=\"soft\"")
                if let sounds {
                    let reference = Markup.escaped(SoundsPage.reference(sounds))
                    html.element("p") { html in
                        html.element("a", "Hear the phones", "href=\"\(reference)\"")
                    }
                }
            }
            html.element("main") { html in
                drawMisses(&html)
                html.element("h2", "Scenarios", "class=\"list\"")
                for (index, scenario) in report.scenarios.enumerated() {
                    ScenarioSection(scenario, index, of: report).draw(into: &html)
                }
            }
        }
    }

    /// The verdict, behind the scenarios' names where it names none itself.
    private var title: String {
        guard report.isGreen || report.tier == .explored else {
            return "Kodama: \(report.verdictLine)"
        }
        let (titles, most) = (report.titles, 3)
        let rest = titles.count > most ? " and \(titles.count - most) more" : ""
        return
            "Kodama: \(titles.prefix(most).joined(separator: ", "))\(rest): \(report.verdictLine)"
    }

    /// The scenarios that are not green: what fails before what is undecided, what is furthest beyond its limit first.
    private var wrong: [(offset: Int, element: ScenarioReport)] {
        let all = report.scenarios.enumerated().filter { !$0.element.ending.isGreen }
        return all.sorted { left, right in
            let (one, other) = (left.element, right.element)
            guard one.ending.isFailure == other.ending.isFailure else {
                return one.ending.isFailure
            }
            switch (one.worstSlack, other.worstSlack) {
            case (let slack?, let next?) where slack != next: return slack < next
            case (_?, nil): return true
            case (nil, _?): return false
            default: return left.offset < right.offset
            }
        }
    }

    private func drawMisses(_ html: inout Markup) {
        let wrong = wrong
        guard !wrong.isEmpty else { return }
        let titles = report.titles
        html.element("h2", "What is wrong")
        for (index, scenario) in wrong {
            html.element("article", "class=\"miss\"") { html in
                html.element("h3") { html in
                    html.element("a", titles[index], "href=\"#s\(index)\"")
                }
                for remark in scenario.endingRemarks { html.element("p", remark) }
                if let settings = scenario.presetLine {
                    html.element("p", settings, "class=\"soft\"")
                }
                var told: [Miss] = []
                for miss in scenario.misses {
                    MissView(miss, of: scenario, report, below: told).draw(into: &html)
                    told.append(miss)
                }
                for warning in scenario.about.warnings where report.isStrict {
                    html.element("p", warning)
                }
            }
        }
    }
}

/// One miss with the command that replays its worst run.
struct MissView {
    private let miss: Miss
    private let command: String?
    private let point: PointReport
    /// The run that shows it, if it is among those that were looked at closely.
    private let story: RunStory?
    /// Whether a miss above it is of the same moment of the same run.
    private let isTold: Bool
    /// Whether a miss above it has the same curve.
    private let isDrawn: Bool
    /// Whether a miss above it is of the same metric.
    private let isNamed: Bool

    init(
        _ miss: Miss,
        of scenario: ScenarioReport,
        _ report: RunReport,
        below others: [Miss] = []
    ) {
        self.miss = miss
        isTold = others.contains { $0.isShown(with: miss) }
        isDrawn = others.contains { $0.isDrawn(with: miss) }
        isNamed = others.contains { $0.name == miss.name }
        point = scenario.points[miss.point]
        command = report.replay(miss, of: scenario)
        story = scenario.stories?.first { $0.point == miss.point && $0.seed == miss.seed }
    }

    func draw(into html: inout Markup) {
        html.element("p") { html in
            html.element("strong", miss.verdict.mark, "class=\"\(miss.verdict.rawValue)\"")
            html.raw(" \(Markup.escaped("\(miss.name): \(miss.sentence)"))")
        }
        let meaning = miss.gate.flatMap { point.gates[$0].meaning }
        if let meaning, !isNamed { html.element("p", meaning, "class=\"soft\"") }
        if isTold {
            html.element("p", "the same moment as above", "class=\"soft\"")
        } else {
            for remark in remarks { html.element("p", remark, "class=\"soft\"") }
            if let surroundings { html.element("p", surroundings, "class=\"soft\"") }
            if let relatives { html.element("p", relatives, "class=\"soft\"") }
            if let account { draw(account, &html) }
            if let command { CommandView.draw(command, into: &html) }
        }
        if let gate = miss.gate, miss.verdict == .fail, !isDrawn {
            GateView(point.gates[gate], of: point).draw(into: &html)
        }
    }
}

extension ScenarioReport {
    /// How far the gate that is missed most is from its limit, if one is.
    fileprivate var worstSlack: SlackTable.Slack? { misses.first.flatMap(slack(of:)) }
}

extension Miss {
    /// Whether what is said about it is said about another one too.
    fileprivate func isShown(with other: Miss) -> Bool {
        moment != nil && moment == other.moment && point == other.point && seed == other.seed
    }

    /// Whether the picture of one is the picture of the other.
    fileprivate func isDrawn(with other: Miss) -> Bool {
        gate != nil && verdict == .fail && name == other.name && point == other.point
    }
}

extension MissView {
    /// What happened around it, in sentences.
    private var account: RunStory.Account? {
        story?.account.flatMap { $0.isAbout(miss.moment) && !$0.lines.isEmpty ? $0 : nil }
    }

    /// What else there is to say; without the record where sentences tell of it.
    private var remarks: [String] {
        let sample = miss.gate.flatMap { point.gates[$0].worst?.sample }
        guard account?.tellsMoment ?? false, let record = sample?.record else {
            return miss.remarks
        }
        return miss.remarks.map { $0.hasSuffix(record) ? String($0.dropLast(record.count)) : $0 }
    }

    private func draw(_ account: RunStory.Account, _ html: inout Markup) {
        html.element("ol", "class=\"told\"") { html in
            for line in account.lines {
                html.element("li") { html in
                    html.element("span", RunStory.Account.text(line.at), "class=\"soft\"")
                    let whom = line.component.map { "\($0): " } ?? ""
                    html.raw(Markup.escaped(" \(whom)\(line.text)"))
                }
            }
        }
    }

    /// What was done to the phones, and by whom, before it and meanwhile.
    private var surroundings: String? {
        guard let story, let moment = miss.moment else { return nil }
        let told = story.surroundings(of: moment)
        return told.isEmpty ? nil : "before it and meanwhile: \(told.joined(separator: "; "))"
    }

    private static let relativeCountMax = 6

    /// What the metrics say that are nearest by name to one without samples.
    private var relatives: String? {
        guard miss.verdict == .noData, miss.gate != nil else { return nil }
        let words = miss.name.split(separator: ".")
        func kinship(_ name: String) -> Int {
            zip(words, name.split(separator: ".")).prefix { $0 == $1 }.count
        }
        let others = point.metrics.filter { $0.name != miss.name && $0.samples > 0 }
        let nearest = others.map { kinship($0.name) }.max() ?? 0
        guard nearest > 0 else { return nil }
        let kin = others.filter { kinship($0.name) == nearest }.prefix(Self.relativeCountMax)
        let told = kin.map { metric in
            let figure = metric.value ?? metric.figures?.max
            let name = metric.value == nil ? "\(metric.name) max" : metric.name
            return "\(name) \(figure.map { metric.unit.text($0) } ?? "-")"
        }
        return "near it: \(told.joined(separator: ", "))"
    }
}

/// The curve of a gate's metric, or, of a share or a count, its figure run by run.
struct GateView {
    private let gate: GateReport
    private let point: PointReport

    init(_ gate: GateReport, of point: PointReport) {
        self.gate = gate
        self.point = point
    }

    func draw(into html: inout Markup) {
        let gates = point.gates.filter { $0.metric == gate.metric }
        let finding = gates.map { "\($0.rule): \($0.texts.value)" }.joined(separator: "; ")
        guard let metric = point.metric(named: gate.metric), metric.hasCurve else {
            if gate.samples == 0, gate.censored != nil {
                html.element("p", "\(gate.metric): samples \(gate.countsText)", "class=\"soft\"")
            }
            guard let strip = SeedPicture(gate, seeds: point.runs.map(\.seed)) else { return }
            html.element("figure") { html in
                html.element("figcaption", "\(gate.metric), run by run")
                strip.draw(into: &html)
            }
            return
        }
        html.element("figure") { html in
            html.element("figcaption", "\(gate.metric): \(finding)")
            CurvePicture(
                [CurvePicture.Curve(name: gate.metric, metric: metric, style: "a")],
                gates: gates
            ).draw(
                "How many samples of \(gate.metric) lie at or below each value",
                finding,
                into: &html
            )
        }
    }
}

/// A command to copy.
enum CommandView {
    static func draw(_ command: String, into html: inout Markup) {
        html.element("div", "class=\"command\"") { html in
            html.element("code", command)
        }
    }
}
