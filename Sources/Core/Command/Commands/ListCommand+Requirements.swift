import Foundation
import KodamaEvidence
import KodamaHarness
import KodamaLanguage

/// Who shows a requirement: scenarios by gates that can fail, tests by their sentences, or nobody.
extension ListCommand {
    /// Every requirement with the scenarios whose gates or invariants name it, and with the sentences of the
    /// tests that do; a scenario that documents a failure shows none.
    func requirementTable(_ mistakes: inout Mistakes) throws -> Table {
        let loaded = try loaded(&mistakes)
        var list: [Requirement] = []
        for file in loaded.map(\.file) {
            do throws(InvalidScenario) {
                let known = Set(list.map(\.id))
                list += try RequirementFile.load(for: file).filter { !known.contains($0.id) }
            } catch {
                mistakes.add(error)
            }
        }
        let passing = loaded.filter { $0.scenario.outcome == .pass }
        let tests = try TestSentences.load(beside: list)
        let outcomes = try verdicts.map { try Outcomes(ReportFiles.read($0), of: loaded) }
        var columns = ["name", "summary", "scenarios", "tests", "nobody"]
        if outcomes != nil { columns.insert(contentsOf: ["verdict", "run"], at: 1) }
        let rows = list.map { requirement in
            let showing = passing.filter { $0.scenario.gates(requirement.id) }
            let names = showing.map(\.scenario.name)
            let sentences = tests[requirement.id] ?? []
            var row = [
                requirement.id, requirement.summary,
                json ? names.joined(separator: " ") : Self.short(names, most: Self.nameCountMax),
                json ? sentences.joined(separator: "\n") : Self.short(sentences, most: 1),
                showing.isEmpty && sentences.isEmpty ? "nobody" : "",
            ]
            if let outcomes {
                let verdict = outcomes.verdict(of: requirement.id, in: showing)
                let count = outcomes.count(of: showing)
                // A pass of some of the scenarios, or of a point, is none of the requirement.
                let isPart = verdict != nil && count < showing.count
                let run = isPart ? "\(count) of \(showing.count)" : ""
                row.insert(contentsOf: [verdict?.word ?? "", run], at: 1)
            }
            return row
        }
        return Table(columns: columns, rows: rows)
    }

    /// As many names of scenarios fit into a row; the JSON has all.
    private static let nameCountMax = 4

    /// The first texts, and how many more there are.
    private static func short(_ texts: [String], most: Int) -> String {
        let shown = texts.prefix(most).joined(separator: " ")
        let rest = texts.count - most
        return rest > 0 ? "\(shown) (and \(rest) more)" : shown
    }
}

/// The sentences of the tests that name requirements, as `Scripts/traceability` read them from the sources.
private enum TestSentences {
    private static let fileName = "requirements.tests.json"

    /// Loads them from beside the list of requirements; none if they were never read.
    static func load(beside list: [Requirement]) throws -> [String: [String]] {
        guard let file = list.first?.location.file else { return [:] }
        let path = URL(fileURLWithPath: file).deletingLastPathComponent()
            .appendingPathComponent(fileName).path
        guard let data = FileManager.default.contents(atPath: path) else { return [:] }
        do {
            return try JSONDecoder().decode([String: [String]].self, from: data)
        } catch {
            throw Failure(
                .inputMissing,
                "\(path): no object of sentences by requirement; renew it by Scripts/traceability"
            )
        }
    }
}

extension Scenario {
    /// Whether a gate or an invariant that can fail names a requirement.
    fileprivate func gates(_ requirement: String) -> Bool {
        points.contains { $0.expectations.gate(requirement) }
    }
}

/// What a report says of scenarios that are listed.
private struct Outcomes {
    /// The report's scenario for each listed file that was run.
    private var reports: [String: ScenarioReport] = [:]

    /// Finds each listed scenario in a report, by its file, or by its name if nothing else has it.
    init(_ report: RunReport, of listed: [(file: String, scenario: Scenario)]) {
        let files = report.scenarios.map { Self.path($0.about.file) }
        for (file, scenario) in listed {
            if let index = files.firstIndex(of: Self.path(file)) {
                reports[file] = report.scenarios[index]
                continue
            }
            // A report may come from another place, where files have other paths.
            let namesakes = report.scenarios.filter { $0.about.name == scenario.name }
            let isOnly = listed.filter { $0.scenario.name == scenario.name }.count == 1
            if isOnly, namesakes.count == 1 { reports[file] = namesakes[0] }
        }
    }

    private static func path(_ file: String) -> String {
        URL(fileURLWithPath: file).standardizedFileURL.path
    }

    /// How many of some listed scenarios the report has with all their points.
    func count(of listed: [(file: String, scenario: Scenario)]) -> Int {
        listed.filter { entry in
            (reports[entry.file]?.points.count ?? 0) >= entry.scenario.points.count
        }.count
    }

    /// The worst verdict of the gates and invariants that show a requirement; `nil` if none of them was run.
    func verdict(
        of requirement: String,
        in showing: [(file: String, scenario: Scenario)]
    ) -> Verdict? {
        var verdicts: [Verdict] = []
        for (file, scenario) in showing {
            let invariants = Set(scenario.points.flatMap { $0.expectations.shown(by: requirement) })
            for point in reports[file]?.points ?? [] {
                verdicts += point.gates.filter { $0.covers.contains(requirement) }.map(\.verdict)
                verdicts += point.invariants.filter { invariants.contains($0.name) }.map(\.verdict)
            }
        }
        return verdicts.max()
    }
}

extension Expectations {
    /// The invariants that name a requirement.
    fileprivate func shown(by requirement: String) -> [String] {
        zip(invariants, invariantCovers).filter { $0.1.contains(requirement) }.map(\.0)
    }
}
