public import KodamaEvidence
import KodamaLanguage

/// How a scenario ended, compared with the outcome that it declares.
public enum ScenarioEnding: String, Sendable, Hashable, CaseIterable, Codable {
    /// Every point passed, as it had to.
    case passed
    /// Something failed, or has no data, that had to pass.
    case failed
    /// A gate failed where the scenario says that one does, and nothing else.
    case failedAsExpected = "failed-as-expected"
    /// No gate failed where the scenario says that one does.
    case passedUnexpectedly = "passed-unexpectedly"

    /// Whether the scenario ended as it declares.
    public var isGreen: Bool { self == .passed || self == .failedAsExpected }
}

extension ScenarioOutcome {
    /// How the scenario ended.
    ///
    /// Only a failed gate can be expected: one without data shows nothing, an invariant always
    /// holds, and what the timeline waits for comes. Where none of the points that were run may
    /// fail, all of them must pass.
    ///
    /// - Parameter isStrict: Whether warnings fail.
    /// - Returns: The ending, from which the exit code follows.
    public func ending(isStrict: Bool) -> ScenarioEnding {
        let isClean = !isStrict || about.warnings.isEmpty
        let mayFail = points.filter(\.about.mayFail)
        let mustPass = points.filter { !$0.about.mayFail }
        guard isClean, mustPass.allSatisfy({ $0.isGreen(isStrict: isStrict) }) else {
            return .failed
        }
        guard !mayFail.isEmpty else { return .passed }
        guard mayFail.allSatisfy(\.missesGatesAtMost) else { return .failed }
        return mayFail.contains(where: \.missesGate) ? .failedAsExpected : .passedUnexpectedly
    }

    /// The worst verdict of all points.
    public var verdict: Verdict { points.map(\.verdict).max() ?? .noData }
}

extension PointOutcome {
    /// Whether all gates and invariants hold, and all came that the timeline waits for.
    func isGreen(isStrict: Bool) -> Bool { verdict <= (isStrict ? .pass : .warn) }

    /// Whether a gate failed.
    var missesGate: Bool { judgement.gates.contains { $0.verdict == .fail } }

    /// Whether nothing else is wrong than that gates failed.
    fileprivate var missesGatesAtMost: Bool {
        !judgement.gates.contains { $0.verdict == .noData && !$0.isGreen }
            && judgement.invariants.allSatisfy { $0.verdict == .pass }
            && triggerReports.allSatisfy { $0.verdict == .pass } && judgement.runCount > 0
    }
}
