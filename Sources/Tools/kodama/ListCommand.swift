import ArgumentParser
import Evidence
import Harness
import Scenarios
import Simulation

/// Lists what scenarios can name.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists scenarios, metrics, parameters, link profiles or invariants."
    )

    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case scenarios, metrics, parameters, profiles, invariants
    }

    @Argument(help: "scenarios, metrics, parameters, profiles or invariants.")
    var subject: Subject

    @Argument(help: "For scenarios: files or folders; Scenarios if none is given.")
    var paths: [String] = []

    @Flag(help: "Print the rows as JSON.")
    var json = false

    func run() throws {
        let (columns, rows) = try table()
        if json {
            let objects = rows.map { row in
                Dictionary(uniqueKeysWithValues: zip(columns, row))
            }
            Terminal.say(try Outputs.json(objects))
        } else {
            Terminal.say(TextTable([columns] + rows).lines.joined(separator: "\n"))
        }
    }

    private func table() throws -> (columns: [String], rows: [[String]]) {
        switch subject {
        case .scenarios:
            let loaded = try LoadedScenarios(paths.isEmpty ? ["Scenarios"] : paths)
            let rows = loaded.scenarios.map { file, scenario in
                [
                    scenario.name, file, "\(scenario.seeds)", scenario.plan.audio.rawValue,
                    scenario.summary ?? "",
                ]
            }
            return (["name", "file", "seeds", "audio", "summary"], rows)
        case .metrics:
            let rows = MetricCatalog.all.map {
                [$0.name, $0.unit.rawValue, $0.form.rawValue, $0.direction.rawValue, $0.meaning]
            }
            return (["name", "unit", "form", "direction", "meaning"], rows)
        case .parameters:
            let rows = ParameterCatalog.intercom.parameters.map {
                [$0.name, $0.defaultText, $0.rangeText, $0.meaning, $0.source]
            }
            return (["name", "default", "range", "meaning", "source"], rows)
        case .profiles:
            let rows = LinkProfile.all.map { [$0.name, $0.summary, $0.source] }
            return (["name", "summary", "source"], rows)
        case .invariants:
            let rows = InvariantCatalog.all.map { [$0.name, $0.meaning, $0.source] }
            return (["name", "meaning", "source"], rows)
        }
    }
}
