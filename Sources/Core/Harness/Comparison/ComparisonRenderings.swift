import KodamaEvidence

// The comparison as text, Markdown, JUnit XML and annotations.

extension FigureChange {
    /// The change in one line: the figure, both values, the difference and how the seeds moved.
    var summary: String {
        let head = "\(metric) \(rule ?? figure)"
        let basis = basis == .pooled ? "" : " (mean of the runs compared)"
        var line = "\(head): \(texts.before) → \(texts.after) (\(difference))\(basis), \(seedsText)"
        if let limitShare, limitShare > 0 {
            let share = MetricUnit.partsPerMillion.text(limitShare)
            line +=
                verdictBefore == .fail
                ? "; it failed before" : "; takes \(share) of the distance to its limit"
        }
        if let verdictBefore, let verdictAfter, verdictBefore != verdictAfter {
            line += "; \(verdictBefore.word) → \(verdictAfter.word)"
        }
        if let most {
            line += "; most in seed \(most.seed): \(text(most.before)) → \(text(most.after))"
        }
        return line
    }
}

extension PointComparison.InvariantChange {
    /// The change in one line.
    var line: String {
        "\(name): broken in \(counted(brokenBefore, "run")) → \(brokenAfter)"
            + (seed.map { "; newly in seed \($0)" } ?? "")
    }
}

/// The comparison as lines for people: what differs, each with the run that shows it most.
public struct ComparisonText {
    private let comparison: ReportComparison

    /// Renders a comparison.
    public init(_ comparison: ReportComparison) {
        self.comparison = comparison
    }

    /// The whole text, the verdict last.
    public var text: String {
        var lines: [String] = []
        for point in comparison.points where !point.isEqual {
            lines += section(on: point)
            lines.append("")
        }
        let lone = comparison.loneLines
        if !lone.isEmpty { lines += lone + [""] }
        lines.append(comparison.verdictLine)
        return lines.joined(separator: "\n")
    }

    private func section(on point: PointComparison) -> [String] {
        var lines = ["\(point.name): \(point.runsText)"]
        lines += point.remarks.map { "  \($0)" }
        for change in point.gated {
            lines.append("  \(change.judgement.rawValue): \(change.summary)")
            lines += command(change.most?.seed, point)
        }
        for invariant in point.invariants {
            lines.append("  \(invariant.isRegression ? "regression" : "better"): \(invariant.line)")
            lines += command(invariant.seed, point)
        }
        lines += point.shownFree.map { "  \($0.judgement.rawValue): \($0.summary)" }
        if let rest = point.freeRest { lines.append("  \(rest)") }
        if point.sameFigures > 0 {
            lines.append("  \(counted(point.sameFigures, "figure")) the same in every seed")
        }
        return lines
    }

    private func command(_ seed: UInt64?, _ point: PointComparison) -> [String] {
        seed.flatMap { comparison.replay($0, of: point) }.map { ["    replay with: \($0)"] } ?? []
    }
}

/// The comparison as Markdown, for pull requests.
public struct ComparisonMarkdown {
    private let comparison: ReportComparison

    /// Renders a comparison.
    public init(_ comparison: ReportComparison) {
        self.comparison = comparison
    }

    /// The text; what does not fit is left out, and said to be.
    public var text: String {
        var text = MarkdownText(byteCountMax: MarkdownReport.byteCountMax)
        text.add("## Kodama: \(MarkdownText.escaped(comparison.verdictLine))\n")
        let differing = comparison.points.filter { !$0.isEqual }
        // Regressions first: what does not fit is the least.
        let ordered = differing.filter(\.isRegression) + differing.filter { !$0.isRegression }
        text.list(ordered, rest: "more points differ") { section(on: $0) }
        for line in comparison.loneLines { text.add("\n\(MarkdownText.escaped(line))\n") }
        return text.text
    }

    private func section(on point: PointComparison) -> String {
        let sign = point.isRegression ? "✗" : point.isUndecided ? "?" : "✓"
        var text = "\n### \(sign) \(MarkdownText.escaped(point.name))\n\n"
        for remark in point.remarks { text += "\(MarkdownText.escaped(remark))\n\n" }
        if !point.changes.isEmpty {
            text +=
                "| | figure | before | after | difference | seeds |\n|---|---|---:|---:|---:|---|\n"
        }
        for change in point.gated + point.shownFree {
            let figures = [
                change.rule ?? change.figure, change.texts.before, change.texts.after,
                change.difference, change.seedsText,
            ]
            text += "| \(change.judgement.rawValue) | \(MarkdownText.code(change.metric)) "
            text += figures.map { MarkdownText.escaped($0) }.joined(separator: " | ") + " |\n"
        }
        if let rest = point.freeRest { text += "\n\(MarkdownText.escaped(rest))\n" }
        for invariant in point.invariants { text += "\n\(MarkdownText.escaped(invariant.line))\n" }
        let seeds =
            point.changes.filter { $0.judgement == .regression }.compactMap(\.most?.seed)
            + point.invariants.compactMap(\.seed)
        let commands = seeds.compactMap { comparison.replay($0, of: point) }.distinct
        guard !commands.isEmpty else { return text }
        return text + MarkdownText.console(commands)
    }
}

/// The comparison as JUnit XML: a suite per point, a case for each gated figure that differs.
public struct ComparisonJUnit {
    private let comparison: ReportComparison

    /// Renders a comparison.
    public init(_ comparison: ReportComparison) {
        self.comparison = comparison
    }

    /// The file's text.
    public var text: String {
        var suites = comparison.points.map(suite)
        if comparison.wantsAll, !comparison.missing.isEmpty {
            suites.append(
                JUnitSuite(
                    name: "missing",
                    remarks: [],
                    cases: comparison.missing.map { name in
                        JUnitCase(
                            name: name,
                            end: .failed("regression", "it is there before and not after")
                        )
                    }
                )
            )
        }
        return JUnitSuite.text(suites)
    }

    private func suite(_ point: PointComparison) -> JUnitSuite {
        func more(_ seed: UInt64?) -> [String] {
            seed.flatMap { comparison.replay($0, of: point) }.map { ["replay with: \($0)"] } ?? []
        }
        var cases = point.gated.map { change in
            JUnitCase(
                name: "\(change.metric) \(change.rule ?? change.figure)",
                line: change.line,
                file: change.file,
                end: change.judgement == .regression
                    ? .failed("regression", change.summary)
                    : change.judgement == .undecided
                        ? .skipped("undecided: \(change.summary)") : .passed,
                more: more(change.most?.seed)
            )
        }
        cases += point.invariants.map { invariant in
            JUnitCase(
                name: "\(invariant.name) always",
                end: invariant.isRegression ? .failed("regression", invariant.line) : .passed,
                more: more(invariant.seed)
            )
        }
        cases += point.missedGates.map { gate in
            JUnitCase(
                name: "\(gate.metric) \(gate.before ?? "")",
                end: .failed("regression", "the gate is there before and not after")
            )
        }
        cases += point.missedInvariants.map { name in
            JUnitCase(
                name: "\(name) always",
                end: .failed("regression", "the invariant is there before and not after")
            )
        }
        cases += point.silenced.map { name in
            JUnitCase(name: name, end: .failed("regression", PointComparison.silence))
        }
        // A suite without cases would not show that the point was compared.
        if cases.isEmpty { cases = [JUnitCase(name: "no gated figure differs", end: .passed)] }
        return JUnitSuite(name: point.name, remarks: point.remarks, cases: cases)
    }
}

/// The comparison as annotations of GitHub Actions: an error on the gate's line per regression.
public struct ComparisonAnnotations {
    private let comparison: ReportComparison

    /// Renders a comparison.
    public init(_ comparison: ReportComparison) {
        self.comparison = comparison
    }

    /// The commands, a line each; nothing if nothing regressed.
    public var text: String {
        var lines: [String] = []
        for point in comparison.points {
            let file = comparison.after.scenarios[point.keyAfter.scenario].about.file
            func line(_ words: String, _ change: FigureChange?, _ seed: UInt64?) -> String {
                let command = seed.flatMap { comparison.replay($0, of: point) }
                let text = words + (command.map { "\nreplay with: \($0)" } ?? "")
                return GitHubAnnotations.line(
                    isError: true,
                    file: change?.file ?? file,
                    line: change?.line,
                    title: point.name,
                    text
                )
            }
            for change in point.gated where change.judgement == .regression {
                lines.append(line(change.summary, change, change.most?.seed))
            }
            for invariant in point.invariants where invariant.isRegression {
                lines.append(line(invariant.line, nil, invariant.seed))
            }
            lines += point.missedGates.map { line($0.line, nil, nil) }
            lines += point.missedInvariants.map { line("invariant gone: \($0)", nil, nil) }
            lines += point.silenced.map { line("\(PointComparison.silence): \($0)", nil, nil) }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
