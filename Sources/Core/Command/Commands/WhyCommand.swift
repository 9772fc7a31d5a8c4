import ArgumentParser
import Foundation
import KodamaHarness
import KodamaLanguage

/// Finds the moment at which a run's failure became certain.
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Finds the moment at which a run's failure became certain.",
        discussion: """
            Keeps the history of a failing run, or of a capsule, up to an instant and draws the weather after \
            it anew: links, faults and conversations; machines keep their seeds. How often such forks fail is \
            found for about forty instants; where it jumps, the failure became certain, and the record there is \
            named. Ends with 0 whatever is found, with 64 if the run does not fail.
            """
    )

    @OptionGroup var choice: OneRunOptions

    @Option(
        help: .init(
            "The metric or invariant to ask about; the first that fails, or the capsule's, if not given.",
            valueName: "name"
        )
    )
    var about: String?

    @Option(
        parsing: .unconditional,
        help: .init("How many forks there are at each instant.", valueName: "count")
    )
    var forks = 32

    @OptionGroup var jobOptions: JobOptions

    @Flag(help: "Print the odds as JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
    var quiet = false

    /// More would take longer than anybody waits, and tell no more.
    private static let forkCounts = 4...10_000

    func validate() throws {
        if !Self.forkCounts.contains(forks) {
            throw ValidationError(
                "--forks \(forks): from \(Self.forkCounts.lowerBound) to "
                    + "\(Self.forkCounts.upperBound) are possible"
            )
        }
    }

    func run() async throws {
        let run = try choice.load()
        let voices = try run.loaded.voices()
        var question = try question(run, voices)
        question.settings = settings(of: run)
        let news = CountedProgress("forks", isQuiet: quiet)
        let odds = try await Failure.describing {
            try await FailureOdds(
                question,
                forkCount: forks,
                jobs: jobOptions.count,
                progress: { news.show($0, of: $1) }
            )
        }
        news.end()
        try Terminal.say(json ? String(decoding: try odds.json, as: UTF8.self) : odds.text)
    }

    /// The run without its preset, and with each of its settings at its default.
    private func settings(of run: OneRun) -> [(words: String, plan: WorldPlan)] {
        guard run.capsule == nil else { return [] }
        let defaults = CommandLineTool.systems.language.parameters.parameters
        let about = PointDescription(run.point, of: run.scenario)
        var plans: [(words: String, plan: WorldPlan)] = []
        if let preset = about.preset, about.settings.contains(where: \.isOfPreset) {
            var sweeping = choice.sweeping
            sweeping.sweeps.append("preset=default")
            plans += plan("the preset \(preset)", choice.parameters.settings, sweeping)
        }
        for setting in about.settings {
            guard let parameter = defaults.first(where: { $0.name == setting.name }) else {
                continue
            }
            let change = "\(setting.name)=\(parameter.defaultText)"
            let words = "the setting \(setting), but with \(change)"
            plans += plan(words, choice.parameters.settings + [change], choice.sweeping)
        }
        return plans
    }

    private func plan(
        _ words: String,
        _ settings: [String],
        _ sweeping: SweepOptions
    ) -> [(words: String, plan: WorldPlan)] {
        let loaded = try? LoadedScenarios(one: choice.file, settings: settings, sweeping: sweeping)
        return loaded?.one.map { [(words, $0.point.plan)] } ?? []
    }

    private func question(_ run: OneRun, _ voices: Voices) throws -> FailureQuestion {
        do {
            return try Failure.describing {
                try FailureQuestion(
                    run.scenario,
                    seed: run.seed,
                    material: voices.material,
                    tieShuffleSeed: run.tieShuffleSeed,
                    about: about,
                    preferring: run.capsule?.failure
                )
            }
        } catch FailureQuestion.Refusal.undecided(let reasons) {
            throw Failure(
                .usage,
                "seed \(run.seed) of \(run.scenario.name) breaks nothing, and is undecided: "
                    + reasons.joined(separator: "; ")
            )
        } catch FailureQuestion.Refusal.green(let names) {
            let held =
                names.isEmpty ? "it is held against nothing" : "it keeps all it is held against"
            throw Failure(
                .usage,
                "seed \(run.seed) of \(run.scenario.name) does not fail: \(held)\n"
                    + "'run' names the seeds that fail; choose one with --seed"
            )
        } catch FailureQuestion.Refusal.noData(let names) {
            throw Failure(
                .usage,
                "seed \(run.seed) of \(run.scenario.name) breaks nothing, but has no data of: "
                    + names.joined(separator: "; ")
                    + "\n'explain' tells what happened in it; 'run' names the seeds that fail"
            )
        } catch FailureQuestion.Refusal.otherMiss(let names) {
            let hint = Suggestion.nearest(to: about ?? "", among: names)
                .map { "; did you mean '\($0)'?" }
            throw Failure(
                .usage,
                "--about \(about ?? ""): nothing of that name fails in seed \(run.seed)\(hint ?? "")\n"
                    + "It fails: \(names.joined(separator: ", "))"
            )
        }
    }
}
