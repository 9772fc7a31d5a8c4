public import KodamaEvidence
import KodamaLanguage

/// How a scenario ended, compared with the outcome that it declares.
public enum ScenarioEnding: String, Sendable, Hashable, CaseIterable, Codable {
    /// Every point passed, as it had to.
    case passed
    /// Something failed, or has no data, that had to pass.
    case failed
    /// Nothing failed, and of something that had to pass more runs or longer ones must tell.
    case undecided
    /// A gate failed where the scenario says that one does, and nothing else.
    case failedAsExpected = "failed-as-expected"
    /// No gate failed where the scenario says that one does.
    case passedUnexpectedly = "passed-unexpectedly"

    /// Whether the scenario ended as it declares.
    public var isGreen: Bool { self == .passed || self == .failedAsExpected }

    /// Whether it ended otherwise than it declares, whatever more runs would show.
    public var isFailure: Bool { !isGreen && self != .undecided }
}

extension ScenarioOutcome {
    /// How the scenario ended.
    ///
    /// Only a failed gate can be expected: one without data shows nothing, an invariant always
    /// holds, and what the timeline waits for comes. Where none of the points that were run may
    /// fail, all of them must pass. Where fewer seeds are run, those that fail may be the others; once
    /// one gate has failed where one may, no other gate there changes the ending, decided or not.
    ///
    /// - Parameter isStrict: Whether warnings fail.
    /// - Returns: The ending, from which the exit code follows.
    public func ending(isStrict: Bool) -> ScenarioEnding {
        let isClean = !isStrict || warnings.isEmpty
        let mayFail = points.filter(\.about.mayFail)
        let mustPass = points.filter { !$0.about.mayFail }
        guard isClean, !mustPass.contains(where: { $0.fails(isStrict: isStrict) }),
            mayFail.allSatisfy(\.missesGatesAtMost)
        else { return .failed }
        let isShown = mayFail.contains(where: \.missesGate)
        guard !mustPass.contains(where: \.isUndecided),
            !mayFail.contains(where: { isShown ? $0.isUndecidedBesidesGates : $0.isUndecided })
        else { return .undecided }
        guard !mayFail.isEmpty else { return .passed }
        if isShown { return .failedAsExpected }
        return mayFail.contains(where: \.isOfPart) ? .undecided : .passedUnexpectedly
    }

    /// The worst verdict of all points.
    public var verdict: Verdict { points.map(\.verdict).max() ?? .noData }
}

extension PointOutcome {
    /// Whether a gate or an invariant fails or has no data, or something never came that the timeline
    /// waits for.
    func fails(isStrict: Bool) -> Bool {
        verdict > .undecided || isStrict && judgement.gates.contains { $0.verdict == .warn }
    }

    /// Whether a gate is undecided that has to be decided, or more seeds may bring what never came.
    var isUndecided: Bool {
        judgement.gates.contains { $0.verdict == .undecided && !$0.isGreen }
            || isUndecidedBesidesGates
    }

    /// Whether more seeds may break an invariant, or bring what never came.
    fileprivate var isUndecidedBesidesGates: Bool {
        judgement.invariants.contains { $0.verdict == .undecided }
            || triggerReports.contains { $0.verdict == .undecided }
    }

    /// Whether a gate failed.
    var missesGate: Bool { judgement.gates.contains { $0.verdict == .fail } }

    /// Whether fewer seeds were run than asked for, so that those which fail may be among the others.
    fileprivate var isOfPart: Bool { judgement.gates.contains { $0.gate.plan?.isPart ?? false } }

    /// Whether nothing else is wrong than that gates failed.
    fileprivate var missesGatesAtMost: Bool {
        !judgement.gates.contains { $0.verdict == .noData && !$0.isGreen }
            && judgement.invariants.allSatisfy { $0.verdict <= .undecided }
            && triggerReports.allSatisfy { $0.verdict <= .undecided } && judgement.runCount > 0
    }
}
