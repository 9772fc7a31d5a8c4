import ArgumentParser
import Evidence
import Foundation
import Harness
import Scenarios
import Speech

/// Runs scenarios and judges them.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs scenarios over their seeds and holds the figures against their gates.",
        discussion: """
            The result goes to stdout and is the same for the same scenarios, parameters and seeds; \
            progress and speed go to stderr. Ends with 1 if a gate failed or has no data.
            """
    )

    @OptionGroup var selection: Selection

    @Option(name: .shortAndLong, help: "How many runs go on at a time; all cores if not given.")
    var jobs: Int?

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Option(
        name: .shortAndLong,
        help: "Also write report.json and report.txt into this folder.",
        completion: .directory
    )
    var output: String?

    @Flag(help: "Let warnings fail.")
    var strict = false

    @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
    var quiet = false

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs \(jobs): at least 1 is needed") }
    }

    func run() async throws {
        let loaded = try selection.load()
        let voices = try loaded.voices()
        let width = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        var progress = ProgressLine(total: loaded.runCount, isQuiet: quiet)
        var outcomes: [ScenarioOutcome] = []
        var speed = RunSpeed()
        var done = 0
        for (file, scenario) in loaded.scenarios {
            let run = ScenarioRun(
                scenario: scenario,
                file: file,
                seeds: loaded.seeds(of: scenario),
                material: voices.material
            )
            let outcome = try await Failure.describing {
                try await run.judge(jobs: width) { progress.show(done + $0, scenario.name) }
            }
            done += outcome.runs.count
            speed.add(outcome.speed)
            outcomes.append(outcome)
        }
        try report(outcomes, voices.description)
        if !quiet { Terminal.remark(speed.line) }
        let isGreen = outcomes.allSatisfy { outcome in
            strict ? outcome.isStrictlyGreen : outcome.judgement.isGreen
        }
        guard isGreen else { throw ExitCode(ExitStatus.gateFailed.rawValue) }
    }

    private func report(_ outcomes: [ScenarioOutcome], _ material: String) throws {
        let data = try JSONReport(outcomes, material: material).data
        let text = ConsoleReport(outcomes, material: material).text + "\n"
        if let output {
            let folder = URL(fileURLWithPath: output)
            try Outputs.deliver(data, to: folder.appendingPathComponent("report.json").path)
            try Outputs.write(text, to: folder.appendingPathComponent("report.txt").path)
        }
        Terminal.say(json ? String(decoding: data, as: UTF8.self) : text)
    }
}

extension ScenarioOutcome {
    /// Whether it passed without a warning.
    var isStrictlyGreen: Bool {
        judgement.isGreen && judgement.verdict != .warn && scenario.warnings.isEmpty
    }
}
