import KodamaEvidence
import KodamaLanguage
import KodamaSimulation
import SansIO

extension FailureQuestion {
    /// So few forks tell what decides from what does not.
    static let leftOutForkCount = 8

    /// Leaves out each entry of the timeline, each mix of faults and each setting, and counts what fails.
    ///
    /// - Parameters:
    ///   - jobs: How many runs go on at a time.
    ///   - progress: Told how many forks are done, and how many there are in all.
    /// - Returns: What was left out, with how many forks failed without it.
    /// - Throws: `WorldError`.
    func leavingOut(
        jobs: Int,
        progress: @escaping @Sendable (_ done: Int, _ expected: Int) -> Void
    ) async throws -> [FailureOdds.LeftOut] {
        let plans = entries + faultMixes + settings
        var counts = Array(repeating: 0, count: plans.count)
        let forkCount = Self.leftOutForkCount
        try await inParallel(plans.count * forkCount, width: jobs) { job in
            try fails(
                WeatherFork(at: .zero, of: run.seed, number: job % forkCount),
                with: plans[job / forkCount].plan
            )
        } deliver: { job, fails in
            counts[job / forkCount] += fails ? 1 : 0
            progress(job + 1, plans.count * forkCount)
        }
        return zip(plans, counts).map { FailureOdds.LeftOut(words: $0.words, failureCount: $1) }
    }

    private var entries: [(words: String, plan: WorldPlan)] {
        run.plan.timeline.indices.map { index in
            var plan = run.plan
            let entry = plan.timeline.remove(at: index)
            guard case .at(let time) = entry.trigger else {
                return ("what waits for an event at \(entry.target)", plan)
            }
            let instant = Instant.zero.advanced(by: time)
            let owner = TraceDirectory.owner(of: entry.target) ?? entry.target
            let words = explanation.sentences.filter {
                $0.at == instant && $0.cause == nil
                    && ($0.component == entry.target || $0.component == owner)
            }.map(\.text)
            let what = words.first.map { ": \($0)" } ?? ""
            return ("the entry at \(Explanation.seconds(instant)) for \(entry.target)\(what)", plan)
        }
    }

    private var faultMixes: [(words: String, plan: WorldPlan)] {
        run.plan.faults.indices.map { index in
            var plan = run.plan
            let mix = plan.faults.remove(at: index)
            return ("the faults of \(mix.phone)", plan)
        }
    }
}
