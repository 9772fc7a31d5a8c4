import ArgumentParser
import Foundation
import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaSpeech

/// Runs scenarios and judges them.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs scenarios over their seeds and judges the figures by their gates.",
        discussion: """
            The result goes to stdout and is the same for the same scenarios, parameters and seeds; \
            progress and speed go to stderr. Ends with 1 if a gate failed or has no data, else with 4 if \
            one is undecided: more runs, or longer ones, must tell.
            """
    )

    @OptionGroup var selection: Selection

    @OptionGroup var jobOptions: JobOptions

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Option(
        name: .shortAndLong,
        help: .init(
            "Also write every rendering of the report but annotations into this folder, a "
                + "manifest.json of what made it, and in 'capsules' a file for each failing gate, "
                + "in place of an earlier result's.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var output: String?

    @Option(
        help: .init(
            "Also write a capsule of each failing gate into this folder: a file that 'replay' repeats "
                + "anywhere; 'capsules' in the folder of --output if not given.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var capsules: String?

    @Option(
        help: .init(
            "Also write, as WAV into this folder, what each phone's speaker plays, what is said at "
                + "each, and the handovers from both sides; first seed only.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var wav: String?

    @OptionGroup var renderings: RenderingOptions

    @Flag(help: "Also show every metric, gated or not.")
    var metrics = false

    @Option(
        parsing: .unconditionalSingleValue,
        help: .init("Also show this metric, gated or not; repeatable.", valueName: "metric")
    )
    var show: [String] = []

    @Flag(
        help: .init(
            "Only look: no gate needs more samples than one, no miss counts, the end is 0, and what is kept "
                + "says so; of a sweep, also show what differs besides the gated figures."
        )
    )
    var explore = false

    @Option(
        help: .init(
            "Do only every n-th run, from the i-th on, and write what 'merge' joins: to stdout, or into "
                + "the folder of --output.",
            valueName: "i/n"
        ),
        transform: { text in
            guard let shard = RunShard(text) else {
                throw ValidationError("write which of how many, from 1 on, such as 2/5")
            }
            return shard
        }
    )
    var shard: RunShard?

    @OptionGroup var undecided: UndecidedOptions

    @OptionGroup var ties: TieOptions

    @Flag(help: "Treat warnings as failures.")
    var strict = false

    @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
    var quiet = false

    @Flag(
        name: .shortAndLong,
        help: "Show the figures of every scenario, of several too, and say how fast each was."
    )
    var verbose = false

    func validate() throws {
        let known = CommandLineTool.systems.evidence.metrics.map(\.name)
        for name in show where !known.contains(name) {
            let hint = Suggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" }
            throw ValidationError(
                "--show \(name): there is no such metric\(hint ?? ""); 'kodama list metrics' lists them"
            )
        }
        if explore, shard != nil || strict || json {
            throw ValidationError(
                "--explore counts no miss; leave --shard, --strict and --json out"
            )
        }
        if selection.quick, explore || shard != nil {
            throw ValidationError("--quick judges for itself; leave --explore and --shard out")
        }
        if shard != nil, wav != nil || metrics || capsules != nil || !renderings.isEmpty {
            throw ValidationError(
                "--shard leaves a part of a result; 'kodama merge' makes renderings of the whole"
            )
        }
    }

    func run() async throws {
        var loaded = try selection.load()
        if explore { loaded.askForOneSample() }
        let sounds = try wav.map { try SpeakerFiles(folder: $0, of: loaded) }
        try renderings.prepare(
            inputs: loaded.scenarios.map(\.file),
            output: shard == nil ? output : nil,
            json: json
        )
        let folder = try output.map { try ReportFolder($0, isShared: shard != nil) }
        if let capsules { try Outputs.makeFolder(capsules, option: "--capsules") }
        let voices = try loaded.voices()
        if let shard { return try await run(shard, of: loaded, voices, folder) }
        let results = RunResults(loaded, voices, self)
        Interruption.keep { [renderings] in results.keepFinished(folder, renderings) }
        try await runner(of: loaded).run(
            voices.material,
            finished: results.add,
            begun: results.keep
        )
        var report = results.report
        if folder != nil || renderings.html != nil {
            try await addStories(to: &report, of: loaded, voices.material)
        }
        try Interruption.hold { [report] in
            try write(report, to: folder, sounds?.page)
            try writeCapsules(of: report, loaded, voices.material, in: folder)
        }
        try sounds?.write(voices.material, isQuiet: quiet)
        if !explore { try undecided.end(report) }
    }

    private func run(
        _ shard: RunShard,
        of loaded: LoadedScenarios,
        _ voices: Voices,
        _ folder: ReportFolder?
    ) async throws {
        if let name = loaded.openScenario {
            throw Failure(
                .usage,
                "--shard: how many seeds \(name) runs is open until its verdict is decided; "
                    + "give --seeds a number"
            )
        }
        let plan = RunPlan(
            loaded.scenarios.map { ($0.scenario, $0.file, $0.scenario.points.map(loaded.seeds)) },
            material: voices.description,
            options: selection.options + ties.options,
            isStrict: strict
        )
        var outcomes: [ScenarioOutcome] = []
        try await runner(of: loaded).run(voices.material, seeds: plan.seeds(of: shard)) {
            outcomes.append($0)
        }
        let result = ShardResult(shard, of: plan, outcomes: outcomes)
        if let folder {
            let name = "shard-\(shard.index)-of-\(shard.count).json"
            try Outputs.write(try result.json, to: Outputs.path(name, in: folder.path))
            let share = "\(result.runCount) of \(counted(plan.runCount, "run"))"
            try Terminal.say("shard \(shard): \(share), no verdict before 'kodama merge'")
        } else {
            try Terminal.say(String(decoding: try result.json, as: UTF8.self))
        }
    }

    /// Whether scenarios are told in a line each: of several, nobody looks at all figures.
    func isFolded(_ scenarioCount: Int) -> Bool {
        scenarioCount > 1 && !verbose && !metrics && show.isEmpty && !explore
    }

    /// How little the result promises.
    var tier: RunReport.Tier? { explore ? .explored : selection.quick ? .quick : nil }

    private func runner(of loaded: LoadedScenarios) -> ScenarioRunner {
        var runner = ScenarioRunner(loaded, jobs: jobOptions.count, isQuiet: quiet)
        runner.tieShuffleSeed = ties.shuffleTies
        runner.isVerbose = verbose
        return runner
    }

    private func write(
        _ report: RunReport,
        to folder: ReportFolder?,
        _ sounds: String?
    ) throws {
        let console = ConsoleReport(
            report,
            showsMetrics: metrics,
            shown: show,
            showsTrades: explore
        )
        // In a folder the figures are kept.
        let text = console.text + "\n"
        // stdout first: a full disk then costs the files, but not the result. The sections stand there
        // already, each since its scenario was done.
        let shown = json ? String(decoding: try report.json, as: UTF8.self) : console.verdict
        try Terminal.say(shown, isPainted: !json)
        guard folder != nil || renderings.html != nil else {
            return try renderings.write(report, nil)
        }
        try renderings.write(
            report,
            .current,
            sounds: sounds,
            in: folder.map { ($0, text) }
        )
    }

    /// Writes a file for each failing gate, with which anybody can repeat its worst run.
    private func writeCapsules(
        of report: RunReport,
        _ loaded: LoadedScenarios,
        _ material: SpeechMaterial?,
        in result: ReportFolder?
    ) throws {
        guard !explore, let folder = capsules ?? result?.capsules else {
            if result?.heldResult == true { try result?.removeEarlierCapsules() }
            return
        }
        let how = Capsule.Circumstances(
            made: .current,
            tieShuffleSeed: ties.shuffleTies,
            isSynthetic: selection.synthetic,
            systems: CommandLineTool.systems
        )
        var files = CapsuleFolder(folder: folder)
        for (index, entry) in loaded.scenarios.enumerated() {
            let found = try Failure.describing(entry.file) {
                try Capsule.all(ofScenario: index, in: report, entry.scenario, how)
            }
            for (name, failure) in found {
                var capsule = failure
                let isSame = try Failure.describing {
                    try capsule.keepTranscripts(material, systems: how.systems)
                }
                guard isSame else {
                    throw Failure(
                        .notDeterministic,
                        "\(entry.file): seed \(failure.seed) ran otherwise when it was repeated for its "
                            + "capsule; 'kodama guest check' shows where a guest differs"
                    )
                }
                let path = try files.write(capsule, as: name)
                if !quiet {
                    Terminal.remark("wrote \(path); repeat it with: kodama replay \(path)")
                }
            }
        }
        guard let result, result.heldResult else { return }
        // Beside this report, those of an earlier one would pass for its own.
        if Outputs.place(folder) == Outputs.place(result.capsules) {
            try files.removeOthers()
        } else {
            try result.removeEarlierCapsules()
        }
    }

    /// Runs again what pictures show closely.
    private func addStories(
        to report: inout RunReport,
        of loaded: LoadedScenarios,
        _ material: SpeechMaterial?
    ) async throws {
        let news = CountedProgress("runs for the pictures", isQuiet: quiet)
        defer { news.end() }
        try await Failure.describing {
            try await report.addStories(
                of: loaded.scenarios.map(\.scenario),
                material: material,
                tieShuffleSeed: ties.shuffleTies,
                jobs: jobOptions.count,
                progress: { news.show($0, of: $1) }
            )
        }
    }
}
