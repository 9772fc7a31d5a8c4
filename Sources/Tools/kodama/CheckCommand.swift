import ArgumentParser
import Foundation
import Harness
import Scenarios

/// Says everything that is wrong with scenarios, without running them.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks scenarios: every mistake with file, line, column and a suggestion."
    )

    @Argument(help: "Scenario files or folders; Scenarios if none is given.")
    var paths: [String] = []

    @Option(name: .customLong("set"), help: "A parameter to check as well; repeatable.")
    var settings: [String] = []

    @Flag(help: "Let warnings fail.")
    var strict = false

    @Flag(help: "Print the diagnostics as JSON.")
    var json = false

    func run() throws {
        var diagnostics: [Diagnostic] = []
        var texts: [String] = []
        let files = try ScenarioPaths.find(paths.isEmpty ? ["Scenarios"] : paths)
        for file in files {
            do throws(InvalidScenario) {
                let loader = ScenarioLoader(vocabulary: try .standard(for: file))
                let warnings = try loader.load(file: file, settings: settings).warnings
                diagnostics += warnings
                texts += warnings.map(\.description)
            } catch {
                diagnostics += error.diagnostics
                texts.append(error.description)
            }
        }
        let errors = diagnostics.filter { $0.severity == .error }
        let isClean = errors.isEmpty && (!strict || diagnostics.isEmpty)
        if json {
            struct Result: Encodable {
                var schemaVersion = 1
                var files: [String]
                var diagnostics: [Diagnostic]
            }
            Terminal.say(try Outputs.json(Result(files: files, diagnostics: diagnostics)))
        } else {
            if !texts.isEmpty { Terminal.remark(texts.joined(separator: "\n")) }
            if isClean { Terminal.say("\(files.count) scenarios are valid") }
        }
        guard isClean else { throw ExitCode(ExitStatus.scenarioInvalid.rawValue) }
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

    @Option(name: .customLong("set"), help: "A parameter, such as vad.attack=40ms; repeatable.")
    var settings: [String] = []

    @Flag(help: "Print path, value and origin of each value as JSON.")
    var json = false

    func run() throws {
        let loaded = try LoadedScenarios([file], settings: settings)
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
            let values = loaded.scenarios.flatMap { $0.scenario.resolved.values }
            let rows = values.map {
                Value(path: $0.path, value: $0.value, origin: $0.origin.description)
            }
            Terminal.say(try Outputs.json(Result(values: rows)))
        } else {
            for (_, scenario) in loaded.scenarios { Terminal.say(scenario.resolved.yaml) }
        }
    }
}

/// Prints the JSON Schema of scenario files.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema (draft 7) of scenario files, for editors."
    )

    @Option(name: .shortAndLong, help: "The file to write; stdout if not given.")
    var output: String?

    func run() throws {
        let vocabulary = try ScenarioVocabulary.standard(for: "Scenarios/scenario.yaml")
        try Outputs.deliver(Data(ScenarioSchema.json(vocabulary: vocabulary).utf8), to: output)
    }
}
