package import ArgumentParser

/// The options by which runs are chosen; shared by the commands that run scenarios.
struct Selection: ParsableArguments, RunShaping {
    @Argument(
        help: "Scenario files, or folders of them; Scenarios if none is given.",
        completion: .file(extensions: ["yaml"])
    )
    var paths: [String] = []

    @Option(parsing: .unconditional, help: SeedCount.help, transform: SeedCount.read)
    var seeds: SeedCount?

    @Option(
        parsing: .unconditional,
        help: .init("Run this seed only, a whole number.", valueName: "number")
    )
    var seed: UInt64?

    @Option(
        parsing: .unconditional,
        help: .init(
            "Run seeds from this one on instead of each scenario's own, to see whether a verdict holds for "
                + "others.",
            valueName: "number"
        )
    )
    var firstSeed: UInt64?

    @OptionGroup var parameters: ParameterOptions

    @OptionGroup var sweeping: SweepOptions

    @OptionGroup var programs: ProgramOptions

    @Flag(help: "Use the built-in synthetic voice instead of recordings.")
    var synthetic = false

    @Flag(
        help: .init(
            "Run a tenth of each scenario's seeds: what fails fails with all of them too, and what does not "
                + "is no promise."
        )
    )
    var quick = false

    func validate() throws {
        if [seeds != nil, seed != nil, quick].filter(\.self).count > 1 {
            throw ValidationError("--seeds, --seed and --quick exclude each other")
        }
        if seed != nil, firstSeed != nil {
            throw ValidationError("--seed runs that seed alone; leave --first-seed out")
        }
        // As 'first_seed' of a scenario.
        if let firstSeed, firstSeed > 1_000_000_000_000 {
            throw ValidationError("--first-seed \(firstSeed): at most 1000000000000")
        }
    }

    /// Loads what is chosen.
    func load() throws -> LoadedScenarios {
        programs.use()
        var loaded = try LoadedScenarios(
            paths.isEmpty ? [ScenarioPaths.defaultFolder] : paths,
            settings: parameters.settings,
            sweeping: sweeping
        )
        try programs.check(loaded)
        if synthetic { try loaded.useSyntheticVoice() }
        loaded.choose(seeds)
        loaded.onlySeed = seed
        if let firstSeed { loaded.begin(at: firstSeed) }
        if quick { loaded.choose(.tenth) }
        loaded.tellGates(isQuick: quick)
        return loaded
    }

    /// The same choice as arguments of another process.
    var arguments: [String] {
        var arguments = paths.isEmpty ? [ScenarioPaths.defaultFolder] : paths
        if let seeds { arguments += ["--seeds", seeds.text] }
        if let seed { arguments += ["--seed", "\(seed)"] }
        if let firstSeed { arguments += ["--first-seed", "\(firstSeed)"] }
        if quick { arguments.append("--quick") }
        return arguments + sweeping.only.flatMap { ["--only", $0] } + options
    }
}

/// The options that decide, besides scenario, point and seed, what happens in a run.
protocol RunShaping {
    var parameters: ParameterOptions { get }
    var sweeping: SweepOptions { get }
    var programs: ProgramOptions { get }
    var synthetic: Bool { get }
}

extension RunShaping {
    /// These options as arguments.
    var options: [String] {
        parameters.settings.flatMap { ["--set", $0] } + sweeping.sweeps.flatMap { ["--sweep", $0] }
            + programs.arguments + (synthetic ? ["--synthetic"] : [])
    }
}

/// What is swept, and which points of it are run.
package struct SweepOptions: ParsableArguments {
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

    package init() {}
}

/// The parameters of the app under test that are set on the command line.
package struct ParameterOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        parsing: .unconditionalSingleValue,
        help: .init(
            "A parameter of the app, such as vad.attack=40ms; repeatable, the last one wins.",
            valueName: "name=value"
        )
    )
    package var settings: [String] = []

    package init() {}
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
