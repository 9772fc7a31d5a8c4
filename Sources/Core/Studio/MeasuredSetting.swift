import KodamaHarness
import KodamaLanguage
import KodamaSpeech
import Synchronization

/// A setting with its runs so far, which outlive the move that asked for them.
final class MeasuredSetting: Sendable {
    /// What the runs of the first seeds show.
    struct Snapshot: Sendable {
        var evaluation: Evaluation
        var report: ScenarioReport
    }

    private struct State {
        var runs: SettingRuns
        /// Runs whose predecessors are not done.
        var early: [Int: RunOutcome] = [:]
        var snapshots: [Int: Snapshot] = [:]
        var fault: String?
    }

    let scenario: Scenario
    let seeds: [UInt64]
    /// After how many seeds it is shown: 5, 50 and all.
    let looks: [Int]
    /// Without a run.
    let empty: SettingRuns
    private let state: Mutex<State>

    /// How many seeds give the first picture, and how many the second.
    static let firstLooks = [5, 50]

    init(_ scenario: Scenario, file: String, objectives: [Objective], material: SpeechMaterial?) {
        let point = scenario.points[0]
        self.scenario = scenario
        seeds = (0..<UInt64(point.seeds)).map { point.firstSeed &+ $0 }
        looks = Self.firstLooks.filter { $0 < point.seeds } + [point.seeds]
        empty = SettingRuns(scenario, file: file, objectives: objectives, material: material)
        state = Mutex(State(runs: empty))
    }

    /// The runs among the first so many that are not done.
    func missing(upTo count: Int) -> [Int] {
        state.withLock { state in
            (state.runs.count..<max(count, state.runs.count)).filter { state.early[$0] == nil }
        }
    }

    /// Runs one seed and keeps what it gives.
    func run(_ index: Int) {
        do {
            let outcome = try empty.single(seeds[index]).measure()
            state.withLock { keep(outcome, at: index, &$0) }
        } catch {
            state.withLock { $0.fault = "\(error)" }
        }
    }

    private func keep(_ outcome: RunOutcome, at index: Int, _ state: inout State) {
        // Another page may have asked for the same.
        guard index >= state.runs.count else { return }
        state.early[index] = outcome
        while let next = state.early.removeValue(forKey: state.runs.count) {
            state.runs.add(next)
            guard looks.contains(state.runs.count) else { continue }
            state.snapshots[state.runs.count] = Snapshot(
                evaluation: state.runs.evaluation,
                report: state.runs.report
            )
        }
    }

    /// What the first so many runs show; `nil` before all of them are done.
    ///
    /// - Throws: What kept a run from being made.
    func snapshot(of count: Int) throws(StudioRefusal) -> Snapshot? {
        let (snapshot, fault) = state.withLock { ($0.snapshots[count], $0.fault) }
        if snapshot == nil, let fault { throw StudioRefusal(fault) }
        return snapshot
    }
}
