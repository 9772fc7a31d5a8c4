import ArgumentParser
import Foundation
import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import SansIO

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
            A capsule (*.json) that 'run' wrote for a failing gate is repeated to the byte, on any machine, \
            and shown around the moment at which it failed. If the run differs, stderr names the builds \
            that differ, and it ends with 3.
            """
    )

    @OptionGroup var chosen: OneRunOptions

    @Option(help: "The finest level to show; media is every frame, packets every packet.")
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
            "Also write, as WAV into this folder, what each phone's speaker plays, what is said at "
                + "each, and the handovers from both sides.",
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
        try Outputs.refuse(trace, option: "--trace", over: [chosen.file])
        let run = try chosen.load()
        // Whom a record concerns is part of the story as much as whose it is.
        var filter = try choice.filter(level: level.level)
        filter.includesSubjects = true
        if let failure = run.capsule?.failure, choice.isAnywhere { filter.look(at: failure) }
        let sounds = try wav.map { try SpeakerFiles(folder: $0, of: run.loaded) }
        let voices = try run.loaded.voices()
        let replay = try Failure.describing {
            try Replay(
                run.scenario,
                file: run.file,
                seed: run.seed,
                material: voices.material,
                level: filter.recordedLevel(CommandLineTool.systems.evidence),
                tieShuffleSeed: run.tieShuffleSeed,
                about: run.capsule?.point
            )
        }
        try filter.refuseUnknownNames(in: replay.trace)
        try show(replay, filter, voices.description)
        try sounds?.write(voices.material, isQuiet: false)
        if let capsule = run.capsule { try check(replay, capsule, voices.description) }
        guard !replay.isUndecided else { throw ExitCode(ExitStatus.undecided.rawValue) }
        guard replay.isGreen else { throw ExitCode(ExitStatus.gateFailed.rawValue) }
    }

    /// Says whether it is the run of the capsule, and ends if it is not.
    private func check(_ replay: Replay, _ capsule: Capsule, _ material: String) throws {
        let verdict = capsule.verdict(
            onDigest: replay.digest.description,
            by: .current,
            material: material
        )
        Terminal.remark(verdict.sentence)
        guard verdict.isSame else { throw ExitCode(ExitStatus.notDeterministic.rawValue) }
    }

    private func show(_ replay: Replay, _ filter: TraceFilter, _ material: String) throws {
        let kept = filter.apply(to: replay.trace)
        if let from = filter.from, let end = replay.trace.records.last?.instant, from > end {
            let length = MetricUnit.nanoseconds.text(end.nanoseconds)
            Terminal.remark("no record lies there: the run ends at \(length)")
        } else if kept.records.isEmpty, filter.level < .media {
            let finer = TraceLevel.allCases.filter { $0 > filter.level && $0 <= .media }
            let options = finer.map { "--level \($0)" }.joined(separator: " or ")
            Terminal.remark("no record of level \(filter.level) lies there; try \(options)")
        }
        let records = Data(TraceText.write(kept, instants: form.instants))
        if let trace { try Outputs.deliver(records, to: trace) }
        if json {
            let report = replay.report(material: material)
            return try Terminal.say(String(decoding: try report.json, as: UTF8.self))
        }
        let text = replay.text(showsMetrics: metrics)
        let story = trace == nil ? String(decoding: records, as: UTF8.self) + "\n" : ""
        try Terminal.say(story + text, isPainted: true)
    }
}

extension RecordChoice {
    /// Whether no stretch of the run is chosen.
    fileprivate var isAnywhere: Bool { from == nil && until == nil && around.isEmpty }
}

extension TraceFilter {
    /// Keeps what is near the moment at which a capsule's run failed.
    fileprivate mutating func look(at failure: Capsule.Failure) {
        guard let from = failure.from, let until = failure.until else { return }
        let reach = margin.wholeNanoseconds
        self.from = Instant(nanoseconds: max(0, from - reach))
        self.until = Instant(nanoseconds: until + reach + 1)
    }
}
