import ArgumentParser
import Foundation
import KodamaHarness
import KodamaLanguage

/// Compares two results, or two settings that are run now.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares two results, or two settings, seed by seed.",
        discussion: """
            Equal seeds meet the same weather, so each difference is caused by what changed.

              kodama compare Reports/baseline out
              kodama compare scenario.yaml --seeds 50 --before NAME=8s --after NAME=4s

            Ends with 2 if a gated figure is significantly worse than before by more than the margin or \
            is gone, if its verdict is worse, if a run breaks an invariant that it kept, or if an \
            invariant, or what the timeline waits for, has no data any more; else with 4 if a gate is \
            undecided that was not before, or if a figure is worse by more than the margin and no scenario \
            has seeds enough to tell that from chance; else with 0, whatever the gates say. Where nothing changed, 5 of 1,000 comparisons of \
            whole suites end with 2 by chance, at most; a greatest or least sample counts by its \
            verdict alone.
            """
    )

    @Argument(
        help: """
            The result before and the result after: report.json files or folders that hold one. With \
            --before or --after: scenario files or folders to run.
            """,
        completion: .file()
    )
    var inputs: [String]

    @Option(
        parsing: .unconditionalSingleValue,
        help: .init("A parameter of the side before; repeatable.", valueName: "name=value")
    )
    var before: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: .init("A parameter of the side after; repeatable.", valueName: "name=value")
    )
    var after: [String] = []

    @OptionGroup var choice: ComparedRuns

    @Option(
        parsing: .unconditional,
        help: .init(
            "How much worse is no regression, as a share of the distance to the limit.",
            valueName: "share"
        )
    )
    var margin: String = "10%"

    @Flag(help: "Let what the result after does not have be a regression.")
    var all = false

    @Flag(
        help:
            "Let a result after that shares no point with the one before pass, as what is new does."
    )
    var allowNew = false

    @Flag(help: "Print the comparison as JSON.")
    var json = false

    @OptionGroup var undecided: UndecidedOptions

    @OptionGroup var renderings: RenderingOptions

    @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
    var quiet = false

    func run() async throws {
        guard let margin = QuantityKind.share.amount(of: margin), margin >= 0 else {
            throw Failure(.usage, "--margin \(self.margin): write a share, such as 1%")
        }
        let isRun = !before.isEmpty || !after.isEmpty
        guard isRun || inputs.count == 2 else {
            throw Failure(
                .usage,
                "name two results, or scenarios with --before or --after; there "
                    + (inputs.count == 1 ? "is 1 name" : "are \(inputs.count) names")
            )
        }
        if !isRun, let option = choice.firstOption {
            throw Failure(.usage, "\(option) is for runs; two results are compared as they are")
        }
        if !isRun { try Inputs.refuseSharedStdin(inputs) }
        let read = isRun ? inputs : inputs.map(ReportFiles.file)
        try renderings.prepare(inputs: read, json: json)
        let comparison: ReportComparison
        do {
            comparison = try await compared(isRun: isRun, margin)
        } catch {
            // An earlier comparison's pages would pass for this one's.
            renderings.removeEarlier()
            throw error
        }
        try Terminal.say(
            json
                ? String(decoding: try comparison.json, as: UTF8.self)
                : ComparisonText(comparison).text,
            isPainted: !json
        )
        try renderings.write(comparison)
        guard !comparison.isRegression else { throw ExitCode(ExitStatus.regression.rawValue) }
        if comparison.isUndecided { try undecided.end(isUndecided: true, else: .regression) }
    }

    private func compared(isRun: Bool, _ margin: Int64) async throws -> ReportComparison {
        let comparison =
            isRun
            ? try await comparisonOfRuns(margin)
            : ReportComparison(
                try ReportFiles.read(inputs[0]),
                try ReportFiles.read(inputs[1]),
                marginPartsPerMillion: margin,
                wantsAll: all
            )
        let isNew = allowNew && comparison.points.isEmpty && !comparison.added.isEmpty
        guard comparison.pairedCount > 0 || isNew else {
            throw Failure(.inputMissing, "the results have no point in common")
        }
        return comparison
    }

    private func comparisonOfRuns(_ margin: Int64) async throws -> ReportComparison {
        let sides = try [("--before", before), ("--after", after)].map { option, settings in
            try choice.load(inputs, settings: settings, of: option)
        }
        var reports: [RunReport] = []
        for (side, settings) in zip(sides, [before, after]) {
            let voices = try side.voices()
            var scenarios: [ScenarioReport] = []
            let runner = ScenarioRunner(side, jobs: choice.jobOptions.count, isQuiet: quiet)
            try await runner.run(voices.material) {
                scenarios.append(ScenarioReport($0, isStrict: false))
            }
            reports.append(
                RunReport(
                    scenarios,
                    material: voices.description,
                    options: choice.options + settings.flatMap { ["--set", $0] }
                )
            )
        }
        var comparison = ReportComparison(
            reports[0],
            reports[1],
            marginPartsPerMillion: margin,
            wantsAll: all
        )
        if renderings.html != nil {
            try await addStories(to: &comparison, before: sides[0], after: sides[1])
        }
        return comparison
    }

    /// Runs again what pictures show closely.
    private func addStories(
        to comparison: inout ReportComparison,
        before: LoadedScenarios,
        after: LoadedScenarios
    ) async throws {
        let material = try after.voices().material
        let news = CountedProgress("runs for the pictures", isQuiet: quiet)
        defer { news.end() }
        try await Failure.describing {
            try await comparison.addStories(
                before: before.scenarios.map(\.scenario),
                after: after.scenarios.map(\.scenario),
                material: material,
                jobs: choice.jobOptions.count,
                progress: { news.show($0, of: $1) }
            )
        }
    }
}

/// Which runs are made where two settings are compared.
struct ComparedRuns: ParsableArguments, RunShaping {
    @OptionGroup var parameters: ParameterOptions

    @OptionGroup var sweeping: SweepOptions

    @OptionGroup var programs: ProgramOptions

    @OptionGroup var jobOptions: JobOptions

    @Option(parsing: .unconditional, help: SeedCount.help, transform: SeedCount.read)
    var seeds: SeedCount?

    @Flag(help: "Use the built-in synthetic voice instead of recordings.")
    var synthetic = false

    func validate() throws {
        if seeds == .auto {
            throw ValidationError(
                "--seeds auto: both sides run the same seeds, so their number must be given"
            )
        }
    }

    /// The first option that is given.
    var firstOption: String? {
        [
            parameters.settings.isEmpty ? nil : "--set", sweeping.sweeps.isEmpty ? nil : "--sweep",
            sweeping.only.isEmpty ? nil : "--only", seeds == nil ? nil : "--seeds",
            programs.guests.isEmpty ? nil : "--guest", synthetic ? "--synthetic" : nil,
            jobOptions.jobs == nil ? nil : "--jobs",
        ].compactMap(\.self).first
    }

    /// Loads one side, whose own settings were given under an option of its own.
    func load(
        _ paths: [String],
        settings: [String],
        of option: String
    ) throws -> LoadedScenarios {
        let own = settings.filter { !parameters.settings.contains($0) }
        programs.use()
        var loaded = try LoadedScenarios(
            paths,
            settings: parameters.settings + settings,
            sweeping: sweeping,
            arguments: Dictionary(
                own.map { ("--set \($0)", "\(option) \($0)") },
                uniquingKeysWith: { first, _ in first }
            )
        )
        try programs.check(loaded)
        loaded.seedCount = seeds
        loaded.tellGates()
        if synthetic { try loaded.useSyntheticVoice() }
        return loaded
    }
}
