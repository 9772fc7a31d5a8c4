/// At how many runs a verdict is looked at where the runs go on until it is decided.
///
/// Whoever looks again and again at a 95 % interval and stops at the first that clears its limit is
/// wrong more often than once in twenty times. The looks are planned, and the error is split among
/// them evenly (Bonferroni's inequality), so that all intervals of all looks together hold the truth
/// as often as one would.
public struct PlannedLooks: Sendable, Equatable {
    /// The looks of `seeds: auto`: the number of runs doubles, up to a cap.
    public static let usual = PlannedLooks([20, 40, 80, 160, 320, 640])

    /// After how many runs it is looked, rising; the last is the cap.
    public let runCounts: [Int]

    /// Plans looks after so many runs.
    public init(_ runCounts: [Int]) {
        precondition(
            !runCounts.isEmpty && zip([0] + runCounts, runCounts).allSatisfy { $0 < $1 },
            "looks come after more and more runs"
        )
        self.runCounts = runCounts
    }

    /// The most runs that there are.
    public var cap: Int { runCounts[runCounts.count - 1] }

    /// The gates as they are judged at each look: those whose figures have intervals ask for one that
    /// clears the limit, with their own confidence over all looks together, or 95 %.
    public func gates(_ gates: [Gate]) -> [Gate] {
        gates.map { gate in
            guard gate.offersInterval else { return gate }
            var gate = gate
            let error = 1_000_000 - (gate.confidence ?? Gate.usualConfidence)
            gate.confidence = 1_000_000 - max(1, error / Int64(runCounts.count))
            return gate
        }
    }

    /// Whether more runs could still change what is said: nothing is surely missed, and something is
    /// neither surely kept nor surely missed.
    public static func isOpen(_ judgement: Judgement) -> Bool {
        let isMissed =
            judgement.invariants.contains { $0.verdict == .fail }
            || judgement.gates.contains { state(of: $0) == .missed }
        return !isMissed && judgement.gates.contains { state(of: $0) == .open }
    }

    private enum State {
        case kept, missed, open
    }

    private static func state(of result: GateResult) -> State {
        switch result.verdict {
        case .pass, .warn:
            return .kept
        case .undecided, .noData:
            switch result.noDataReason {
            case .tooFewRuns, .tooFewSamples, .beyondSoFar: return .open
            case .unknownMetric, .wrongStatistic, .openAtEnd, .otherSeeds, nil: return .missed
            }
        case .fail:
            // What one run can exceed is missed for good once one has.
            guard result.gate.offersInterval else { return .missed }
            guard let hopeful = result.interval.flatMap(result.gate.hopeful),
                !result.gate.comparison.holds(hopeful, result.gate.limit)
            else { return .open }
            return .missed
        }
    }
}

extension Gate {
    /// The end of the interval that is nearer to the right side, if there is one.
    fileprivate func hopeful(_ interval: FigureInterval) -> Int64? {
        switch comparison {
        case .atMost, .below: interval.lower
        case .atLeast, .above: interval.upper
        case .equal: nil
        }
    }
}
