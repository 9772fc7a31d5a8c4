import ArgumentParser
import Foundation
import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import SansIO

/// Records, compares and filters the records of a run.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract:
            "Records, compares and filters traces: one line per record, made for eyes and diff.",
        subcommands: [Record.self, Diff.self, Filter.self, Export.self]
    )

    struct Record: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs one seed of one scenario and writes its trace."
        )

        @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml"]))
        var file: String

        @Option(
            parsing: .unconditional,
            help: .init("The seed; the scenario's first if not given.", valueName: "number")
        )
        var seed: UInt64?

        @Option(help: "The finest level to record; media is every frame, packets every packet.")
        var level: LevelName = .control

        @OptionGroup var parameters: ParameterOptions

        @OptionGroup var sweeping: SweepOptions

        @OptionGroup var programs: ProgramOptions

        @Flag(help: "Use the built-in synthetic voice instead of recordings.")
        var synthetic = false

        @Option(
            name: .shortAndLong,
            help: .init("The file to write; stdout if not given.", valueName: "file")
        )
        var output: String?

        @OptionGroup var form: TraceFormOptions

        func run() throws {
            try Outputs.refuse(output, option: "--output", over: [file])
            programs.use()
            var loaded = try LoadedScenarios(
                one: file,
                settings: parameters.settings,
                sweeping: sweeping
            )
            try programs.check(loaded)
            if synthetic { try loaded.useSyntheticVoice() }
            guard let (scenario, point) = loaded.one else { return }
            let seed = seed ?? point.firstSeed
            var writer = TraceTextWriter(
                scenario: scenario.name,
                seed: seed,
                level: level.level,
                instants: form.instants
            )
            let run = SingleRun(
                plan: point.plan,
                seed: seed,
                material: try loaded.voices().material
            )
            _ = try Failure.describing {
                try run.run(into: &writer, recordsPackets: level.level >= .packets)
            }
            try Outputs.deliver(Data(writer.takeBytes()), to: output)
        }
    }

    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the first record in which two traces differ; ends with 1 if one does."
        )

        @Argument(help: "A trace; - for stdin.", completion: .file()) var left: String
        @Argument(help: "Another trace.", completion: .file()) var right: String

        func run() throws {
            try Inputs.refuseSharedStdin([left, right])
            let difference = TraceDiff(try TraceFiles.read(left), try TraceFiles.read(right))
            try Terminal.say(difference.description)
            guard difference.isEqual else { throw ExitCode(ExitStatus.gateFailed.rawValue) }
        }
    }

    struct Filter: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps the records that fit all given conditions.",
            discussion: """
                Says on stderr how many records were kept, and where the trace cannot hold what is asked of it.
                """
        )

        @Argument(help: "A trace; - for stdin.", completion: .file()) var file: String

        @Flag(help: "Also keep records that merely concern the component.")
        var subjects = false

        @Option(
            help: .init(
                "The finest level to keep; media is every frame, packets every packet; media if not given.",
                valueName: "level"
            )
        )
        var level: LevelName?

        @OptionGroup var choice: RecordChoice

        @Option(
            name: .shortAndLong,
            help: .init("The file to write; stdout if not given.", valueName: "file")
        )
        var output: String?

        @OptionGroup var form: TraceFormOptions

        func run() throws {
            try Outputs.refuse(output, option: "--output", over: [file])
            var filter = try choice.filter(level: level?.level ?? .media)
            filter.includesSubjects = subjects
            let trace = try TraceFiles.read(file)
            try filter.refuseUnknownNames(in: trace)
            let kept = filter.apply(to: trace)
            try Outputs.deliver(Data(TraceText.write(kept, instants: form.instants)), to: output)
            Terminal.remark(
                "\(kept.records.count) of \(counted(trace.records.count, "record")) kept"
            )
            if let lack = filter.lack(of: level?.level, in: trace, isEmpty: kept.records.isEmpty) {
                Terminal.remark(lack)
            }
        }
    }
}

extension TraceFilter {
    /// Says why a trace cannot hold what is asked of it.
    ///
    /// - Parameters:
    ///   - level: The level that was asked for, if one was.
    ///   - trace: The trace.
    ///   - isEmpty: Whether nothing was kept of it.
    /// - Returns: A sentence; `nil` if it can.
    fileprivate func lack(
        of level: TraceLevel?,
        in trace: RecordedTrace,
        isEmpty: Bool
    ) -> String? {
        if let from, let end = trace.records.last?.instant, from > end {
            let length = MetricUnit.nanoseconds.text(end.nanoseconds)
            return "no record lies there: the trace ends at \(length)"
        }
        let sought = CommandLineTool.systems.evidence.forms.entries.map(\.text).filter { text in
            kinds.contains { $0.matches(text.name) }
        }
        let coarsest = isEmpty ? sought.map(\.level).min() : nil
        if let coarsest, coarsest > self.level {
            return "such records are of level \(coarsest): add --level \(coarsest)"
        }
        guard let asked = [level, coarsest].compactMap(\.self).max(),
            let coarser = TraceLevel(rawValue: asked.rawValue - 1)
        else { return nil }
        var rest = TraceFilter()
        rest.level = coarser
        guard rest.apply(to: trace).records.count == trace.records.count else { return nil }
        return "this trace has no record of level \(asked): record it with --level \(asked)"
    }
}

extension TraceCommand {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a trace in the forms of other tools, and lists its streams of voice.",
            discussion: """
                Record it with --level media for the streams and the sound. The list has for each stream \
                what RFC 3550 counts: packets that arrived, packets lost between the first and the last of \
                them, mean and greatest interarrival jitter. With - for a file its form goes to \
                stdout instead of the list.
                """
        )

        @Argument(help: "A trace; - for stdin.", completion: .file()) var file: String

        @Option(
            help: .init(
                "Write it for ui.perfetto.dev and chrome://tracing.",
                valueName: "file"
            ),
            completion: .file()
        )
        var perfetto: String?

        @Option(
            help: .init(
                "Write the streams as they arrived, as RTP for Wireshark and tshark.",
                valueName: "file"
            ),
            completion: .file()
        )
        var pcapng: String?

        @Flag(help: "List the streams as JSON.")
        var json = false

        /// The files with their options, those that are wanted.
        private var files: [(option: String, path: String)] {
            [("--perfetto", perfetto), ("--pcapng", pcapng)].compactMap { option, path in
                path.map { (option, $0) }
            }
        }

        func run() throws {
            try Outputs.refuseShared(files, json: json)
            for (option, path) in files {
                try Outputs.prepare(path, option: option, over: [file])
            }
            let trace = try TraceFiles.read(file)
            let streams = VoiceStream.all(in: trace)
            if let perfetto { try Outputs.pour(ChromeTrace(trace).json, to: perfetto) }
            if let pcapng { try Outputs.pour(PacketCapture(streams).data, to: pcapng) }
            // What reads a form from stdout would stumble over a list behind it.
            guard !files.contains(where: { $0.path == "-" }) else { return }
            if json {
                struct Result: Encodable {
                    var schemaVersion = 1
                    var streams: [VoiceStream]
                }
                return try Terminal.say(try Outputs.json(Result(streams: streams)))
            }
            try Terminal.say(VoiceStreamTable(streams).text)
        }
    }
}

/// A trace level as an argument.
enum LevelName: String, ExpressibleByArgument, CaseIterable {
    case milestone, control, media, packets

    /// The level.
    var level: TraceLevel {
        switch self {
        case .milestone: .milestone
        case .control: .control
        case .media: .media
        case .packets: .packets
        }
    }
}

/// How a trace is written.
struct TraceFormOptions: ParsableArguments {
    @Flag(help: "Write instants as whole nanoseconds, for programs; every command reads both.")
    var raw = false

    /// How instants are written.
    var instants: TraceText.Instants { raw ? .nanoseconds : .seconds }
}

/// Reads traces from files.
enum TraceFiles {
    static func read(_ path: String) throws -> RecordedTrace {
        let data = try Inputs.read(path)
        let trace: RecordedTrace
        do throws(TraceTextError) {
            trace = try TraceText.parse(
                [UInt8](data),
                systems: CommandLineTool.systems.evidence
            )
        } catch {
            throw Failure(.inputMissing, "\(path):\(error.line): \(error.message)")
        }
        let records = trace.records
        let times = 0...ScenarioLanguage.durationMax
        if let line = records.firstIndex(where: { !times.contains($0.instant.nanoseconds) }) {
            throw Failure(
                .inputMissing,
                "\(path):\(line + 2): the instant lies outside of a run, which begins at 0 s and lasts "
                    + "2016 h at most"
            )
        }
        let late = records.indices.dropFirst().first {
            records[$0].instant < records[$0 - 1].instant
        }
        // The header is the first line.
        if let line = late.map({ $0 + 2 }) {
            throw Failure(
                .inputMissing,
                "\(path):\(line): the record is older than the one before it"
            )
        }
        return trace
    }
}
