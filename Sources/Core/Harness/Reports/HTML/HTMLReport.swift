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
        HTMLPage.text(title: "Kodama: \(report.verdictLine)", footer: footer) { html in
            html.element("header") { html in
                html.element("h1", "Kodama report")
                let sign = report.isGreen ? "✓" : report.isUndecided ? "?" : "✗"
                let word = report.isGreen ? "pass" : report.isUndecided ? "undecided" : "fail"
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
                drawOverview(&html)
                html.element("h2", "Scenarios")
                for (index, scenario) in report.scenarios.enumerated() {
                    ScenarioSection(scenario, index, of: report).draw(into: &html)
                }
            }
        }
    }

    private func drawMisses(_ html: inout Markup) {
        let wrong = report.scenarios.enumerated().filter { !$0.element.ending.isGreen }
        guard !wrong.isEmpty else { return }
        let titles = report.titles
        html.element("h2", "What is wrong")
        for (index, scenario) in wrong {
            html.element("article", "class=\"miss\"") { html in
                html.element("h3") { html in
                    html.element("a", titles[index], "href=\"#s\(index)\"")
                }
                for remark in scenario.endingRemarks { html.element("p", remark) }
                for miss in scenario.misses {
                    MissView(miss, of: scenario, report).draw(into: &html)
                }
                for warning in scenario.about.warnings where report.isStrict {
                    html.element("p", warning)
                }
            }
        }
    }

    private func drawOverview(_ html: inout Markup) {
        guard report.scenarios.count > 1 else { return }
        let titles = report.titles
        html.element("h2", "All scenarios")
        html.element(
            "div",
            "class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"All scenarios\""
        ) { html in
            html.element("table") { html in
                html.raw("<thead><tr><th scope=\"col\">scenario</th><th scope=\"col\">verdict</th>")
                html.raw("<th scope=\"col\" class=\"number\">gates kept</th>")
                html.raw("<th scope=\"col\" class=\"number\">runs</th></tr></thead>\n")
                html.element("tbody") { html in
                    for (index, scenario) in report.scenarios.enumerated() {
                        let gates = scenario.points.flatMap(\.gates)
                        html.element("tr") { html in
                            html.element("th", "scope=\"row\"") { html in
                                html.element("a", titles[index], "href=\"#s\(index)\"")
                            }
                            let style = "class=\"\(scenario.ending.style)\""
                            html.element("td", scenario.ending.mark, style)
                            let kept = gates.filter(\.isGreen).count
                            html.element("td", "\(kept) of \(gates.count)", "class=\"number\"")
                            html.element("td", "\(scenario.runCount)", "class=\"number\"")
                        }
                    }
                }
            }
        }
    }
}

/// One miss with the command that replays its worst run.
struct MissView {
    private let miss: Miss
    private let command: String?

    init(_ miss: Miss, of scenario: ScenarioReport, _ report: RunReport) {
        self.miss = miss
        command = report.replay(miss, of: scenario)
    }

    func draw(into html: inout Markup) {
        html.element("p") { html in
            html.element("strong", miss.verdict.mark, "class=\"\(miss.verdict.rawValue)\"")
            html.raw(" \(Markup.escaped("\(miss.name): \(miss.sentence)"))")
        }
        for remark in miss.remarks { html.element("p", remark, "class=\"soft\"") }
        if let command { CommandView.draw(command, into: &html) }
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
