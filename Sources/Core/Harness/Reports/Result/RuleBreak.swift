import KodamaEvidence

/// The first time that a run broke a rule which allows no exception: an invariant, or a gate on a count
/// that must be nought.
public struct RuleBreak: Sendable, Equatable, Codable {
    /// The invariant, or the gate's metric.
    public var rule: String
    /// When it was, in nanoseconds since the run's beginning.
    public var instant: Int64
    /// The record that shows it as a line of the trace, if one does.
    public var line: String?

    /// In words: what, and when.
    var words: String {
        let seconds = PlotNumber.text(Int(instant / 1_000_000), over: 1_000)
        return "\(rule) at \(seconds) s"
    }

    /// The first break of each rule that a run broke, in the order in which they came.
    static func all(of evidence: RunEvidence, gates: [Gate]) -> [RuleBreak] {
        var breaks = evidence.invariants.compactMap { invariant in
            invariant.violations.first.map {
                RuleBreak(
                    rule: invariant.name,
                    instant: $0.instant,
                    line: TraceText.squeezed($0.line)
                )
            }
        }
        for gate in gates where gate.forbidsAny && (evidence.figure(of: gate) ?? 0) > 0 {
            let metric = evidence.metrics.first { $0.name == gate.metric }
            guard let metric, metric.value.form == .count, let first = metric.extremes.first else {
                continue
            }
            breaks.append(
                RuleBreak(
                    rule: gate.metric,
                    instant: first.from,
                    line: first.cause.map { TraceText.squeezed($0) }
                )
            )
        }
        // Breaks of one instant stay in the order in which the rules stand.
        return breaks.enumerated().sorted {
            ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
        }.map(\.element)
    }
}

extension Gate {
    /// Whether it allows nothing of what its metric counts, wherever it happens.
    fileprivate var forbidsAny: Bool {
        statistic == .value && limit == 0 && scope == nil
            && (comparison == .equal || comparison == .atMost)
    }
}

extension [RuleBreak] {
    /// What was broken when, one after another, in words.
    var course: String { map(\.words).joined(separator: ", then ") }
}

extension ScenarioReport {
    /// Which rule broke first, in how many runs, and what followed in one of them: a sentence for each
    /// rule, in the order of points and seeds.
    var firstBreaks: [String] {
        var found: [(rule: String, count: Int, example: String)] = []
        for point in points {
            for run in point.runs {
                guard let breaks = run.breaks, let first = breaks.first else { continue }
                if let index = found.firstIndex(where: { $0.rule == first.rule }) {
                    found[index].count += 1
                    continue
                }
                let label = point.about.label
                let occasion = "seed \(run.seed)" + (label.isEmpty ? "" : " at \(label)")
                let record = first.line.map { "; record: \($0)" } ?? ""
                found.append((first.rule, 1, "in \(occasion) \(breaks.course)\(record)"))
            }
        }
        return found.map { rule, count, example in
            "broken first in \(count) of \(counted(runCount, "run")): \(rule); \(example)"
        }
    }
}
