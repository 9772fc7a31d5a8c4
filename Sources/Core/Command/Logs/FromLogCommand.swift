import ArgumentParser
import Foundation
import KodamaHarness
import KodamaLanguage
import SansIO

/// Makes a scenario of production logs.
struct FromLogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "from-log",
        abstract: "Makes a scenario of a user's production logs.",
        discussion: """
            Logs are LiveKit's webhooks, JSON objects; what 'log show --style ndjson' or '--style json' writes of \
            an app's categories RTC and NWPath; and tables of times, path and signal (CSV). What was told happens at its \
            instant. What no log tells is a range that is swept. A comment behind each line names the file and \
            the line that it comes from; what was not used is counted on stderr.

              kodama from-log phone.ndjson webhooks.jsonl -o bad-evening.yaml
              kodama from-log webhooks.jsonl --participant mika
            """
    )

    @Argument(help: "The logs of one user; - for stdin.", completion: .file())
    var files: [String]

    @Option(
        name: .shortAndLong,
        help: .init("The scenario to write; stdout if not given.", valueName: "file")
    )
    var output: String?

    @Option(help: .init("The app that wrote them.", valueName: "name"))
    var app: String?

    @Option(
        help: .init("The participant's identity in webhooks of several.", valueName: "identity")
    )
    var participant: String?

    func run() throws {
        try Inputs.refuseSharedStdin(files)
        if let twice = files.indices.first(where: { files[..<$0].contains(files[$0]) }) {
            throw Failure(.usage, "'\(files[twice])' is named twice")
        }
        if let app { _ = try named(app) }
        if let output { try Outputs.prepare(output, option: "--output", over: files) }
        let logs = try files.map { file in
            try LogFile(file == "-" ? "stdin" : file, try Inputs.read(file))
        }
        // Of one time, the order of the files and their lines decides.
        let lines = logs.flatMap(\.lines).enumerated()
            .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
            .map(\.element)
        guard !lines.isEmpty else {
            throw Failure(
                .inputMissing,
                "\(files.joined(separator: ", ")): no line says anything; needed are webhooks of a participant, "
                    + "lines of the categories RTC or NWPath, or a table with path or rsrp"
            )
        }
        try Self.refuseTooLong(lines)
        let part = try part(for: lines)
        let scenario: LoggedScenario
        do throws(LogComplaint) {
            scenario = try part.scenario(LogPart.Question(lines, participant: participant))
        } catch {
            throw Failure(.inputMissing, "\(files.joined(separator: ", ")): \(error.words)")
        }
        let name = output.map { $0 == "-" ? "from-log" : InitCommand.scenarioName(of: $0) }
        let text = scenario.yaml(name: name ?? "from-log", files: logs.map(\.name))
        try Outputs.deliver(Data(text.utf8), to: output)
        remark(scenario, logs)
    }

    /// The longest run, without an hour for what a story needs before and behind its lines.
    private static let spanMax = ScenarioLanguage.durationMax - 3_600_000_000_000

    /// Refuses lines that no run could hold, such as one whose clock was never set.
    private static func refuseTooLong(_ lines: [LoggedLine]) throws {
        guard let first = lines.first, let last = lines.last,
            last.instant.nanoseconds - first.instant.nanoseconds > spanMax
        else { return }
        throw Failure(
            .inputMissing,
            "\(last.place): this was written more than 2015 h after \(first.place), and a run lasts 2016 h at most; "
                + "leave out what is far from what went wrong, and lines of a wrong clock"
        )
    }

    /// The systems that read logs, by name.
    private var parts: [(name: String, part: LogPart)] {
        CommandLineTool.systems.systems.compactMap { system in
            system.log.map { (name: system.name, part: $0) }
        }.sorted { $0.name < $1.name }
    }

    /// The system whose logs they are: the one that was named, the only one, or the only one that surely is.
    private func part(for lines: [LoggedLine]) throws -> LogPart {
        if let app { return try named(app) }
        let parts = parts
        guard parts.count > 1 else {
            guard let part = parts.first?.part else {
                throw Failure(.usage, "no app of this program reads logs")
            }
            return part
        }
        let sure = parts.filter { lines.contains(where: $0.part.isSurelyOf) }
        if sure.count == 1 { return sure[0].part }
        throw Failure(.usage, "say which app wrote them\n\(list)")
    }

    private func named(_ app: String) throws -> LogPart {
        if let part = parts.first(where: { $0.name == app })?.part { return part }
        let hint = Suggestion.nearest(to: app, among: parts.map(\.name))
            .map { "; did you mean '\($0)'?" }
        throw Failure(.usage, "no app '\(app)' reads logs\(hint ?? "")\n\(list)")
    }

    private var list: String {
        TextTable(parts.map { ["  --app \($0.name)", $0.part.summary] }).lines
            .joined(separator: "\n")
    }

    /// Says what was not used, and what comes next.
    private func remark(_ scenario: LoggedScenario, _ logs: [LogFile]) {
        let left = logs.flatMap(\.skipped) + scenario.unused.map { ($0.what, $0.first, $0.count) }
        for (what, first, count) in left {
            let more = count == 1 ? "" : " and \(count - 1) more"
            Terminal.remark("not used: \(what): \(first)\(more)")
        }
        if let output, output != "-" {
            Terminal.remark("wrote \(output); now: kodama run \(output)")
        }
    }
}
