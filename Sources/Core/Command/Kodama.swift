public import ArgumentParser
import Foundation
public import KodamaLanguage

/// 木霊, the echo that answers in the mountains: the whole command line over the systems that it is given.
public struct Kodama: AsyncParsableCommand {
    /// The name, the help and the commands.
    public static let configuration = CommandConfiguration(
        commandName: "kodama",
        abstract:
            "Runs the real client code of voice apps against simulated phones, servers and people.",
        discussion: """
            Scenarios are YAML files; each run is repeatable to the bit from its seed.

              kodama run Scenarios --seeds 100
              kodama run my-scenario.yaml --seed 7 --set vad.attack=40ms --wav sounds
              kodama replay my-scenario.yaml --seed 7
              kodama check my-scenario.yaml
              kodama list metrics

            Results go to stdout, everything else to stderr.

            Exit codes: 0 all gates pass, 1 a gate failed or has no data, 2 worse than before (compare), 3 incomplete or not deterministic, \
            4 undecided: more runs must tell, 64 usage, \
            65 a scenario is invalid, 66 an input is missing, 69 a guest's program is at fault, 70 internal error, 73 cannot write, \
            130 interrupted.
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, ReplayCommand.self, ExplainCommand.self, WhyCommand.self,
            ReportCommand.self, MergeCommand.self,
            CompareCommand.self, InitCommand.self, FromLogCommand.self, NewSystemCommand.self,
            GuideCommand.self,
            CheckCommand.self, SwarmCommand.self, ShrinkCommand.self, EvaluateCommand.self,
            TuneCommand.self, StudioCommand.self, ResolveCommand.self,
            GuestCommand.self, VerifyCommand.self, ListCommand.self, TraceCommand.self,
            SchemaCommand.self,
        ]
    )

    /// Makes the command for the parser.
    public init() {}

    /// Runs the command line of a program that knows these systems, and no others.
    ///
    /// On the main actor, where the program begins: other executors open files, and would take the places of
    /// standard streams that are closed.
    ///
    /// - Parameter systems: The systems' registration values; the order never shows.
    @MainActor
    public static func main(systems: [KodamaSystem]) async {
        await CommandLineTool.main(Kodama.self, systems: systems)
    }
}

/// A program's command line: what all our programs do before and after their commands.
package enum CommandLineTool {
    // Written once, before anything is parsed; commands are made by the parser, which passes nothing on.
    private nonisolated(unsafe) static var registered: SystemRegistry?

    /// The systems that the program knows.
    package static var systems: SystemRegistry { registered ?? .core }

    /// Lets the systems run these programs from now on; before anything is loaded.
    static func use(_ programs: Programs) { registered = systems.with(programs) }

    /// Parses and runs, with a suggestion for a mistyped command and an exit code for every end.
    ///
    /// - Parameters:
    ///   - root: The program's root command.
    ///   - systems: The systems that it knows.
    @MainActor
    package static func main<Root: AsyncParsableCommand>(
        _ root: Root.Type,
        systems: [KodamaSystem]
    ) async {
        // First of all, or the pipe for signals would take their places.
        Terminal.fillClosedStreams()
        Interruption.listen()
        signal(SIGPIPE, SIG_IGN)
        let arguments = ShortOptions.separated(Array(CommandLine.arguments.dropFirst()))
        do {
            let conflicts = SystemRegistry.conflicts(among: systems)
            guard conflicts.isEmpty else {
                throw Failure(.internalError, conflicts.joined(separator: "\n"))
            }
            registered = SystemRegistry(systems)
            try refuseUnknownCommand(arguments[...], of: root, root: root)
            var command = try root.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error, of: root)
        }
    }

    private static func end(with error: any Error, of root: any ParsableCommand.Type) -> Never {
        switch error {
        case let failure as Failure:
            Terminal.complain(failure.message)
            Foundation.exit(failure.status.rawValue)
        case let code as ExitCode:
            Foundation.exit(code.rawValue)
        default:
            switch root.exitCode(for: error) {
            case .success:
                // Help and version are results; they go to stdout.
                root.exit(withError: error)
            case .validationFailure:
                let message = root.fullMessage(for: error)
                Terminal.complain(String(message.trimmingPrefix("Error: ")))
                Foundation.exit(ExitStatus.usage.rawValue)
            default:
                Terminal.complain("internal error: \(error)")
                Foundation.exit(ExitStatus.internalError.rawValue)
            }
        }
    }

    private static func refuseUnknownCommand(
        _ words: ArraySlice<String>,
        of command: any ParsableCommand.Type,
        root: any ParsableCommand.Type
    ) throws {
        let known = command.configuration.subcommands
        guard let word = words.first, !word.hasPrefix("-"), !known.isEmpty else { return }
        if let next = known.first(where: { $0._commandName == word }) {
            return try refuseUnknownCommand(words.dropFirst(), of: next, root: root)
        }
        let isRoot = command == root
        if isRoot, word == "help" {
            return try refuseUnknownCommand(words.dropFirst(), of: command, root: root)
        }
        let names = known.map { $0._commandName } + (isRoot ? ["help"] : [])
        let place = isRoot ? "" : " under '\(command._commandName)'"
        let hint = Suggestion.nearest(to: word, among: names).map { "; did you mean '\($0)'?" }
        throw Failure(
            .usage,
            "there is no command '\(word)'\(place)\(hint ?? "")\n"
                + "Commands: \(names.joined(separator: ", "))"
        )
    }
}

/// How the process ends; the table stands in the help text.
package enum ExitStatus: Int32 {
    case gateFailed = 1
    case regression = 2
    case notDeterministic = 3
    case undecided = 4
    case usage = 64
    case scenarioInvalid = 65
    case inputMissing = 66
    case programFault = 69
    case internalError = 70
    case cannotWrite = 73
    case interrupted = 130
}

/// An end that the user can do something about: a message for stderr and an exit code.
package struct Failure: Error {
    var status: ExitStatus
    var message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
