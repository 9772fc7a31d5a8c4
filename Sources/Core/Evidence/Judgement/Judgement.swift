/// What is said of a gate, an invariant or a whole scenario.
public enum Verdict: String, Sendable, Hashable, Comparable, CaseIterable, Codable {
    /// It holds.
    case pass
    /// It holds, but not within the warning limit.
    case warn
    /// More runs, or longer ones, could turn it either way: too few samples, or too much still open.
    case undecided
    /// Nothing can be said: that is never green unless the gate allows it.
    case noData = "no-data"
    /// It does not hold.
    case fail

    /// Orders verdicts from the best to the worst.
    public static func < (left: Verdict, right: Verdict) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The word that people read.
    public var word: String { self == .noData ? "no data" : rawValue }
}

/// Why nothing can be said, or not yet.
public enum NoDataReason: String, Sendable, Hashable, Codable {
    /// No run gave a result of that name.
    case unknownMetric = "no such metric"
    /// The metric has no such figure.
    case wrongStatistic = "the metric has no such figure"
    /// There are fewer samples than the gate asks for.
    case tooFewSamples = "too few samples"
    /// The figure lies on the right side, but its interval reaches to the other.
    case tooFewRuns = "too few runs to be sure"
    /// The figure of a part of the seeds lies on the wrong side, to which more of them may bring it back.
    case beyondSoFar = "more seeds could mend it"
    /// A sum misses what it is to be, over another number of seeds than its rule was written for.
    case otherSeeds = "the rule counts another number of seeds"
    /// What was open at the end may lie on either side.
    case openAtEnd = "what was open at the end could turn it"
}

/// A gate with what was found.
public struct GateResult: Sendable, Equatable {
    /// The run in which the figure was worst.
    public struct WorstRun: Sendable, Equatable, Codable {
        /// Its seed, which repeats it.
        public var seed: UInt64
        /// Its figure.
        public var value: Int64
        /// Its worst sample, where it is known.
        public var sample: LocatedSample?
    }

    /// The gate.
    public var gate: Gate
    /// The gate's metric, for looking it up.
    public var metric: String { gate.metric }
    /// The rule for people, such as `p95 <= 120ms`.
    public var ruleText: String { gate.ruleText }
    /// The requirement ids that the gate shows.
    public var covers: [String] { gate.covers }
    /// What the value and the limit count in.
    public var unit: MetricUnit
    /// The device at which it is worst, where the gate must hold at each.
    public var device: String?
    /// The figure over all runs, if there is one; shares are rounded away from the right side.
    public var value: Int64?
    /// How many samples stand behind it, in all runs.
    public var samples: Int
    /// How many occasions gave none, and what those that were open come to at least.
    public var occasions = Occasions()
    /// Between which values the true figure lies, if the runs say so.
    public var interval: FigureInterval?
    /// The verdict.
    public var verdict: Verdict
    /// Why the verdict is undecided or no-data, if it is.
    public var noDataReason: NoDataReason?
    /// The run whose own figure was worst, the lowest seed among equals.
    public var worst: WorstRun?
    /// How many runs gave no figure of their own.
    public var runsWithoutDataCount: Int

    /// Whether the gate lets the scenario pass: samples that may be missing, but not beyond its limit.
    public var isGreen: Bool {
        switch verdict {
        case .pass, .warn: true
        case .undecided, .noData:
            gate.allowsNoData && noDataReason == .tooFewSamples
                && value.map { gate.comparison.holds($0, gate.limit) } ?? true
        case .fail: false
        }
    }

    /// The value and the limit for people; they order as they truly do.
    public var texts: (value: String, limit: String) {
        guard let value else { return ("-", unit.texts(gate.limit, limit: gate.limit).limit) }
        return unit.texts(value, limit: gate.limit)
    }
}

/// An invariant with what was found.
public struct InvariantJudgement: Sendable, Equatable {
    /// The finding over all runs.
    public var result: InvariantResult
    /// Pass, fail, or no-data if no record was checked.
    public var verdict: Verdict
}

/// What is said of a scenario after all its runs.
public struct Judgement: Sendable, Equatable {
    /// How many runs were judged.
    public var runCount: Int
    /// The gates, in the order of the scenario.
    public var gates: [GateResult]
    /// The invariants, in the order of the scenario, then all others that were broken.
    public var invariants: [InvariantJudgement]
    /// Every metric, pooled over the runs.
    public var metrics: [MetricResult]

    /// The worst verdict of all gates and invariants; no-data that a gate allows counts as passed.
    ///
    /// Without a run it is no-data; without a gate or an invariant it is pass.
    public var verdict: Verdict {
        guard runCount > 0 else { return .noData }
        let gates = gates.map { $0.isGreen && $0.verdict > .warn ? .pass : $0.verdict }
        return (gates + invariants.map(\.verdict)).max() ?? .pass
    }

    /// Whether the scenario passed, warnings allowed.
    public var isGreen: Bool { verdict <= .warn }
}
