public import KodamaEvidence
import KodamaLanguage

/// What an entry of the timeline waits for, and whether it came.
///
/// A scenario in which it never comes tests something else than it says, so it does not pass.
public struct TriggerReport: Sendable, Equatable, Codable {
    /// The kind of record.
    public var event: String
    /// The name of the component that the record is about.
    public var component: String
    /// Which one of them counts.
    public var count: Int
    /// In how many runs it came, early enough for what is done after it.
    public var firedRuns: Int
    /// Pass, or no-data if it came in no run; undecided if more seeds may bring it.
    public var verdict: Verdict
    /// The line in the scenario's file, from 1; `nil` where the command line says it.
    public var line: Int?
    /// The column in that line, from 1.
    public var column: Int
    /// The file of that line.
    public var file: String

    init(_ trigger: PlannedTrigger, firedRuns: Int, missing: Verdict) {
        event = trigger.event
        component = trigger.component
        count = trigger.count
        self.firedRuns = firedRuns
        verdict = firedRuns > 0 ? .pass : missing
        line = trigger.location.line
        column = trigger.location.column
        file = trigger.location.file
    }

    /// What is waited for, such as `after call.ringing of mika-phone`.
    public var name: String {
        "after \(event) of \(component)" + (count == 1 ? "" : ", count \(count)")
    }

    /// What is wrong, in a sentence.
    ///
    /// - Parameter runCount: How many runs there were.
    /// - Returns: The sentence, without the name.
    public func sentence(of runCount: Int) -> String {
        let place = SourceLocation(file: file, line: line, column: column)
        let runs = counted(runCount, "run")
        return "came in none of \(runs), or too late; what waits for it at \(place) was never done"
    }
}

extension PointOutcome {
    /// What the timeline waits for, with how many runs it came in.
    var triggerReports: [TriggerReport] {
        triggers.map { trigger in
            let waiting = rows.filter { $0.waitingEntries?.contains(trigger.entry) ?? false }
            let firedRuns = rows.count - waiting.count
            return TriggerReport(trigger, firedRuns: firedRuns, missing: missing)
        }
    }

    /// The worst verdict of gates, invariants and what the timeline waits for.
    public var verdict: Verdict {
        let triggers = triggerReports.map(\.verdict).max() ?? .pass
        return max(judgement.verdict, triggers)
    }
}
