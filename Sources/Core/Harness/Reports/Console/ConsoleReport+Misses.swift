public import KodamaEvidence

extension ConsoleReport {
    /// Each miss with the command that repeats its worst run; of a sweep, at its worst point.
    func misses(of scenario: ScenarioReport) -> [String] {
        lines(on: scenario.misses, of: scenario) + scenario.firstBreaks.map { "  \($0)" }
    }

    /// Misses, each with the command that repeats its worst run.
    func lines(on misses: [Miss], of scenario: ScenarioReport) -> [String] {
        var lines: [String] = []
        for miss in misses {
            lines.append("  \(miss.verdict.word): \(miss.name): \(miss.sentence)")
            lines += miss.remarks.map { "    \($0)" }
            if let command = report.replay(miss, of: scenario) {
                lines.append("    replay with: \(command)")
            }
        }
        return lines
    }
}

extension RunReport {
    /// The command that repeats a miss's worst run around its worst moment, if one is wanted.
    func replay(_ miss: Miss, of scenario: ScenarioReport) -> String? {
        miss.seed.flatMap {
            let about = scenario.points[miss.point].about
            return replay($0, of: about, in: scenario.about, around: miss.moment)
        }
    }
}

/// A gate, an invariant or a trigger that deserves a word, at its worst point.
public struct Miss: Sendable, Equatable {
    /// The gate's metric, the invariant, or what the timeline waits for.
    public var name: String
    /// The worst verdict.
    public var verdict: Verdict
    /// The index of the worst point.
    public var point: Int
    /// The gate's index, if it is one.
    public var gate: Int?
    /// What is wrong, in a sentence; of a sweep, with how many points and which is worst.
    public var sentence: String
    /// What else there is to say.
    public var remarks: [String]
    /// The seed that shows it most.
    public var seed: UInt64?
    /// When it shows there, if that is known.
    public var moment: Moment?
    /// The index of what the timeline waits for, if it is that.
    public var trigger: Int?
}

extension ScenarioReport {
    /// What deserves a word, the worst first: by verdict, then gates by how far they are beyond their limit in units
    /// of the limit, then invariants and what the timeline waits for.
    public var misses: [Miss] {
        let gateCount = points.map(\.gates.count).min() ?? 0
        let triggerCount = points.map { $0.triggers?.count ?? 0 }.min() ?? 0
        let all =
            (0..<gateCount).compactMap(miss(gate:)) + invariantNames.compactMap(miss(invariant:))
            + (0..<triggerCount).compactMap(miss(trigger:))
        return all.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            guard one.verdict == other.verdict else { return one.verdict > other.verdict }
            if let first = slack(of: one), let second = slack(of: other), first != second {
                return first < second
            }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// How far a missed gate's figure is from its limit.
    func slack(of miss: Miss) -> SlackTable.Slack? {
        miss.gate.map { SlackTable.Slack(points[miss.point].gates[$0]) }
    }

    /// What the timeline waits for and never comes at a point.
    private func miss(trigger index: Int) -> Miss? {
        let missed = points.indices.filter { points[$0].triggers?[index].firedRuns == 0 }
        guard let first = missed.first, let trigger = points[first].triggers?[index] else {
            return nil
        }
        let runs = points[first].runs
        return Miss(
            name: trigger.name,
            verdict: missed.compactMap { points[$0].triggers?[index].verdict }.max() ?? .noData,
            point: first,
            gate: nil,
            sentence: share(missed.count, worst: first, "first")
                + trigger.sentence(of: runs.count),
            remarks: remark(onSeedsOf: points[first]).map { [$0] } ?? [],
            seed: runs.first?.seed,
            moment: nil,
            trigger: index
        )
    }

    private func miss(gate index: Int) -> Miss? {
        let missed = points.indices.filter { points[$0].gates[index].isMissed }
        // Without data counts as most.
        let worst = missed.max { left, right in
            let (one, other) = (points[left].gates[index], points[right].gates[index])
            guard one.verdict == other.verdict else { return one.verdict < other.verdict }
            return one.distance < other.distance
        }
        guard let worst else { return nil }
        let gate = points[worst].gates[index]
        return Miss(
            name: gate.metric,
            verdict: gate.verdict,
            point: worst,
            gate: index,
            sentence: share(missed.count, worst: worst) + gate.sentence,
            remarks: remarks(on: gate, of: points[worst]),
            seed: gate.worst?.seed ?? points[worst].runs.first?.seed,
            moment: gate.worst?.sample.map { Moment($0) }
        )
    }

    private func miss(invariant name: String) -> Miss? {
        let found = points.indices.compactMap { index in
            points[index].invariant(named: name).map { (index: index, report: $0) }
        }
        let missed = found.filter { $0.report.verdict != .pass }
        let worst = missed.max { $0.report.violations < $1.report.violations }
        guard let worst else { return nil }
        let first = worst.report.first
        return Miss(
            name: name,
            verdict: worst.report.verdict,
            point: worst.index,
            gate: nil,
            sentence: share(missed.count, worst: worst.index) + worst.report.sentence,
            remarks: first.map { ["first record: \(TraceText.squeezed($0.line))"] } ?? [],
            seed: first?.seed ?? points[worst.index].seed(breaking: name),
            moment: first?.instant.map { Moment(from: $0, until: $0) }
        )
    }

    /// Which point is spoken of, and how many others there are.
    private func share(_ missedCount: Int, worst: Int, _ word: String = "worst") -> String {
        let about = points[worst].about
        guard !about.values.isEmpty else { return "" }
        let share = "\(missedCount) of \(counted(points.count, "point"))"
        return "\(share), \(word) at \(about.label): "
    }

    /// Says where the worst sample arose, and that a sum, or a number of samples, is of other seeds than
    /// the rule was written for.
    private func remarks(on gate: GateReport, of point: PointReport) -> [String] {
        let unit = point.metric(named: gate.metric)?.unit ?? gate.unit
        let sample = gate.worst?.sample.map { "worst sample: \($0.sentence(in: unit))" }
        return [sample, remark(onSeedsOf: gate, point)].compactMap(\.self)
    }

    private func remark(onSeedsOf gate: GateReport, _ point: PointReport) -> String? {
        guard gate.isSum || gate.noDataReason == .tooFewSamples else { return nil }
        return remark(onSeedsOf: point)
    }

    private func remark(onSeedsOf point: PointReport) -> String? {
        let (ran, meant) = (point.runs.count, point.about.plannedSeeds)
        guard ran != meant else { return nil }
        return "counted over \(counted(ran, "seed")), where the scenario has \(meant)"
    }
}

extension PointReport {
    /// The first run that broke an invariant; without one, the first run.
    func seed(breaking invariant: String) -> UInt64? {
        (runs.first { $0.broken.contains(invariant) } ?? runs.first)?.seed
    }
}
