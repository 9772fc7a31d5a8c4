import KodamaHarness
import KodamaLanguage
import SansIO
import Synchronization

/// Says on stderr how far runs are: over one line on a terminal, a line per tenth elsewhere.
///
/// It counts simulated time, so that a single long run is seen to go on as well.
final class ProgressLine: Sendable {
    private struct State {
        /// The scenario whose result is next.
        var subject = ""
        /// The runs of each scenario that are done.
        var done: [Int]
        var simulatedMilliseconds: Int64 = 0
        /// What was said last, in per cent.
        var percent: Int64 = 0
        let begin = ContinuousClock.now
    }

    private let total: Int
    private let totalMilliseconds: Int64
    private let isQuiet: Bool
    private let state: Mutex<State>

    /// Begins the runs, and says so before the first of them is done.
    ///
    /// - Parameters:
    ///   - loaded: The scenarios.
    ///   - seeds: The seeds that are run of each point of each scenario.
    ///   - isQuiet: Whether nothing is said at all.
    init(_ loaded: LoadedScenarios, seeds: [[[UInt64]]], isQuiet: Bool) {
        total = seeds.joined().reduce(0) { $0 + $1.count }
        totalMilliseconds = zip(loaded.scenarios.map(\.scenario.points), seeds).reduce(0) {
            sum,
            scenario in
            zip(scenario.0, scenario.1).reduce(sum) {
                $0 + Self.milliseconds($1.0.plan.duration) * Int64($1.1.count)
            }
        }
        self.isQuiet = isQuiet
        state = Mutex(State(done: Array(repeating: 0, count: seeds.count)))
        guard !isQuiet, total > 0 else { return }
        if Terminal.isInteractive {
            Terminal.overwrite("0/\(total)")
        } else {
            Terminal.remark("\(counted(total, "run")) to go")
        }
    }

    /// Another scenario's result is next.
    func begin(_ subject: String) {
        state.withLock { $0.subject = subject }
    }

    /// Takes the line away, so that something else can stand there.
    func clear() {
        guard !isQuiet, total > 0, Terminal.isInteractive else { return }
        state.withLock { _ in Terminal.overwrite("") }
    }

    /// Tells news of the runs of a scenario, which stand still once this process ends.
    func show(_ news: RunProgress, of scenario: Int) {
        Interruption.standStill()
        guard !isQuiet else { return }
        state.withLock { state in
            switch news {
            case .simulated(let time):
                state.simulatedMilliseconds += Self.milliseconds(time)
                say(&state)
            case .done(let count):
                state.done[scenario] = count
                say(&state, isCount: true)
            }
        }
    }

    private func say(_ state: inout State, isCount: Bool = false) {
        let done = state.done.reduce(0, +)
        // What is simulated still has to be judged.
        let percent =
            done == total
            ? 100 : min(99, state.simulatedMilliseconds * 100 / max(1, totalMilliseconds))
        if Terminal.isInteractive {
            guard isCount || percent > state.percent else { return }
            // Before that chance says more than what went on.
            let left =
                percent < 3
                ? ""
                : TimeLeft.text(after: state.begin.duration(to: .now), done: Int(percent), of: 100)
            let line = "\(done)/\(total) \(state.subject) \(percent) %\(left)"
            Terminal.overwrite(done == total ? "" : line)
        } else if percent / 10 > state.percent / 10 {
            Terminal.remark("\(done)/\(total) runs, \(percent / 10 * 10) %")
        }
        state.percent = max(percent, state.percent)
    }

    private static func milliseconds(_ time: Duration) -> Int64 {
        time.wholeNanoseconds / 1_000_000
    }
}
