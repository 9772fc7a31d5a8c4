import ArgumentParser
import Foundation
import KodamaEvidence
import KodamaHarness
import KodamaLanguage

/// Measures one setting of a scenario, for programs that search for good ones.
struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measures one setting: figures with intervals, gates with slack, run by run.",
        discussion: """
            For programs that search for settings; Scripts/tune is one. Equal seeds meet the same weather, so \
            two settings can be compared run by run.

              kodama evaluate FILE --set NAME=4s --objective voice.mouth_to_ear.time:p95 --seeds 20 --json

            With --look a search gives a poor setting up early: after so many seeds, twice as many and so on their \
            figures are printed, and more are run once a line comes on stdin. Ends with 0 whatever the gates say.
            """
    )

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml"]))
    var file: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: .init(
            "A metric and its figure, such as voice.mouth_to_ear.time:p95; repeatable.",
            valueName: "metric:figure"
        )
    )
    var objective: [String] = []

    @OptionGroup var parameters: ParameterOptions

    @OptionGroup var sweeping: SweepOptions

    @OptionGroup var programs: ProgramOptions

    @Option(parsing: .unconditional, help: SeedCount.help, transform: SeedCount.read)
    var seeds: SeedCount?

    @Option(
        parsing: .unconditional,
        help: .init(
            "Print the figures after so many seeds, twice as many and so on; run more once a line comes on stdin.",
            valueName: "count"
        )
    )
    var look: Int?

    @Flag(help: "Run nothing: print the points of a sweep with their settings, as JSON.")
    var points = false

    @Flag(help: "Use the built-in synthetic voice instead of recordings.")
    var synthetic = false

    @OptionGroup var jobOptions: JobOptions

    @Flag(help: "Print the figures as JSON, in one line.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
    var quiet = false

    func validate() throws {
        if seeds == .auto {
            throw ValidationError(
                "--seeds auto: settings are compared over the same seeds, so their number must be "
                    + "given"
            )
        }
        if points, seeds != nil || look != nil {
            throw ValidationError("--points runs nothing; leave --seeds and --look out")
        }
        if !points, objective.isEmpty {
            throw ValidationError(
                "name what is measured, such as --objective voice.mouth_to_ear.time:p95; "
                    + "'kodama list metrics' lists what there is"
            )
        }
    }

    func run() async throws {
        if points { return try showPoints() }
        let objectives = try objectives()
        programs.use()
        var loaded = try LoadedScenarios(
            one: file,
            settings: parameters.settings,
            sweeping: sweeping
        )
        try programs.check(loaded)
        if synthetic { try loaded.useSyntheticVoice() }
        loaded.seedCount = seeds
        if let name = loaded.openScenario {
            throw Failure(
                .usage,
                "how many seeds \(name) runs is open until its verdict is decided; "
                    + "give --seeds a number"
            )
        }
        let (named, scenario) = loaded.scenarios[0]
        loaded.scenarios[0] = (named, Evaluation.measuring(objectives, of: scenario))
        let all = loaded.seeds(of: scenario.points[0])
        var end = try firstLook(of: all.count)
        let voices = try loaded.voices()
        let runner = ScenarioRunner(loaded, jobs: jobOptions.count, isQuiet: quiet)
        var whole: ScenarioOutcome?
        var done = 0
        while done < all.count {
            // Whoever gives a setting up closes the stream.
            if done > 0, readLine() == nil { return }
            let part = Array(all[done..<end])
            (done, end) = (end, min(end * 2, all.count))
            try await runner.run(voices.material, seeds: [[part]]) { outcome in
                if whole == nil { whole = outcome } else { whole?.add(outcome) }
            }
            guard let whole else { return }
            let evaluation = Evaluation(whole, objectives: objectives)
            let text = json ? String(decoding: try evaluation.json, as: UTF8.self) : evaluation.text
            try Terminal.say(text)
        }
    }

    /// After how many seeds the figures are looked at first; all of them without --look.
    private func firstLook(of count: Int) throws -> Int {
        guard let look else { return count }
        guard (1..<max(count, 2)).contains(look) else {
            throw Failure(
                .usage,
                "--look \(look): write fewer than the \(counted(count, "seed")) that are run, and at least 1"
            )
        }
        return look
    }

    private func objectives() throws -> [Objective] {
        var objectives: [Objective] = []
        for text in objective {
            let new: Objective
            do throws(Objective.Mistake) {
                new = try Objective(text, among: CommandLineTool.systems.evidence.metrics)
            } catch {
                throw Failure(.usage, "--objective \(text): \(error)")
            }
            guard !objectives.contains(new) else {
                throw Failure(
                    .usage,
                    "--objective \(text): it is given twice; two objectives are two figures"
                )
            }
            objectives.append(new)
        }
        return objectives
    }

    private func showPoints() throws {
        struct Point: Encodable {
            var values: [PointDescription.Value]
            var settings: [PointDescription.Setting]
        }
        struct Result: Encodable {
            var schemaVersion = 1
            var scenario: String
            var seeds: Int
            var points: [Point]
        }
        let loaded = try LoadedScenarios(
            [file],
            settings: parameters.settings,
            sweeping: sweeping
        )
        guard loaded.scenarios.count == 1, let scenario = loaded.scenarios.first?.scenario else {
            throw Failure(
                .usage,
                "\(file) holds \(loaded.scenarios.count) scenarios; name one of them"
            )
        }
        _ = try objectives()
        let points = scenario.points.map { PointDescription($0, of: scenario) }
        let result = Result(
            scenario: scenario.name,
            seeds: scenario.points[0].seeds,
            points: points.map { Point(values: $0.values, settings: $0.settings) }
        )
        try Terminal.say(try Outputs.json(result))
    }
}
