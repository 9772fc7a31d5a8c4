import KodamaEvidence

extension PointComparison {
    /// The invariants that had data before and have none now, and the triggers in vain only now.
    ///
    /// A scenario with such a trigger tests something else than before, even if the trigger is new.
    /// Empty unless every run of the side before has its pair.
    static func silenced(_ old: PointReport, _ new: PointReport, _ paired: Int) -> [String] {
        guard paired > 0, paired == old.runs.count else { return [] }
        let invariants = new.invariants.filter { invariant in
            let before = old.invariant(named: invariant.name) ?? invariant
            // Undecided: a part of the seeds had no data before either.
            return invariant.verdict == .noData && [.pass, .fail].contains(before.verdict)
        }
        // A baseline keeps of triggers those alone that never came.
        let inVain = (old.triggers ?? []).filter { $0.firedRuns == 0 }.map(\.name)
        let triggers = (new.triggers ?? []).filter { trigger in
            trigger.verdict == .noData && !inVain.contains(trigger.name)
        }
        return invariants.map { "\($0.name) always" } + triggers.map(\.name).distinct
    }

    /// What is said of each of them.
    static let silence = "no data any more"
}
