import Evidence
import Foundation
import Harness
import Scenarios

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
        let passing = loaded.map(\.scenario).filter { $0.outcome == .pass }
        let tests = try TestSentences.load(beside: list)
        let report = try verdicts.map { try ReportFiles.read($0) }
        var columns = ["name", "scenarios", "tests", "nobody", "summary"]
        if report != nil { columns.insert("verdict", at: 1) }
        let rows = list.map { requirement in
            let showing = passing.filter { $0.gates(requirement.id) }
            let sentences = tests[requirement.id] ?? []
            var row = [
                requirement.id, showing.map(\.name).joined(separator: " "),
                json ? sentences.joined(separator: "\n") : Self.short(sentences),
                showing.isEmpty && sentences.isEmpty ? "nobody" : "", requirement.summary,
            ]
            if let report {
                let verdict = report.verdict(of: requirement.id, in: showing)
                row.insert(verdict?.word ?? "", at: 1)
            }
            return row
        }
        return Table(columns: columns, rows: rows)
    }

    /// The first sentence, and how many more there are.
    private static func short(_ sentences: [String]) -> String {
        guard let first = sentences.first else { return "" }
        return sentences.count == 1 ? first : "\(first) (and \(sentences.count - 1) more)"
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

extension RunReport {
    /// The worst verdict of the gates and invariants that show a requirement; `nil` if none of them was run.
    fileprivate func verdict(of requirement: String, in showing: [Scenario]) -> Verdict? {
        var verdicts: [Verdict] = []
        for scenario in showing {
            let report = scenarios.first { $0.about.name == scenario.name }
            let invariants = Set(scenario.points.flatMap { $0.expectations.shown(by: requirement) })
            for point in report?.points ?? [] {
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
