import KodamaEvidence
import KodamaLanguage

/// Loads documents, and leaves out of them what makes no sense in them.
struct DocumentRepair {
    let loader: ScenarioLoader
    /// The path as which documents are loaded.
    let file: String
    /// The lists whose entries may be left out.
    let lists: Set<String>

    /// The lists of what happens in a world; who is in it, and what is expected of it, stays.
    static let happenings: Set<String> = ["links", "people", "walks", "talk", "timeline", "faults"]
    /// How often entries are left out before a document is given up.
    private static let roundsMax = 12

    init(_ loader: ScenarioLoader, file: String, lists: Set<String> = happenings) {
        self.loader = loader
        self.file = file
        self.lists = lists
    }

    /// A document that can be run, and its scenario.
    struct Sound {
        var document: DocumentNode
        var scenario: Scenario
    }

    /// The document without the entries that its loader refuses; `nil` if it refuses something else.
    func sound(_ document: DocumentNode) -> Sound? {
        var document = document
        for _ in 0..<Self.roundsMax {
            let lines = document.lines()
            let text = lines.map(\.text).joined(separator: "\n") + "\n"
            do throws(InvalidScenario) {
                return Sound(
                    document: document,
                    scenario: try loader.load(text: text, file: file)
                )
            } catch {
                guard let owners = owners(of: error, in: lines) else { return nil }
                document.remove(owners)
            }
        }
        return nil
    }

    /// What the loader says of a document that cannot be repaired.
    func complaint(of document: DocumentNode) -> String {
        do throws(InvalidScenario) {
            _ = try loader.load(text: document.yaml(), file: file)
            return "it loads"
        } catch {
            return error.description
        }
    }

    /// The entries in which errors stand; `nil` if one stands elsewhere.
    private func owners(
        of error: InvalidScenario,
        in lines: [DocumentNode.Line]
    ) -> [[DocumentNode.Step]]? {
        var owners: [[DocumentNode.Step]] = []
        for diagnostic in error.diagnostics where diagnostic.severity == .error {
            guard let line = diagnostic.location.line, lines.indices.contains(line - 1) else {
                return nil
            }
            let owner = lines[line - 1].owner
            guard owner.count == 2, case .key(let list) = owner[0], lists.contains(list) else {
                return nil
            }
            if !owners.contains(owner) { owners.append(owner) }
        }
        return owners.isEmpty ? nil : owners
    }
}

extension DocumentNode {
    /// Removes what stands at these paths, and lists that become empty.
    mutating func remove(_ paths: [[Step]]) {
        // From the end, so that the places before stay what they are.
        let sorted = paths.sorted { left, right in
            for (one, other) in zip(left, right) where one != other {
                if case .index(let first) = one, case .index(let second) = other {
                    return first > second
                }
                return "\(one)" > "\(other)"
            }
            return left.count > right.count
        }
        for path in sorted { self[path: path] = nil }
        for entry in entries where entry.value == .list([]) { self[key: entry.key] = nil }
    }
}
