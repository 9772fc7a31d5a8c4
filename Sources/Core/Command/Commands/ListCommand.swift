import ArgumentParser
import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaSimulation
import KodamaSpeech

/// Lists what scenarios can name.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists scenarios, requirements, and what scenarios can name."
    )

    enum Subject: String, CaseIterable {
        case scenarios, requirements, metrics, parameters, profiles, invariants, records
        case recordings
    }

    @Argument(
        help: """
            scenarios, requirements with the scenarios and tests that show them, metrics, \
            parameters, profiles, invariants, the records of traces, or the recordings that voices speak.
            """,
        completion: .list(Subject.allCases.map(\.rawValue)),
        transform: subject
    )
    var subject: Subject

    @Argument(
        help: "For scenarios and requirements: files or folders; Scenarios if none is given."
    )
    var paths: [String] = []

    @Option(
        help: .init(
            "For requirements: add each one's verdict in this report, as 'run' left it, and how many "
                + "of its scenarios were run with all their points, unless all were.",
            valueName: "result"
        ),
        completion: .file()
    )
    var verdicts: String?

    @Flag(help: "Print the rows as JSON.")
    var json = false

    func run() throws {
        guard paths.isEmpty || subject == .scenarios || subject == .requirements else {
            throw Failure(
                .usage,
                "'\(paths[0])': only scenarios and requirements are listed by file or folder"
            )
        }
        guard verdicts == nil || subject == .requirements else {
            throw Failure(.usage, "--verdicts: only requirements have verdicts")
        }
        var mistakes = Mistakes()
        try show(try table(&mistakes))
        // One broken file hides nothing of the others, but is not passed over either.
        try mistakes.end()
    }

    private static func subject(_ word: String) throws -> Subject {
        if let subject = Subject(rawValue: word) { return subject }
        let names = Subject.allCases.map(\.rawValue)
        let hint = Suggestion.nearest(to: word, among: names).map { "; did you mean '\($0)'?" }
        throw ValidationError(
            "there is no list of '\(word)'\(hint ?? "")\nLists: \(names.joined(separator: ", "))"
        )
    }

    struct Table {
        var columns: [String]
        var rows: [[String]]
    }

    private func show(_ table: Table) throws {
        guard json else {
            let table = TextTable([table.columns] + table.rows)
            return try Terminal.say(table.lines.joined(separator: "\n"))
        }
        struct Result: Encodable {
            var schemaVersion = 1
            var rows: [[String: String]]
        }
        let rows = table.rows.map {
            Dictionary(zip(table.columns, $0), uniquingKeysWith: { first, _ in first })
        }
        try Terminal.say(try Outputs.json(Result(rows: rows)))
    }

    private func recordingTable() throws -> Table {
        guard let decoder = CommandLineTool.systems.decoder else {
            throw Failure(.inputMissing, "\(SpeechCorpusError.noDecoder)")
        }
        let corpus: SpeechCorpus
        do throws(SpeechCorpusError) {
            corpus = try SpeechCorpus.load(decodedBy: decoder)
        } catch {
            throw Failure(.inputMissing, "\(error)")
        }
        let rows = corpus.voices.flatMap { voice in
            voice.recordings.map { recording in
                [
                    voice.speaker.rawValue, "\(voice.speaker.folder)/\(recording)",
                    voice.package.description,
                ]
            }
        }
        return Table(columns: ["name", "recording", "package"], rows: rows)
    }

    private func table(_ mistakes: inout Mistakes) throws -> Table {
        switch subject {
        case .scenarios:
            let rows = try loaded(&mistakes).map { file, scenario in
                [
                    scenario.name, file, "\(scenario.points.count)",
                    "\(scenario.points.first?.seeds ?? 0)", scenario.summary ?? "",
                ]
            }
            return Table(columns: ["name", "file", "points", "seeds", "summary"], rows: rows)
        case .requirements:
            return try requirementTable(&mistakes)
        case .metrics:
            return Table(
                columns: [
                    "name", "unit", "form", "direction", "occasions", "meaning", "excluded",
                ],
                rows: CommandLineTool.systems.evidence.metrics.map {
                    // Programs read results as they are stored, people as they are printed.
                    let unit = json ? $0.unit.rawValue : $0.unit.written
                    return [
                        $0.name, unit, $0.form.rawValue, $0.direction.rawValue,
                        $0.occasions.rawValue, $0.meaning, $0.exclusions.joined(separator: "; "),
                    ]
                }
            )
        case .parameters:
            return Table(
                columns: ["name", "default", "range", "meaning", "source"],
                rows: CommandLineTool.systems.language.parameters.parameters.map {
                    [$0.name, $0.defaultText, $0.rangeText, $0.meaning, $0.source]
                }
            )
        case .profiles:
            return Table(
                columns: ["name", "summary", "source"],
                rows: LinkProfile.all.map { [$0.name, $0.summary, $0.source] }
            )
        case .invariants:
            return Table(
                columns: ["name", "meaning", "source"],
                rows: CommandLineTool.systems.evidence.invariants.map {
                    [$0.name, $0.meaning, $0.source]
                }
            )
        case .recordings:
            return try recordingTable()
        case .records:
            // Each system numbers its kinds, so that in their own order those of all take turns.
            let texts = CommandLineTool.systems.evidence.forms.entries.map(\.text).sorted {
                $0.name < $1.name
            }
            return Table(
                columns: ["name", "level", "meaning", "fields"],
                rows: texts.map { text in
                    let fields = text.fields.map { field in
                        field.name
                            + (field.words.map { "=\($0.words.joined(separator: "|"))" } ?? "")
                    }
                    return [
                        text.name, "\(text.level)", text.summary, fields.joined(separator: " "),
                    ]
                }
            )
        }
    }

    func loaded(
        _ mistakes: inout Mistakes
    ) throws -> [(file: String, scenario: Scenario)] {
        let loading = try ScenarioLoading(
            paths.isEmpty ? [ScenarioPaths.defaultFolder] : paths,
            settings: []
        )
        mistakes = loading.mistakes
        return loading.scenarios
    }
}
