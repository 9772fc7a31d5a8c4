import ArgumentParser
import Foundation
import Harness
import Scenarios
import Speech

/// The options by which runs are chosen; shared by the commands that run scenarios.
struct Selection: ParsableArguments {
    @Argument(
        help: "Scenario files, or folders of them; Scenarios if none is given.",
        completion: .file(extensions: ["yaml"])
    )
    var paths: [String] = []

    @Option(help: "How many seeds each scenario runs, from its first seed on.")
    var seeds: Int?

    @Option(help: "Run this seed only.")
    var seed: UInt64?

    @Option(name: .customLong("set"), help: "A parameter, such as vad.attack=40ms; repeatable.")
    var settings: [String] = []

    @Flag(help: "Let the built-in synthetic voice talk instead of recordings.")
    var synthetic = false

    func validate() throws {
        if let seeds, seeds < 1 {
            throw ValidationError("--seeds \(seeds): at least 1 seed is needed")
        }
        if seeds != nil, seed != nil {
            throw ValidationError("--seeds and --seed exclude each other")
        }
    }

    /// Loads what is chosen.
    func load() throws -> LoadedScenarios {
        var loaded = try LoadedScenarios(paths.isEmpty ? ["Scenarios"] : paths, settings: settings)
        loaded.usesSyntheticVoice = synthetic
        loaded.seedCount = seeds
        loaded.onlySeed = seed
        return loaded
    }

    /// The same choice as arguments of another process.
    var arguments: [String] {
        var arguments = paths.isEmpty ? ["Scenarios"] : paths
        if let seeds { arguments += ["--seeds", "\(seeds)"] }
        if let seed { arguments += ["--seed", "\(seed)"] }
        for setting in settings { arguments += ["--set", setting] }
        if synthetic { arguments.append("--synthetic") }
        return arguments
    }
}

/// Scenarios that have been found valid, and what they need to run.
struct LoadedScenarios {
    var scenarios: [(file: String, scenario: Scenario)]
    var usesSyntheticVoice = false
    var seedCount: Int?
    var onlySeed: UInt64?

    /// Loads every scenario at and under `paths`; all mistakes of all files are shown.
    init(_ paths: [String], settings: [String] = []) throws {
        scenarios = []
        var mistakes: [String] = []
        for file in try ScenarioPaths.find(paths) {
            let loader = ScenarioLoader(vocabulary: try .standard(for: file))
            do throws(InvalidScenario) {
                let scenario = try loader.load(file: file, settings: settings)
                scenarios.append((file, scenario))
            } catch {
                mistakes.append(error.description)
            }
        }
        guard mistakes.isEmpty else {
            Terminal.remark(mistakes.joined(separator: "\n"))
            throw ExitCode(ExitStatus.scenarioInvalid.rawValue)
        }
    }

    /// The seeds that a scenario runs.
    func seeds(of scenario: Scenario) -> [UInt64] {
        if let onlySeed { return [onlySeed] }
        let count = seedCount ?? scenario.seeds
        return (0..<UInt64(count)).map { scenario.firstSeed &+ $0 }
    }

    /// How many runs there are in all.
    var runCount: Int { scenarios.reduce(0) { $0 + seeds(of: $1.scenario).count } }

    /// The voices, if a scenario needs them, and a sentence on what is heard and coded.
    func voices() throws -> Voices {
        let needsSound = scenarios.contains { $0.scenario.plan.audio == .real }
        do {
            return try Voices(needsSound: needsSound, isSynthetic: usesSyntheticVoice)
        } catch {
            throw Failure(.inputMissing, "\(error)")
        }
    }
}

/// Finds scenario files that the user names.
enum ScenarioPaths {
    static func find(_ paths: [String]) throws -> [String] {
        var files: [String] = []
        for path in paths {
            let found: [String]
            do throws(FileReadError) {
                found = try ScenarioFiles.find(under: path)
            } catch {
                throw Failure(.inputMissing, "\(error)")
            }
            guard !found.isEmpty else {
                throw Failure(.inputMissing, "there is no scenario (*.yaml) under '\(path)'")
            }
            // A file named twice, or a folder and a file in it, runs once.
            files += found.filter { !files.contains($0) }
        }
        return files
    }
}
