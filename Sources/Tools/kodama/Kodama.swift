import ArgumentParser
import Foundation
import Scenarios

/// 木霊, the echo that answers in the mountains.
@main
struct Kodama: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kodama",
        abstract:
            "Runs the real client code of voice apps against simulated phones, servers and people.",
        discussion: """
            Scenarios are YAML files; each run is repeatable to the bit from its seed.

              kodama run Scenarios/intercom --seeds 100
              kodama run my-scenario.yaml --seed 7 --set vad.attack=40ms --wav sounds
              kodama replay my-scenario.yaml --seed 7
              kodama check my-scenario.yaml
              kodama list metrics

            Results go to stdout, everything else to stderr.

            Exit codes: 0 all gates pass, 1 a gate failed or has no data, 2 worse than before (compare), 3 incomplete or not deterministic, 64 usage, \
            65 a scenario is invalid, 66 an input is missing, 70 internal error, 73 cannot write, \
            130 interrupted.
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, ReplayCommand.self, ExplainCommand.self, WhyCommand.self,
            ReportCommand.self, MergeCommand.self,
            CompareCommand.self, InitCommand.self, GuideCommand.self,
            CheckCommand.self,
            ResolveCommand.self,
            VerifyCommand.self, ListCommand.self, TraceCommand.self, VadCommand.self,
            ScenesCommand.self, JitterCommand.self, DelaysCommand.self, SchemaCommand.self,
            CalibrateCommand.self,
            TokenCommand.self,
        ]
    )

    /// Parses and runs, with a suggestion for a mistyped command and an exit code for every end.
    static func main() async {
        // First of all, or the pipe for signals would take their places.
        Terminal.fillClosedStreams()
        Interruption.listen()
        signal(SIGPIPE, SIG_IGN)
        let arguments = ShortOptions.separated(Array(CommandLine.arguments.dropFirst()))
        do {
            try refuseUnknownCommand(arguments[...], of: Kodama.self)
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    private static func end(with error: any Error) -> Never {
        switch error {
        case let failure as Failure:
            Terminal.complain(failure.message)
            Foundation.exit(failure.status.rawValue)
        case let code as ExitCode:
            Foundation.exit(code.rawValue)
        default:
            switch exitCode(for: error) {
            case .success:
                // Help and version are results; they go to stdout.
                exit(withError: error)
            case .validationFailure:
                let message = fullMessage(for: error)
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
        of command: any ParsableCommand.Type
    ) throws {
        let known = command.configuration.subcommands
        guard let word = words.first, !word.hasPrefix("-"), !known.isEmpty else { return }
        if let next = known.first(where: { $0._commandName == word }) {
            return try refuseUnknownCommand(words.dropFirst(), of: next)
        }
        let isRoot = command == Kodama.self
        if isRoot, word == "help" {
            return try refuseUnknownCommand(words.dropFirst(), of: command)
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
enum ExitStatus: Int32 {
    case gateFailed = 1
    case regression = 2
    case notDeterministic = 3
    case usage = 64
    case scenarioInvalid = 65
    case inputMissing = 66
    case internalError = 70
    case cannotWrite = 73
    case interrupted = 130
}

/// An end that the user can do something about: a message for stderr and an exit code.
struct Failure: Error {
    var status: ExitStatus
    var message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
