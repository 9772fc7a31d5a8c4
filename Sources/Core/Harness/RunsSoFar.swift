import KodamaEvidence
import Synchronization

/// What the runs of one scenario have given so far: an interruption keeps it, whatever else was to come.
public final class RunsSoFar: Sendable {
    private let outcome = Mutex<ScenarioOutcome?>(nil)
    /// How many runs each point is to have.
    private let runCounts = Mutex<[Int]>([])

    /// Begins without a run.
    public init() {}

    func begin(_ empty: ScenarioOutcome, runCounts: [Int]) {
        self.runCounts.withLock { $0 = runCounts }
        outcome.withLock { $0 = empty }
    }

    func add(_ run: RunOutcome, toPoint point: Int) {
        outcome.withLock { outcome in
            outcome?.points[point].add(run)
            outcome?.speed.add(run)
        }
    }

    @discardableResult
    func judge(point: Int) -> Judgement {
        outcome.withLock { outcome in
            guard outcome != nil else { preconditionFailure("nothing has begun") }
            outcome?.points[point].judge()
            return outcome?.points[point].judgement ?? Judge(gates: []).judgement
        }
    }

    /// Takes the outcome of all runs.
    func finish() -> ScenarioOutcome {
        outcome.withLock { outcome in
            guard let whole = outcome else { preconditionFailure("nothing has begun") }
            outcome = nil
            return whole
        }
    }

    /// The points that have a run, of those whose seeds are not all done only what more seeds cannot mend
    /// fails; `nil` if there is none.
    public var part: ScenarioOutcome? {
        let runCounts = runCounts.withLock { $0 }
        return outcome.withLock { outcome in
            guard var part = outcome else { return nil }
            for (point, count) in runCounts.enumerated() {
                if part.points[point].rows.count < count {
                    part.points[point].cutShort()
                } else {
                    part.points[point].judge()
                }
            }
            part.points.removeAll { $0.rows.isEmpty }
            return part.points.isEmpty ? nil : part
        }
    }
}
