import Foundation
import KodamaHarness
import KodamaLanguage
import Synchronization

/// What runs have given so far: each scenario is shown as soon as it is done, and an interruption keeps
/// those that are, and of a sweep the points that are.
final class RunResults: Sendable {
    private let material: String
    private let titles: [String]
    /// What the points of each scenario are called.
    private let labels: [[String]]
    /// How many runs each point of each scenario has.
    private let runCounts: [[Int]]
    private let options: [String]
    private let isStrict: Bool
    private let isJSON: Bool
    private let isQuiet: Bool
    private let showsMetrics: Bool
    private let shown: [String]
    private let isExploring: Bool
    private let isFolded: Bool
    private let tier: RunReport.Tier?
    private let scenarios = Mutex<[ScenarioReport]>([])
    /// By a scenario's index its runs that are done, while others are not; locked last.
    private let parts = Mutex<[Int: RunsSoFar]>([:])

    /// Begins without a result.
    init(_ loaded: LoadedScenarios, _ voices: Voices, _ command: RunCommand) {
        material = voices.description
        titles = RunReport.titles(loaded.scenarios.map { ($0.scenario.name, $0.file) })
        labels = loaded.scenarios.map { $0.scenario.points.map(\.label) }
        runCounts = loaded.scenarios.map { $0.scenario.points.map { loaded.seeds(of: $0).count } }
        options = command.selection.options + command.ties.options
        isStrict = command.strict
        isJSON = command.json
        isQuiet = command.quiet
        showsMetrics = command.metrics
        shown = command.show
        isExploring = command.explore
        isFolded = command.isFolded(loaded.scenarios.count)
        tier = command.tier
    }

    /// Keeps the runs of a scenario that are done until all are.
    func keep(_ index: Int, _ part: RunsSoFar) {
        parts.withLock { $0[index] = part }
    }

    /// Adds what a scenario gave, and shows it unless the result is to be one piece of JSON.
    func add(_ outcome: ScenarioOutcome) throws {
        let scenario = ScenarioReport(outcome, isStrict: isStrict)
        try scenarios.withLock { scenarios in
            let index = scenarios.count
            parts.withLock { $0[index] = nil }
            scenarios.append(scenario)
            try show([scenario], isFirst: index == 0)
        }
    }

    /// Shows scenarios unless the result is to be one piece of JSON.
    private func show(_ scenarios: [ScenarioReport], isFirst: Bool) throws {
        guard !isJSON, !scenarios.isEmpty else { return }
        let console = console(report(scenarios))
        let head = isFirst ? [console.head] : []
        let text = (head + console.sections).joined(separator: "\n") + "\n"
        try Terminal.say(text, isPainted: true)
    }

    /// The report of all that is done.
    var report: RunReport { report(scenarios.withLock { $0 }) }

    /// Keeps what is done of a run that ends before its time, and says what is not.
    ///
    /// Where nothing is done, there is no result, except in place of an earlier one.
    ///
    /// - Parameters:
    ///   - folder: Where the report goes as well, if it goes into a folder.
    ///   - renderings: The files that it goes to besides.
    func keepFinished(_ folder: ReportFolder?, _ renderings: RenderingOptions) {
        scenarios.withLock { scenarios in
            let parts = parts.withLock { $0.compactMapValues(\.part) }
            guard !scenarios.isEmpty || !parts.isEmpty || folder?.heldResult == true else {
                if !isQuiet { Terminal.remark("interrupted before anything was done: no result") }
                return
            }
            let missing = titles.indices.dropFirst(scenarios.count)
            let partial = missing.compactMap { parts[$0] }.map {
                ScenarioReport($0, isStrict: isStrict, isPartial: true)
            }
            var report = report(scenarios + partial)
            let undone = missing.map { title(of: $0, without: parts[$0]) }
            if !undone.isEmpty { report.notRun = undone }
            do {
                try show(partial, isFirst: scenarios.isEmpty)
                let console = console(report)
                let shown =
                    isJSON ? String(decoding: try report.json, as: UTF8.self) : console.verdict
                try Terminal.say(shown, isPainted: !isJSON)
                if isJSON { Terminal.remark(console.verdict) }
                let needsManifest = folder != nil || renderings.html != nil
                try renderings.write(
                    report,
                    needsManifest ? .current : nil,
                    in: folder.map { ($0, console.text + "\n") }
                )
                try folder?.removeEarlierCapsules()
            } catch {
                Terminal.complain("\(error)")
            }
        }
    }

    /// What a scenario is called of which all is missing but some runs.
    private func title(of index: Int, without part: ScenarioOutcome?) -> String {
        guard let part else { return titles[index] }
        let made = Dictionary(
            part.points.map { ($0.about.label, $0.rows.count) },
            uniquingKeysWith: { first, _ in first }
        )
        guard labels[index].count > 1 else {
            let all = counted(runCounts[index].reduce(0, +), "run")
            return "\(titles[index]) (\(made.values.reduce(0, +)) of \(all) done)"
        }
        let undone = zip(labels[index], runCounts[index]).filter { made[$0] ?? 0 < $1 }.map(\.0)
        return RunReport.title(titles[index], without: undone)
    }

    private func console(_ report: RunReport) -> ConsoleReport {
        ConsoleReport(
            report,
            showsMetrics: showsMetrics,
            shown: shown,
            showsTrades: isExploring,
            isFolded: isFolded
        )
    }

    private func report(_ scenarios: [ScenarioReport]) -> RunReport {
        var report = RunReport(scenarios, material: material, options: options, isStrict: isStrict)
        report.tier = tier
        return report
    }
}
