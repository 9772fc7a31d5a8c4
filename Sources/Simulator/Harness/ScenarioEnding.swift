public import Evidence
import Scenarios

/// How a scenario ended, held against what it says of itself.
public enum ScenarioEnding: String, Sendable, Hashable, CaseIterable {
    /// Every point passed, as it had to.
    case passed
    /// Something failed, or has no data, that had to pass.
    case failed
    /// A gate failed where the scenario says that one does, and nothing else.
    case failedAsExpected = "failed-as-expected"
    /// No gate failed where the scenario says that one does.
    case passedUnexpectedly = "passed-unexpectedly"

    /// Whether the scenario is what it says.
    public var isGreen: Bool { self == .passed || self == .failedAsExpected }
}

extension ScenarioOutcome {
    /// How the scenario ended.
    ///
    /// Only a failed gate can be expected: one without data shows nothing, and an invariant always
    /// holds. Where none of the points that were run may fail, all of them must pass.
    ///
    /// - Parameter isStrict: Whether warnings fail.
    /// - Returns: The ending, from which the exit code follows.
    public func ending(isStrict: Bool) -> ScenarioEnding {
        let isClean = !isStrict || scenario.warnings.isEmpty
        let mayFail = points.filter { scenario.outcome.allowsFailure(at: $0.point) }
        let mustPass = points.filter { !scenario.outcome.allowsFailure(at: $0.point) }
        guard isClean, mustPass.allSatisfy({ $0.isGreen(isStrict: isStrict) }) else {
            return .failed
        }
        guard !mayFail.isEmpty else { return .passed }
        guard mayFail.allSatisfy(\.missesGatesAtMost) else { return .failed }
        return mayFail.contains(where: \.missesGate) ? .failedAsExpected : .passedUnexpectedly
    }

    /// The points at which a gate failed.
    public var missedPoints: [PointOutcome] { points.filter(\.missesGate) }

    /// The worst verdict of all points.
    public var verdict: Verdict { points.map(\.judgement.verdict).max() ?? .noData }

    /// The invariants that are judged at any point, in the order of the scenario.
    var invariantNames: [String] {
        points.reduce(into: []) { names, point in
            let found = point.judgement.invariants.map(\.result.name)
            names += found.filter { !names.contains($0) }
        }
    }

    /// Whether anything was expected at all.
    public var isGated: Bool { points.contains { $0.judgement.isGated } }
}

extension PointOutcome {
    /// The judgement of an invariant, if it is judged at this point.
    func invariant(named name: String) -> InvariantJudgement? {
        judgement.invariants.first { $0.result.name == name }
    }

    /// Whether all gates and invariants hold.
    func isGreen(isStrict: Bool) -> Bool {
        isStrict ? judgement.verdict == .pass : judgement.isGreen
    }

    /// Whether a gate failed.
    public var missesGate: Bool { judgement.gates.contains { $0.verdict == .fail } }

    /// Whether nothing else is wrong than that gates failed.
    fileprivate var missesGatesAtMost: Bool {
        !judgement.gates.contains { $0.verdict == .noData && !$0.isGreen }
            && judgement.invariants.allSatisfy { $0.verdict == .pass } && judgement.runCount > 0
    }
}
