import ArgumentParser
import Foundation
import KodamaHarness
import KodamaLanguage
import KodamaSpeech
import KodamaSwarm

/// Makes a failing scenario as small as it gets.
struct ShrinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shrink",
        abstract: "Makes a failing run as small as it gets while the same gate or invariant fails.",
        discussion: """
            Takes phones, apps, people, faults and acts out of the scenario, then shortens times and makes values \
            plainer, as long as the same fails, be it with one of the next two seeds. Prints the scenario that is left; \
            a comment at each number says from where to where it fails. The result is the same for any number of jobs. \
            Ends with 64 if the run does not fail.

              kodama shrink my-scenario.yaml --seed 7 -o smallest.yaml
              kodama shrink night/finding-call.silent-12.yaml
            """
    )

    @OptionGroup var choice: OneRunOptions

    @Option(
        help: .init(
            "The metric or invariant that must go on failing, the first that fails if not given; or 'crash', for a "
                + "run that ends the program.",
            valueName: "name"
        )
    )
    var about: String?

    @Option(
        parsing: .unconditional,
        help: .init("How many runs it may take.", valueName: "count")
    )
    var runs = 2_000

    @Option(
        name: .shortAndLong,
        help: .init("Where the scenario is written; to stdout if not given.", valueName: "file")
    )
    var output: String?

    @OptionGroup var jobOptions: JobOptions

    @Flag(help: "Print the scenario and what is known of it as JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
    var quiet = false

    func validate() throws {
        if runs < 1 { throw ValidationError("--runs \(runs): at least 1 is needed") }
    }

    func run() async throws {
        let run = try choice.load()
        if let output { try Outputs.prepare(output, option: "--output", over: [choice.file]) }
        let voices = try run.loaded.voices()
        guard run.tieShuffleSeed == nil else {
            throw Failure(
                .usage,
                "runs with shuffled ties are not shrunk; leave --shuffle-ties out"
            )
        }
        let loader = try loader(run)
        let news = CountedProgress("runs", isQuiet: quiet)
        let shrunk = try await Shrinking.shrink(
            try document(run, loader),
            loader: loader,
            file: run.file,
            seed: run.seed,
            about: about,
            material: voices.material,
            runs: runs,
            jobs: jobOptions.count,
            progress: { news.show($0, of: $1) }
        )
        news.end()
        if json {
            let text = String(decoding: try ShrunkReport(shrunk).json, as: UTF8.self)
            try Terminal.say(text)
        }
        if output != nil || !json {
            let text = Shrinking.text(shrunk)
            if let output { try Outputs.write(text, to: output) } else { try Terminal.say(text) }
        }
    }

    /// Reads the documents of this run; of a capsule what it holds itself.
    private func loader(_ run: OneRun) throws -> ScenarioLoader {
        do throws(InvalidScenario) {
            guard let capsule = run.capsule else {
                return ScenarioLoader(
                    vocabulary: try ScenarioVocabulary(
                        for: run.file,
                        systems: CommandLineTool.systems
                    ),
                    folder: "/"
                )
            }
            return capsule.loader(systems: CommandLineTool.systems)
        } catch {
            throw Failure(.scenarioInvalid, "\(error)")
        }
    }

    /// The scenario of this run alone: as it is written, or with every value where that is not all there is to it.
    private func document(_ run: OneRun, _ loader: ScenarioLoader) throws -> DocumentNode {
        let isWritten =
            run.capsule == nil && choice.parameters.settings.isEmpty
            && choice.sweeping.sweeps.isEmpty && choice.sweeping.only.isEmpty
        let text =
            isWritten
            ? String(decoding: try Inputs.read(choice.file), as: UTF8.self)
            : run.point.resolved.yaml
        let documents: [DocumentNode]
        do throws(InvalidScenario) {
            documents = try loader.documents(text: text, file: run.file)
        } catch {
            throw Failure(.scenarioInvalid, "\(error)")
        }
        guard documents.count == 1 else {
            throw Failure(.internalError, "\(run.file) has \(documents.count) points")
        }
        return documents[0]
    }
}

/// Shrinks, for commands.
enum Shrinking {
    static func shrink(
        _ document: DocumentNode,
        loader: ScenarioLoader,
        file: String,
        seed: UInt64,
        about: String?,
        material: SpeechMaterial? = nil,
        runs: Int,
        jobs: Int,
        progress: @escaping (Int, Int) throws -> Void
    ) async throws -> Shrinker.Shrunk {
        let isFatal = about == FailureName.crash.name ? Self.endsItsProgram : nil
        do {
            return try await Failure.describing {
                var shrinker = try Shrinker(
                    document,
                    loader: loader,
                    file: file,
                    seed: seed,
                    about: about,
                    material: material,
                    runsMax: runs,
                    jobs: jobs,
                    isFatal: isFatal,
                    progress: progress
                )
                return try await shrinker.shrink()
            }
        } catch Shrinker.Refusal.unsound(let complaint) {
            throw Failure(.scenarioInvalid, "\(file) cannot be shrunk:\n\(complaint)")
        } catch Shrinker.Refusal.green(let failures, let doubts) {
            let what = about.map { "'\($0)' does not fail in" } ?? "nothing fails in"
            let others =
                failures.map { "\n  it fails: \($0)" }
                + doubts.map { "\n  it does not pass: \($0)" }
            throw Failure(
                .usage,
                "\(what) seed \(seed) of \(file)\(others.joined())\n'run' names the seeds that fail"
            )
        }
    }

    /// Whether a scenario ends the program that runs it.
    private static let endsItsProgram: @Sendable (String, UInt64) -> Bool = { text, seed in
        let end = try? ChildRun.end(of: text, seed: seed)
        return end == FailureName.crash
    }

    /// The scenario with what is known of it.
    static func text(_ shrunk: Shrinker.Shrunk) -> String {
        let end = shrunk.isUnfinished ? "; no more were allowed" : ""
        let failure = ShownText.oneLine("\(shrunk.failure)")
        return "# Fails: \(failure). Shrunk in \(counted(shrunk.runCount, "run"))\(end).\n"
            + shrunk.document.yaml(remarks: shrunk.remarks)
    }
}

/// A shrunk scenario for programs.
struct ShrunkReport: Encodable {
    private var schemaVersion = 1
    private let failure: FailureName
    private let seed: UInt64
    private let runs: Int
    private let isUnfinished: Bool
    private let scenario: String

    init(_ shrunk: Shrinker.Shrunk) {
        failure = shrunk.failure
        seed = shrunk.seed
        runs = shrunk.runCount
        isUnfinished = shrunk.isUnfinished
        scenario = Shrinking.text(shrunk)
    }

    /// As JSON.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            return try encoder.encode(self)
        }
    }
}
