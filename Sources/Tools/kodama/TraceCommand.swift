import ArgumentParser
import Evidence
import Foundation
import Harness
import SansIO
import Scenarios

/// Records, compares and filters the records of a run.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract:
            "Records, compares and filters traces: one line per record, made for eyes and diff.",
        subcommands: [Record.self, Diff.self, Filter.self]
    )

    struct Record: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs one seed of one scenario and writes its trace."
        )

        @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml"]))
        var file: String

        @Option(help: "The seed; the scenario's first if not given.")
        var seed: UInt64?

        @Option(help: "How much: milestone, control or media (every frame).")
        var level: LevelName = .control

        @Option(name: .customLong("set"), help: "A parameter, such as vad.attack=40ms; repeatable.")
        var settings: [String] = []

        @Option(name: .shortAndLong, help: "The file to write; stdout if not given.")
        var output: String?

        func run() throws {
            let loaded = try LoadedScenarios([file], settings: settings)
            guard let scenario = loaded.scenarios.first?.scenario, loaded.scenarios.count == 1
            else {
                throw Failure(.usage, "\(file) is not one scenario but \(loaded.scenarios.count)")
            }
            let seed = seed ?? scenario.firstSeed
            var writer = TraceTextWriter(scenario: scenario.name, seed: seed, level: level.level)
            let run = SingleRun(
                plan: scenario.plan,
                seed: seed,
                material: try loaded.voices().material
            )
            _ = try Failure.describing { try run.run(into: &writer) }
            try Outputs.deliver(Data(writer.takeBytes()), to: output)
        }
    }

    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the first record in which two traces differ; ends with 1 if one does."
        )

        @Argument(help: "A trace.", completion: .file()) var left: String
        @Argument(help: "Another trace.", completion: .file()) var right: String

        func run() throws {
            let difference = TraceDiff(try TraceFiles.read(left), try TraceFiles.read(right))
            Terminal.say(difference.description)
            guard difference.isEqual else { throw ExitCode(ExitStatus.gateFailed.rawValue) }
        }
    }

    struct Filter: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps the records that fit all given conditions."
        )

        @Argument(help: "A trace.", completion: .file()) var file: String

        @Option(help: "A component's name, with * for any letters; repeatable.")
        var component: [String] = []

        @Flag(help: "Also keep records that merely concern the component.")
        var subjects = false

        @Option(help: "A kind, such as frame.*; repeatable.")
        var kind: [String] = []

        @Option(help: "The finest level to keep: milestone, control or media.")
        var level: LevelName = .media

        @Option(help: "The earliest instant, such as 1.5s.") var from: String?
        @Option(help: "The instant to stop before, such as 2s.") var until: String?

        @Option(name: .shortAndLong, help: "The file to write; stdout if not given.")
        var output: String?

        func run() throws {
            var filter = TraceFilter()
            filter.components = component.map { NamePattern($0) }
            filter.includesSubjects = subjects
            filter.kinds = kind.map { NamePattern($0) }
            filter.level = level.level
            filter.from = try from.map { try Settings.instant($0, option: "--from") }
            filter.until = try until.map { try Settings.instant($0, option: "--until") }
            let kept = filter.apply(to: try TraceFiles.read(file))
            try Outputs.deliver(Data(TraceText.write(kept)), to: output)
        }
    }
}

/// A trace level as an argument.
enum LevelName: String, ExpressibleByArgument, CaseIterable {
    case milestone, control, media

    /// The level.
    var level: TraceLevel {
        switch self {
        case .milestone: .milestone
        case .control: .control
        case .media: .media
        }
    }
}

/// Reads traces from files.
enum TraceFiles {
    static func read(_ path: String) throws -> RecordedTrace {
        let data = try Inputs.read(path)
        do {
            return try TraceText.parse([UInt8](data))
        } catch {
            throw Failure(.inputMissing, "\(path): \(error)")
        }
    }
}
