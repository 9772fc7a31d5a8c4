import ArgumentParser
import Foundation
import Scenarios

/// 木霊, the echo that answers in the mountains.
@main
struct Kodama: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kodama",
        abstract:
            "Runs the real client code of apps that talk against simulated phones and radios.",
        discussion: """
            Scenarios are YAML files; each run is repeatable to the bit from its seed.

              kodama run Scenarios/intercom --seeds 100
              kodama check my-scenario.yaml
              kodama list metrics

            Exit codes: 0 all gates pass, 1 a gate failed or has no data, 3 not deterministic, 64 usage, \
            65 a scenario is invalid, 66 an input is missing, 70 internal error, 73 cannot write, \
            130 interrupted.
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, CheckCommand.self, ResolveCommand.self, VerifyCommand.self,
            ListCommand.self, TraceCommand.self, VadCommand.self, JitterCommand.self,
            SchemaCommand.self, CalibrateCommand.self,
        ]
    )

    /// Parses and runs, with a suggestion for a mistyped command and an exit code for every end.
    static func main() async {
        signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try refuseUnknownCommand(arguments.first)
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            Terminal.complain(failure.message)
            Foundation.exit(failure.status.rawValue)
        } catch let code as ExitCode {
            Foundation.exit(code.rawValue)
        } catch  where exitCode(for: error) != .failure {
            exit(withError: error)
        } catch {
            Terminal.complain("internal error: \(error)")
            Foundation.exit(ExitStatus.internalError.rawValue)
        }
    }

    private static func refuseUnknownCommand(_ word: String?) throws {
        guard let word, !word.hasPrefix("-") else { return }
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        guard !names.contains(word) else { return }
        let nearest = Suggestion.nearest(to: word, among: names)
        let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
        throw Failure(
            .usage,
            "there is no command '\(word)'\(hint)\nCommands: \(names.joined(separator: ", "))"
        )
    }
}

/// How the process ends; the table stands in the help text.
enum ExitStatus: Int32 {
    case gateFailed = 1
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
