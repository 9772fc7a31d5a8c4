import ArgumentParser
import Evidence
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

    @Option(parsing: .unconditional, help: SeedCount.help, transform: SeedCount.read)
    var seeds: SeedCount?

    @Option(parsing: .unconditional, help: .init("Run this seed only.", valueName: "number"))
    var seed: UInt64?

    @OptionGroup var parameters: ParameterOptions

    @OptionGroup var sweeping: SweepOptions

    @Flag(help: "Use the built-in synthetic voice instead of recordings.")
    var synthetic = false

    func validate() throws {
        if seeds != nil, seed != nil {
            throw ValidationError("--seeds and --seed exclude each other")
        }
    }

    /// Loads what is chosen.
    func load() throws -> LoadedScenarios {
        var loaded = try LoadedScenarios(
            paths.isEmpty ? ["Scenarios"] : paths,
            settings: parameters.settings,
            sweeping: sweeping
        )
        if synthetic { try loaded.useSyntheticVoice() }
        loaded.choose(seeds)
        loaded.onlySeed = seed
        return loaded
    }

    /// The same choice as arguments of another process.
    var arguments: [String] {
        var arguments = paths.isEmpty ? ["Scenarios"] : paths
        if let seeds { arguments += ["--seeds", seeds.text] }
        if let seed { arguments += ["--seed", "\(seed)"] }
        return arguments + sweeping.only.flatMap { ["--only", $0] } + options
    }

    /// What besides scenario, point and seed decides what happens in a run.
    var options: [String] {
        parameters.settings.flatMap { ["--set", $0] } + sweeping.sweeps.flatMap { ["--sweep", $0] }
            + (synthetic ? ["--synthetic"] : [])
    }
}

/// What is swept, and which points of it are run.
struct SweepOptions: ParsableArguments {
    @Option(
        name: .customLong("sweep"),
        parsing: .unconditionalSingleValue,
        help: .init(
            "Run for each of these values: of a name that the scenario sweeps, of a parameter, of the "
                + "preset, or of a key of all links or radios, such as link.loss or wifi.delay; "
                + "1%..10%/4 stands for four values; repeatable, all combinations are run.",
            valueName: "name=value,value"
        )
    )
    var sweeps: [String] = []

    @Option(
        name: .customLong("only"),
        parsing: .unconditionalSingleValue,
        help: .init(
            "Run only the points of a sweep that have this value; repeatable.",
            valueName: "name=value"
        )
    )
    var only: [String] = []
}

/// The parameters of the app under test that are set on the command line.
struct ParameterOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        parsing: .unconditionalSingleValue,
        help: .init(
            "A parameter of the app, such as vad.attack=40ms; repeatable, the last one wins.",
            valueName: "name=value"
        )
    )
    var settings: [String] = []
}

/// Scenarios that have been found valid, and what they need to run.
struct LoadedScenarios {
    var scenarios: [(file: String, scenario: Scenario)]
    var usesSyntheticVoice = false
    var seedCount: SeedCount?
    var onlySeed: UInt64?

    /// Loads every scenario at and under `paths`; all mistakes of all files are shown.
    ///
    /// - Parameters:
    ///   - paths: Files and folders.
    ///   - settings: Parameters set on the command line.
    ///   - sweeping: What is swept, and which points are run.
    ///   - arguments: What settings are called that were not given as `--set`, by that name.
    /// - Throws: An end, if there is nothing at a path or something is wrong with a scenario.
    init(
        _ paths: [String],
        settings: [String],
        sweeping: SweepOptions,
        arguments: [String: String] = [:]
    ) throws {
        let loading = try ScenarioLoading(
            paths,
            settings: settings,
            sweeps: sweeping.sweeps,
            arguments: arguments
        )
        try loading.mistakes.end()
        scenarios = try PointChoice(sweeping.only).apply(to: loading.scenarios)
    }

    /// Loads a point of a scenario where only one will do.
    init(one path: String, settings: [String], sweeping: SweepOptions) throws {
        try self.init([path], settings: settings, sweeping: sweeping)
        guard scenarios.count == 1, let points = scenarios.first?.scenario.points else {
            throw Failure(.usage, "\(path) holds \(scenarios.count) scenarios; name one of them")
        }
        guard points.count == 1 else {
            let example = points[0].values.map { "--only \($0)" }.joined(separator: " ")
            throw Failure(.usage, "\(path) has \(points.count) points; choose one: \(example)")
        }
    }

    /// Lets every gate count with a single sample, for those who only look.
    mutating func askForOneSample() {
        for scenario in scenarios.indices {
            for point in scenarios[scenario].scenario.points.indices {
                let gates = scenarios[scenario].scenario.points[point].expectations.gates
                for gate in gates.indices {
                    scenarios[scenario].scenario.points[point].expectations.gates[gate]
                        .minimumSamples = 1
                }
            }
        }
    }

    /// The scenario and its point, where only one of each was loaded.
    var one: (scenario: Scenario, point: ScenarioPoint)? {
        guard let scenario = scenarios.first?.scenario, let point = scenario.points.first else {
            return nil
        }
        return (scenario, point)
    }

    /// Lets the command line say how many seeds are run, if it does.
    mutating func choose(_ seeds: SeedCount?) {
        switch seeds {
        case nil: break
        case .exactly, .times: seedCount = seeds
        case .auto:
            for scenario in scenarios.indices {
                for point in scenarios[scenario].scenario.points.indices {
                    scenarios[scenario].scenario.points[point].looks = .usual
                    scenarios[scenario].scenario.points[point].seeds = PlannedLooks.usual.cap
                }
            }
        }
    }

    /// The first scenario of which it is open how many seeds will be run.
    var openScenario: String? {
        guard seedCount == nil, onlySeed == nil else { return nil }
        return scenarios.first { $0.scenario.points.contains { $0.looks != nil } }?.scenario.name
    }

    /// The seeds that a point runs.
    func seeds(of point: ScenarioPoint) -> [UInt64] {
        if let onlySeed { return [onlySeed] }
        let count = seedCount?.count(point.seeds) ?? point.seeds
        return (0..<UInt64(count)).map { point.firstSeed &+ $0 }
    }

    /// How many runs there are in all.
    var runCount: Int {
        scenarios.reduce(0) { count, entry in
            entry.scenario.points.reduce(count) { $0 + seeds(of: $1).count }
        }
    }

    /// Whether a scenario makes sound.
    private var needsSound: Bool {
        scenarios.contains { entry in
            entry.scenario.points.contains { $0.plan.voice == .real }
        }
    }

    /// Lets the built-in voice talk instead of recordings.
    ///
    /// - Throws: An end, if nobody would hear it.
    mutating func useSyntheticVoice() throws {
        guard needsSound else {
            throw Failure(
                .usage,
                "--synthetic does nothing: no scenario makes sound; choose one with voice: real"
            )
        }
        usesSyntheticVoice = true
    }

    /// The voices, if a scenario needs them, and a sentence on what is heard and coded.
    func voices() throws -> Voices {
        do {
            return try Voices(needsSound: needsSound, isSynthetic: usesSyntheticVoice)
        } catch {
            throw Failure(.inputMissing, "\(error)")
        }
    }
}

/// What came of loading scenarios: those that are valid, and what is wrong with the others.
struct ScenarioLoading {
    private(set) var files: [String]
    private(set) var scenarios: [(file: String, scenario: Scenario)] = []
    private(set) var mistakes = Mistakes()
    /// What does not keep scenarios from running.
    private(set) var warnings: [Diagnostic] = []

    /// Loads every scenario at and under `paths`.
    ///
    /// - Throws: An end, if there is nothing at a path.
    init(
        _ paths: [String],
        settings: [String],
        sweeps: [String] = [],
        arguments: [String: String] = [:]
    ) throws {
        let found = try ScenarioPaths.find(paths)
        files = found.map(\.file)
        mistakes.arguments = arguments
        for (file, folder) in found {
            do throws(InvalidScenario) {
                let loader = ScenarioLoader(
                    vocabulary: try .standard(for: file),
                    folder: folder
                )
                let scenario = try loader.load(file: file, settings: settings, sweeps: sweeps)
                scenarios.append((file, scenario))
                warnings += scenario.warnings
            } catch {
                mistakes.add(error)
            }
        }
        refuseIdleSettings()
    }

    /// Refuses what the command line sets or sweeps if no scenario would run otherwise without it.
    private mutating func refuseIdleSettings() {
        let idle = scenarios.map(\.scenario.idleSettings)
        let everywhere = (idle.first ?? []).filter { setting in
            idle.allSatisfy { $0.contains { $0.location.file == setting.location.file } }
        }
        guard mistakes.diagnostics.isEmpty, !everywhere.isEmpty else { return }
        mistakes.add(
            InvalidScenario(
                diagnostics: everywhere.map { setting in
                    var error = setting
                    error.severity = .error
                    return error
                }
            )
        )
    }
}

/// What is wrong with scenarios and settings, each said once.
struct Mistakes {
    /// What arguments are called that were not given as `--set`, by that name.
    var arguments: [String: String] = [:]
    private(set) var diagnostics: [Diagnostic] = []
    private var texts: [String] = []

    /// Adds what is wrong with one scenario; a wrong `--set` is found again with each of them.
    mutating func add(_ scenario: InvalidScenario) {
        let new = scenario.diagnostics.map { named($0) }
            .filter { !$0.isOfSetting || !diagnostics.contains($0) }
        guard !new.isEmpty else { return }
        diagnostics += new
        texts.append(InvalidScenario(diagnostics: new).description)
    }

    private func named(_ diagnostic: Diagnostic) -> Diagnostic {
        var diagnostic = diagnostic
        let file = diagnostic.location.file
        diagnostic.location.file = arguments[file] ?? file
        return diagnostic
    }

    /// All diagnostics for people.
    var text: String { texts.joined(separator: "\n") }

    /// The code to end with: a scenario's, unless only the command line is wrong.
    var status: ExitStatus {
        let errors = diagnostics.filter { $0.severity == .error }
        return errors.allSatisfy(\.isOfSetting) ? .usage : .scenarioInvalid
    }

    /// Says what is wrong and ends, if anything is.
    func end() throws {
        guard !diagnostics.isEmpty else { return }
        Terminal.remark(text)
        throw ExitCode(status.rawValue)
    }
}

extension Diagnostic {
    /// Whether it is about the command line and not about a file.
    var isOfSetting: Bool { location.line == nil }
}

/// Finds scenario files that the user names.
enum ScenarioPaths {
    /// What `-` stands for: the scenario that comes on stdin, whose paths begin at the working folder.
    static let standardInput = "/dev/stdin"

    /// The scenario files at and under `paths`, each with the folder that it was found in, if one was
    /// named; what the scenario names in turn must lie there.
    static func find(_ paths: [String]) throws -> [(file: String, folder: String?)] {
        var files: [(file: String, folder: String?)] = []
        var seen: Set<String> = []
        for path in paths {
            guard path != "-" else {
                if seen.insert(path).inserted { files.append((standardInput, ".")) }
                continue
            }
            let found: [String]
            do throws(FileReadError) {
                found = try ScenarioFiles.find(under: path)
            } catch {
                throw Failure(.inputMissing, "'\(error.path ?? path)': \(error.fault.rawValue)")
            }
            guard !found.isEmpty else {
                throw Failure(.inputMissing, "there is no scenario (*.yaml) under '\(path)'")
            }
            // A file named twice, or a folder and a file in it, runs once.
            let new = found.filter { seen.insert(Outputs.place($0)).inserted }
            files += new.map { ($0, $0 == path ? nil : path) }
        }
        return files
    }
}

/// In which order simultaneous events are delivered; shared by the commands that show runs.
struct TieOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .init(
            "Shuffle simultaneous events by this seed, to find code that depends on their order.",
            valueName: "number"
        )
    )
    var shuffleTies: UInt64?

    /// The arguments that say the same.
    var options: [String] { shuffleTies.map { ["--shuffle-ties", "\($0)"] } ?? [] }
}
