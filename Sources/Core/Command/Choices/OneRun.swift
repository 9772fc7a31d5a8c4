import ArgumentParser
import KodamaEvidence
import KodamaHarness
import KodamaLanguage

/// The options by which one run is chosen: a seed of a scenario, or a capsule.
struct OneRunOptions: ParsableArguments {
    @Argument(
        help: "The scenario file, or a capsule.",
        completion: .file(extensions: ["yaml", "json"])
    )
    var file: String

    @Option(
        parsing: .unconditional,
        help: .init("The seed; the scenario's first if not given.", valueName: "number")
    )
    var seed: UInt64?

    @OptionGroup var parameters: ParameterOptions

    @OptionGroup var sweeping: SweepOptions

    @OptionGroup var programs: ProgramOptions

    @Flag(help: "Use the built-in synthetic voice instead of recordings.")
    var synthetic = false

    @OptionGroup var ties: TieOptions

    func validate() throws {
        guard isOfCapsule else { return }
        let isOther =
            seed != nil || synthetic || ties.shuffleTies != nil || !parameters.settings.isEmpty
            || !sweeping.sweeps.isEmpty || !sweeping.only.isEmpty || !programs.guests.isEmpty
        if isOther {
            throw ValidationError("a capsule says what is run; only what is shown can be chosen")
        }
    }

    /// Whether it is a capsule's.
    private var isOfCapsule: Bool { file.hasSuffix(".json") }

    /// Loads what is chosen.
    func load() throws -> OneRun {
        if isOfCapsule {
            let capsule = try CapsuleFiles.read(file)
            if let transcripts = capsule.transcripts {
                CommandLineTool.use(Programs(transcripts: transcripts))
            }
            return try OneRun(
                LoadedScenarios(capsule),
                file: capsule.file,
                tieShuffleSeed: capsule.tieShuffleSeed,
                capsule: capsule
            )
        }
        programs.use()
        var loaded = try LoadedScenarios(
            one: file,
            settings: parameters.settings,
            sweeping: sweeping
        )
        try programs.check(loaded)
        if synthetic { try loaded.useSyntheticVoice() }
        loaded.onlySeed = seed ?? loaded.one?.point.firstSeed
        return try OneRun(loaded, file: file, tieShuffleSeed: ties.shuffleTies, capsule: nil)
    }
}

/// One run that a user has chosen, ready to go.
struct OneRun {
    let loaded: LoadedScenarios
    let scenario: Scenario
    let point: ScenarioPoint
    /// The scenario's file, as the user or the capsule names it.
    let file: String
    let seed: UInt64
    let tieShuffleSeed: UInt64?
    /// The capsule that it is of, if it is.
    let capsule: Capsule?

    fileprivate init(
        _ loaded: LoadedScenarios,
        file: String,
        tieShuffleSeed: UInt64?,
        capsule: Capsule?
    ) throws {
        guard let (scenario, point) = loaded.one else {
            throw Failure(.usage, "\(file) holds no run")
        }
        self.loaded = loaded
        self.scenario = scenario
        self.point = point
        self.file = file
        seed = loaded.onlySeed ?? point.firstSeed
        self.tieShuffleSeed = tieShuffleSeed
        self.capsule = capsule
    }

    /// The run itself.
    func single(_ voices: Voices) -> SingleRun {
        SingleRun(
            plan: point.plan,
            seed: seed,
            material: voices.material,
            tieShuffleSeed: tieShuffleSeed,
            scoped: point.expectations.gates.scopedMetrics
        )
    }
}

/// Reads capsules that the user names.
enum CapsuleFiles {
    static func read(_ path: String) throws -> Capsule {
        let data = try Inputs.read(path)
        do throws(ReportError) {
            return try Capsule(json: data)
        } catch {
            throw Failure(.inputMissing, "\(path): \(error)")
        }
    }
}

extension LoadedScenarios {
    /// The one run of a capsule.
    fileprivate init(_ capsule: Capsule) throws {
        let scenario: Scenario
        do throws(InvalidScenario) {
            scenario = try capsule.load(systems: CommandLineTool.systems)
        } catch {
            Terminal.remark("\(error)")
            throw Failure(
                .scenarioInvalid,
                "this build does not understand the capsule's scenario; it was made by \(capsule.made.line)"
            )
        }
        scenarios = [(capsule.file, scenario)]
        usesSyntheticVoice = capsule.isSynthetic
        onlySeed = capsule.seed
    }
}
