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

    /// The entries and mixes of faults that suffice to fail, where no one of them can be left out alone to mend it.
    ///
    /// Ever smaller parts of them are left out, as long as more than half of the forks still fail.
    ///
    /// - Parameter jobs: How many runs go on at a time.
    /// - Returns: What is left, in words; nothing if it fails without any.
    /// - Throws: `WorldError`.
    func sufficing(jobs: Int) async throws -> [String] {
        let words = (entries + faultMixes).map(\.words)
        var kept = Array(words.indices)
        var size = kept.count
        while size > 0 {
            var start = 0
            while start < kept.count {
                let rest = Array(kept[..<start] + kept[min(start + size, kept.count)...])
                let failureCount = try await failureCount(of: plan(of: rest), jobs: jobs)
                if failureCount * 2 > Self.leftOutForkCount { kept = rest } else { start += size }
            }
            size /= 2
        }
        return kept.map { words[$0] }
    }

    private func failureCount(of plan: WorldPlan, jobs: Int) async throws -> Int {
        var count = 0
        try await inParallel(Self.leftOutForkCount, width: jobs) { number in
            try fails(WeatherFork(at: .zero, of: run.seed, number: number), with: plan)
        } deliver: { _, fails in
            count += fails ? 1 : 0
        }
        return count
    }

    /// The run's plan with some of its entries and mixes of faults alone, by their places among both.
    private func plan(of kept: [Int]) -> WorldPlan {
        var plan = run.plan
        let entryCount = run.plan.timeline.count
        plan.timeline = kept.filter { $0 < entryCount }.map { run.plan.timeline[$0] }
        plan.faults = kept.filter { $0 >= entryCount }.map { run.plan.faults[$0 - entryCount] }
        return plan
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
