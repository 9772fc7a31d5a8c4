import ArgumentParser
import KodamaHarness
import KodamaLanguage

/// What came of loading scenarios: those that are valid, and what is wrong with the others.
struct ScenarioLoading {
    private(set) var files: [String]
    private(set) var scenarios: [(file: String, scenario: Scenario)] = []
    private(set) var mistakes = Mistakes()
    /// What does not keep scenarios from running.
    private(set) var warnings: [Diagnostic] = []

    /// Loads every scenario at and under `paths`.
    ///
    /// - Throws: An end, if there is nothing at a path.
    init(
        _ paths: [String],
        settings: [String],
        sweeps: [String] = [],
        arguments: [String: String] = [:]
    ) throws {
        let found = try ScenarioPaths.find(paths)
        files = found.map(\.file)
        mistakes.arguments = arguments
        for (file, folder) in found {
            do throws(InvalidScenario) {
                let loader = ScenarioLoader(
                    vocabulary: try ScenarioVocabulary(
                        for: file,
                        systems: CommandLineTool.systems
                    ),
                    folder: folder
                )
                let scenario = try loader.load(file: file, settings: settings, sweeps: sweeps)
                scenarios.append((file, scenario))
                warnings += scenario.warnings
            } catch {
                mistakes.add(error)
            }
        }
        refuseIdleSettings()
    }

    /// Refuses what the command line sets or sweeps if no scenario would run otherwise without it.
    private mutating func refuseIdleSettings() {
        let idle = scenarios.map(\.scenario.idleSettings)
        let everywhere = (idle.first ?? []).filter { setting in
            idle.allSatisfy { $0.contains { $0.location.file == setting.location.file } }
        }
        guard mistakes.diagnostics.isEmpty, !everywhere.isEmpty else { return }
        mistakes.add(
            InvalidScenario(
                diagnostics: everywhere.map { setting in
                    var error = setting
                    error.severity = .error
                    return error
                }
            )
        )
    }
}

/// What is wrong with scenarios and settings, each said once.
struct Mistakes {
    /// What arguments are called that were not given as `--set`, by that name.
    var arguments: [String: String] = [:]
    private(set) var diagnostics: [Diagnostic] = []
    private var texts: [String] = []

    /// Adds what is wrong with one scenario; a wrong `--set` is found again with each of them.
    mutating func add(_ scenario: InvalidScenario) {
        let new = scenario.diagnostics.map { named($0) }
            .filter { !$0.isOfSetting || !diagnostics.contains($0) }
        guard !new.isEmpty else { return }
        diagnostics += new
        texts.append(InvalidScenario(diagnostics: new).description)
    }

    private func named(_ diagnostic: Diagnostic) -> Diagnostic {
        var diagnostic = diagnostic
        let file = diagnostic.location.file
        diagnostic.location.file = arguments[file] ?? file
        return diagnostic
    }

    /// All diagnostics for people.
    var text: String { texts.joined(separator: "\n") }

    /// The code to end with: a scenario's, unless only the command line is wrong.
    var status: ExitStatus {
        let errors = diagnostics.filter { $0.severity == .error }
        return errors.allSatisfy(\.isOfSetting) ? .usage : .scenarioInvalid
    }

    /// Says what is wrong and ends, if anything is.
    func end() throws {
        guard !diagnostics.isEmpty else { return }
        Terminal.remark(text)
        throw ExitCode(status.rawValue)
    }
}

extension Diagnostic {
    /// Whether it is about the command line and not about a file.
    var isOfSetting: Bool { location.line == nil }
}
