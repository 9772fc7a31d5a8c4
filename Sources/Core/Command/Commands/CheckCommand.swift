import ArgumentParser
import Foundation
import KodamaHarness
import KodamaLanguage

/// Says everything that is wrong with scenarios, without running them.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks scenarios: every mistake with file, line, column and a suggestion."
    )

    @Argument(help: "Scenario files or folders; Scenarios if none is given.")
    var paths: [String] = []

    @OptionGroup var parameters: ParameterOptions

    @Option(
        name: .customLong("sweep"),
        parsing: .unconditionalSingleValue,
        help: .init("Check for each of these values; repeatable.", valueName: "name=value,value")
    )
    var sweeps: [String] = []

    @Flag(help: "Treat warnings as failures.")
    var strict = false

    @Flag(help: "Print the diagnostics as JSON.")
    var json = false

    func run() throws {
        let loading = try ScenarioLoading(
            paths.isEmpty ? [ScenarioPaths.defaultFolder] : paths,
            settings: parameters.settings,
            sweeps: sweeps
        )
        let (mistakes, warnings) = (loading.mistakes, loading.warnings)
        let isClean = mistakes.diagnostics.isEmpty && (!strict || warnings.isEmpty)
        if json {
            struct Result: Encodable {
                var schemaVersion = 1
                var files: [String]
                var diagnostics: [Diagnostic]
            }
            let result = Result(
                files: loading.files,
                diagnostics: mistakes.diagnostics + warnings
            )
            try Terminal.say(try Outputs.json(result))
        } else {
            for warning in warnings { Terminal.remark(warning.description) }
            let count = loading.files.count
            if isClean {
                try Terminal.say("\(counted(count, "scenario")) valid")
            } else if mistakes.diagnostics.isEmpty {
                Terminal.complain("warnings are errors here (--strict)")
            }
        }
        guard isClean else {
            if !json { try mistakes.end() }
            let status = mistakes.diagnostics.isEmpty ? .scenarioInvalid : mistakes.status
            throw ExitCode(status.rawValue)
        }
    }
}

/// Shows a scenario with every default filled in.
struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Prints a scenario with every value filled in, and where each comes from."
    )

    @Argument(help: "A scenario file.", completion: .file(extensions: ["yaml"]))
    var file: String

    @OptionGroup var parameters: ParameterOptions

    @OptionGroup var sweeping: SweepOptions

    @Flag(help: "Print path, value and origin of each value as JSON.")
    var json = false

    func run() throws {
        let loaded = try LoadedScenarios(
            one: file,
            settings: parameters.settings,
            sweeping: sweeping
        )
        guard let resolved = loaded.one?.point.resolved else { return }
        if json {
            struct Value: Encodable {
                var path: String
                var value: String
                var origin: String
            }
            struct Result: Encodable {
                var schemaVersion = 1
                var values: [Value]
            }
            let rows = resolved.values.map {
                Value(path: $0.path, value: $0.value, origin: $0.origin.description)
            }
            try Terminal.say(try Outputs.json(Result(values: rows)))
        } else {
            try Terminal.say(resolved.yaml)
        }
    }
}

/// Prints a JSON Schema.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract:
            "Prints the JSON Schema (draft 7) of scenario files, for editors, or of what --json prints."
    )

    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case scenario, report, explain, why, evaluate
    }

    @Argument(
        help: """
            scenario, or what a command prints with --json: report (run), explain, why or evaluate.
            """
    )
    var subject: Subject = .scenario

    @Option(
        name: .shortAndLong,
        help: .init("The file to write; stdout if not given.", valueName: "file")
    )
    var output: String?

    func run() throws {
        let text: String
        switch subject {
        case .scenario:
            let vocabulary = try ScenarioVocabulary(
                for: "Scenarios/scenario.yaml",
                systems: CommandLineTool.systems
            )
            text = ScenarioSchema.json(vocabulary: vocabulary)
        case .report:
            text = ReportSchema.text
        case .explain:
            text = ExplanationSchema.text
        case .why:
            text = FailureOddsSchema.text
        case .evaluate:
            text = EvaluationSchema.text
        }
        try Outputs.deliver(Data(text.utf8), to: output)
    }
}
