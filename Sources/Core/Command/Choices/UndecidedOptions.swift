import ArgumentParser
import KodamaHarness

/// What an undecided result ends with.
struct UndecidedOptions: ParsableArguments {
    enum Outcome: String, ExpressibleByArgument, CaseIterable {
        case pass, fail
    }

    @Option(
        help: .init(
            "End an undecided result as if it had passed or failed: with 0 or 1, not with 4.",
            valueName: "pass|fail"
        )
    )
    var undecided: Outcome?

    /// Ends with the status of a result that is not green; of a quick one what is undecided counts only if it is to
    /// fail.
    func end(_ report: RunReport) throws {
        if undecided == .fail, report.scenarios.contains(where: { $0.ending == .undecided }) {
            throw ExitCode(ExitStatus.gateFailed.rawValue)
        }
        guard !report.isGreen else { return }
        try end(isUndecided: report.isUndecided, else: .gateFailed)
    }

    /// Ends with the status of what is undecided, or with another one.
    func end(isUndecided: Bool, else status: ExitStatus) throws {
        guard isUndecided, undecided != .fail else { throw ExitCode(status.rawValue) }
        guard undecided == .pass else { throw ExitCode(ExitStatus.undecided.rawValue) }
    }
}
