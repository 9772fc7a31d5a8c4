import ArgumentParser
import Evidence
import Foundation
import Harness
import Scenarios

/// Runs one seed again and shows what happened in it.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Runs one seed of a scenario again and shows its records and its judgement.",
        discussion: """
            The records go to stdout, milestones if nothing else is asked for, then the judgement of \
            this run alone. Ends with 1 if a gate failed or has no data, whatever the scenario \
            documents. A failing report prints the command that replays its worst run.
            With --json stdout carries the report of this run alone, and records only go to a file.
            """
    )

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml"]))
    var file: String

    @Option(
        parsing: .unconditional,
        help: .init("The seed; the scenario's first if not given.", valueName: "number")
    )
    var seed: UInt64?

    @OptionGroup var parameters: ParameterOptions

    @OptionGroup var sweeping: SweepOptions

    @Flag(help: "Let the built-in synthetic voice talk instead of recordings.")
    var synthetic = false

    @OptionGroup var ties: TieOptions

    @Option(help: "The finest level to show; media is every frame.")
    var level: LevelName = .milestone

    @OptionGroup var choice: RecordChoice

    @Option(
        help: .init("Write the records to this file instead of stdout.", valueName: "file"),
        completion: .file()
    )
    var trace: String?

    @OptionGroup var form: TraceFormOptions

    @Option(
        help: .init(
            "Also write what each phone's speaker plays, as WAV, into this folder.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var wav: String?

    @Flag(help: "Also show every metric, gated or not.")
    var metrics = false

    @Flag(help: "Print the report of this run alone as JSON.")
    var json = false

    func run() throws {
        try Outputs.refuse(trace, option: "--trace", over: [file])
        var loaded = try LoadedScenarios(
            one: file,
            settings: parameters.settings,
            sweeping: sweeping
        )
        loaded.usesSyntheticVoice = synthetic
        guard let (scenario, point) = loaded.one else { return }
        // Whom a record concerns is part of the story as much as whose it is.
        var filter = try choice.filter(level: level.level)
        filter.includesSubjects = true
        let seed = seed ?? point.firstSeed
        loaded.onlySeed = seed
        let sounds = try wav.map { try SpeakerFiles(folder: $0, of: loaded) }
        let voices = try loaded.voices()
        let replay = try Failure.describing {
            try Replay(
                scenario,
                file: file,
                seed: seed,
                material: voices.material,
                level: level.level,
                tieShuffleSeed: ties.shuffleTies
            )
        }
        try filter.refuseUnknownNames(in: replay.trace)
        try show(replay, filter, voices.description)
        try sounds?.write(voices.material, isQuiet: false)
        guard replay.isGreen else { throw ExitCode(ExitStatus.gateFailed.rawValue) }
    }

    private func show(_ replay: Replay, _ filter: TraceFilter, _ material: String) throws {
        let kept = filter.apply(to: replay.trace)
        let records = Data(TraceText.write(kept, instants: form.instants))
        if let trace { try Outputs.deliver(records, to: trace) }
        if json {
            let report = replay.report(material: material)
            return try Terminal.say(String(decoding: try report.json, as: UTF8.self))
        }
        let text = replay.text(showsMetrics: metrics)
        let story = trace == nil ? String(decoding: records, as: UTF8.self) + "\n" : ""
        try Terminal.say(story + text)
    }
}
