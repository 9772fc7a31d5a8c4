import ArgumentParser
import KodamaLanguage

/// The programs beside the simulator that scenarios' labels stand for; shared by the commands that run
/// scenarios.
struct ProgramOptions: ParsableArguments {
    @Option(
        name: .customLong("guest"),
        parsing: .unconditionalSingleValue,
        help: .init(
            "The shell command that a label of the scenario's guests stands for, such as "
                + "pigeon=\"python3 pigeon.py\"; repeatable, one for each label.",
            valueName: "label=command"
        )
    )
    var guests: [String] = []

    func validate() throws {
        var labels: Set<String> = []
        for guest in guests {
            guard let (label, _) = Self.split(guest) else {
                throw ValidationError(
                    "--guest \(guest): write a label, '=' and a command, such as "
                        + "pigeon=\"python3 pigeon.py\""
                )
            }
            guard labels.insert(label).inserted else {
                throw ValidationError("--guest \(label) is given twice; a label is one program")
            }
        }
    }

    private static func split(_ text: String) -> (label: String, command: String)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let command = text[text.index(after: equals)...].drop { $0 == " " }
        guard equals > text.startIndex, !command.isEmpty else { return nil }
        return (String(text[..<equals]), String(command))
    }

    /// Lets the systems run them; before anything is loaded.
    func use() {
        guard !guests.isEmpty else { return }
        let commands = guests.compactMap(Self.split).map { ($0.label, $0.command) }
        CommandLineTool.use(Programs(commands: Dictionary(commands) { $1 }))
    }

    /// Refuses scenarios whose labels stand for no program, and programs that no scenario names.
    func check(_ loaded: LoadedScenarios) throws {
        let given = guests.compactMap { Self.split($0)?.label }
        var named: Set<String> = []
        for (file, scenario) in loaded.scenarios {
            for phone in scenario.points.flatMap(\.plan.phones) {
                for label in phone.apps.compactMap(\.settings.program) {
                    named.insert(label)
                    guard !given.contains(label) else { continue }
                    throw Failure(
                        .usage,
                        "\(file): \(phone.name) runs the program '\(label)'; say which one it is: "
                            + "--guest \(label)=\"COMMAND\""
                    )
                }
            }
        }
        for label in given where !named.contains(label) {
            throw Failure(
                .usage,
                "--guest \(label): no scenario names this program"
                    + (named.isEmpty ? "" : "; they name \(named.sorted().joined(separator: ", "))")
            )
        }
    }

    /// The same as arguments.
    var arguments: [String] { guests.flatMap { ["--guest", $0] } }
}
