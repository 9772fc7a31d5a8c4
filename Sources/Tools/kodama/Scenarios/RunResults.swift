import Foundation
import Harness
import Scenarios
import Synchronization

/// What runs have given so far: each scenario is shown as soon as it is done, and an interruption keeps
/// those that are.
final class RunResults: Sendable {
    private let material: String
    private let titles: [String]
    private let options: [String]
    private let isStrict: Bool
    private let isJSON: Bool
    private let showsMetrics: Bool
    private let shown: [String]
    private let isExploring: Bool
    private let scenarios = Mutex<[ScenarioReport]>([])

    /// Begins without a result.
    init(_ loaded: LoadedScenarios, _ voices: Voices, _ command: RunCommand) {
        material = voices.description
        titles = RunReport.titles(loaded.scenarios.map { ($0.scenario.name, $0.file) })
        options = command.selection.options + command.ties.options
        isStrict = command.strict
        isJSON = command.json
        showsMetrics = command.metrics
        shown = command.show
        isExploring = command.explore
    }

    /// Adds what a scenario gave, and shows it unless the result is to be one piece of JSON.
    func add(_ outcome: ScenarioOutcome) throws {
        let scenario = ScenarioReport(outcome, isStrict: isStrict)
        try scenarios.withLock { scenarios in
            scenarios.append(scenario)
            guard !isJSON else { return }
            let console = console(report([scenario]))
            let head = scenarios.count == 1 ? [console.head] : []
            let text = (head + console.sections).joined(separator: "\n") + "\n"
            try Terminal.say(text, isPainted: true)
        }
    }

    /// The report of all that is done.
    var report: RunReport { report(scenarios.withLock { $0 }) }

    /// Keeps what is done of a run that ends before its time, and says what is not.
    ///
    /// Where nothing is done, that is worth saying only in place of an earlier result.
    ///
    /// - Parameters:
    ///   - folder: Where the report goes as well, if it goes into a folder.
    ///   - renderings: The files that it goes to besides.
    func keepFinished(_ folder: ReportFolder?, _ renderings: RenderingOptions) {
        scenarios.withLock { scenarios in
            guard !scenarios.isEmpty || folder?.heldResult == true else { return }
            var report = report(scenarios)
            let missing = titles.dropFirst(scenarios.count)
            if !missing.isEmpty { report.notRun = Array(missing) }
            do {
                let console = console(report)
                let shown =
                    isJSON ? String(decoding: try report.json, as: UTF8.self) : console.verdict
                try Terminal.say(shown, isPainted: !isJSON)
                if isJSON { Terminal.remark(console.verdict) }
                try folder?.write(report, text: console.text + "\n", .current)
                try renderings.write(report, renderings.html == nil ? nil : .current)
                try folder?.removeEarlierCapsules()
            } catch {
                Terminal.complain("\(error)")
            }
        }
    }

    private func console(_ report: RunReport) -> ConsoleReport {
        ConsoleReport(
            report,
            showsMetrics: showsMetrics,
            shown: shown,
            showsTrades: isExploring
        )
    }

    private func report(_ scenarios: [ScenarioReport]) -> RunReport {
        RunReport(scenarios, material: material, options: options, isStrict: isStrict)
    }
}
