import ArgumentParser
import Foundation
import KodamaHarness
import KodamaLanguage

/// Writes a scenario to begin with.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a commented scenario that runs as it is, to begin with.",
        discussion: """
            Each app has one of its own. Each line says what can stand there. 'kodama schema --output \
            FILE' writes what editors complete and check by.
            """
    )

    @Argument(help: "The file to write; - for stdout.", completion: .file(extensions: ["yaml"]))
    var file: String = "scenario.yaml"

    @Option(help: .init("The app that it is about.", valueName: "name"))
    var app: String?

    @Flag(help: "Write over a file that is there.")
    var force = false

    func run() throws {
        let body = try start()
        if file != "-" {
            guard force || !FileManager.default.fileExists(atPath: file) else {
                throw Failure(
                    .cannotWrite,
                    "'\(file)' is there already; name another file, or write over it with --force"
                )
            }
            try Outputs.prepare(file, option: "init")
        }
        let name = file == "-" ? "scenario" : Self.scenarioName(of: file)
        let head = """
            # yaml-language-server: $schema=scenario.schema.json
            # Editors complete and check by that file; write it with: kodama schema --output scenario.schema.json
            version: 2
            scenario: \(name)

            """
        try Outputs.deliver(Data((head + body).utf8), to: file)
        if file != "-" { Terminal.remark("wrote \(file); now: kodama run \(file)") }
    }

    /// The scenario of the app that was named, or of the only one that has any.
    private func start() throws -> String {
        let starts = CommandLineTool.systems.language.starts
        let names = starts.map(\.system)
        let chosen = app ?? (names.count == 1 ? names[0] : nil)
        if let start = starts.first(where: { $0.system == chosen }) { return start.scenario }
        guard !starts.isEmpty else {
            throw Failure(.usage, "no app of this program has a scenario to begin with")
        }
        let list = TextTable(
            starts.map { ["  --app \($0.system)", String(Self.summary(of: $0.scenario))] }
        ).lines
        let complaint = app.map { name in
            let hint = Suggestion.nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
            return "no app '\(name)' has a scenario to begin with\(hint ?? "")"
        }
        throw Failure(
            .usage,
            (complaint ?? "say which app it is about") + "\n" + list.joined(separator: "\n")
        )
    }

    /// What a scenario says of itself.
    private static func summary(of scenario: String) -> Substring {
        scenario.prefix { $0 != "\n" }.trimmingPrefix("summary: ")
    }

    /// A name for the scenario in a file: what scenarios may be called, made from the file's name.
    static func scenarioName(of file: String) -> String {
        let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent.lowercased()
        let letters = stem.unicodeScalars.map { scalar -> Character in
            ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
        }
        let name = String(letters).split(separator: "-").joined(separator: "-")
        return name.first?.isLetter == true ? name : name.isEmpty ? "scenario" : "scenario-\(name)"
    }
}
