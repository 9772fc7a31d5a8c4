import Evidence
import Scenarios

extension ConsoleReport {
    /// Each miss with the command that repeats its worst run; of a sweep, at its worst point.
    func misses(of outcome: ScenarioOutcome) -> [String] {
        var lines: [String] = []
        let gateCount = outcome.points.map(\.judgement.gates.count).min() ?? 0
        for index in 0..<gateCount {
            let missed = outcome.points.filter {
                let gate = $0.judgement.gates[index]
                return !gate.isGreen || gate.verdict == .warn
            }
            guard let worst = Self.worst(of: missed, gate: index) else { continue }
            let gate = worst.judgement.gates[index]
            lines.append(
                "  \(gate.verdict.rawValue): \(gate.metric): "
                    + place(worst, among: missed, of: outcome) + sentence(on: gate)
            )
            lines += remark(on: gate, of: worst)
            let seed = gate.worst?.seed ?? worst.runs.first?.seed
            lines += replay(outcome, worst.point, seed: seed)
        }
        for name in outcome.invariantNames {
            let missed = outcome.points.filter {
                $0.invariant(named: name).map { $0.verdict != .pass } ?? false
            }
            guard
                let worst = missed.max(by: { $0.violations(of: name) < $1.violations(of: name) }),
                let invariant = worst.invariant(named: name)
            else { continue }
            lines.append(
                "  \(invariant.verdict.rawValue): \(invariant.result.name): "
                    + place(worst, among: missed, of: outcome) + sentence(on: invariant)
            )
            let first = invariant.result.violations.first
            if let first { lines.append("    first by: \(first.line)") }
            lines += replay(outcome, worst.point, seed: first?.seed ?? worst.runs.first?.seed)
        }
        return lines
    }

    /// The point at which a gate is missed most: without data counts as most.
    private static func worst(of points: [PointOutcome], gate index: Int) -> PointOutcome? {
        points.max { left, right in
            let (one, other) = (left.judgement.gates[index], right.judgement.gates[index])
            guard one.verdict == other.verdict else { return one.verdict < other.verdict }
            return one.distance < other.distance
        }
    }

    /// Which point is spoken of, and how many others there are.
    private func place(
        _ point: PointOutcome,
        among missed: [PointOutcome],
        of outcome: ScenarioOutcome
    ) -> String {
        guard !point.point.values.isEmpty else { return "" }
        let share = "\(missed.count) of \(counted(outcome.points.count, "point"))"
        return "\(share), worst at \(point.point.label): "
    }

    private func sentence(on gate: GateResult) -> String {
        if let reason = gate.noDataReason {
            let needed = "\(gate.samples) of at least \(gate.gate.minimumSamples)"
            let detail = reason == .tooFewSamples ? " (\(needed))" : ""
            return "\(gate.ruleText): \(reason.rawValue)\(detail)"
        }
        let rule =
            gate.verdict == .warn ? "near the limit of \(gate.ruleText)" : "not \(gate.ruleText)"
        guard let worst = gate.worst else { return "\(gate.texts.value), \(rule)" }
        let value = gate.unit.texts(worst.value, limit: gate.gate.limit).value
        return "\(gate.texts.value), \(rule); worst in seed \(worst.seed): \(value)"
    }

    /// Says that a sum, or a number of samples, is of other seeds than the rule was written for.
    private func remark(on gate: GateResult, of point: PointOutcome) -> [String] {
        let isSum = point.judgement.metrics.contains { metric in
            guard case .count = metric.value else { return false }
            return metric.name == gate.metric
        }
        let (ran, meant) = (point.runs.count, point.point.seeds)
        guard ran != meant, isSum || gate.noDataReason == .tooFewSamples else { return [] }
        return ["    counted over \(counted(ran, "seed")), where the scenario has \(meant)"]
    }

    private func sentence(on invariant: InvariantJudgement) -> String {
        invariant.verdict == .noData
            ? "nothing happened that it speaks of"
            : "broken \(counted(invariant.result.violationCount, "time"))"
    }

    private func replay(
        _ outcome: ScenarioOutcome,
        _ point: ScenarioPoint,
        seed: UInt64?
    ) -> [String] {
        guard let seed, let options else { return [] }
        var words = ["kodama", "replay", outcome.file, "--seed", "\(seed)"]
        words += point.values.flatMap { ["--only", $0.description] } + options
        return ["    replay with: " + words.map(ShellText.quoted).joined(separator: " ")]
    }
}

extension GateResult {
    /// How far its figure lies on the wrong side of the limit; without a figure, nowhere.
    fileprivate var distance: Int64 {
        guard let value else { return .min }
        switch gate.comparison {
        case .atMost, .below: return value &- gate.limit
        case .atLeast, .above: return gate.limit &- value
        case .equal: return Int64(clamping: (value &- gate.limit).magnitude)
        }
    }
}

extension PointOutcome {
    fileprivate func violations(of name: String) -> Int {
        invariant(named: name)?.result.violationCount ?? 0
    }
}
