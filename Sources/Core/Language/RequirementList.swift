/// A requirement: its id and what it asks.
public struct Requirement: Sendable, Equatable {
    /// The id, such as `S-VAD-001`.
    public let id: String
    /// What it asks, in one sentence.
    public let summary: String
    /// Where it stands.
    public let location: SourceLocation
}

/// The requirements that scenarios and tests may name.
public enum RequirementList {
    /// The file's name, beside the folders of scenarios.
    public static let fileName = "requirements.yaml"

    /// Loads requirements: a mapping from ids to sentences.
    ///
    /// - Parameters:
    ///   - text: The list as YAML.
    ///   - file: The file's path, for diagnostics.
    /// - Returns: The requirements in the order of the file.
    /// - Throws: `InvalidScenario` with all diagnostics.
    public static func load(
        text: String,
        file: String
    ) throws(InvalidScenario) -> [Requirement] {
        let source = SourceText(text, file: file)
        let result = YAMLReader.read(source)
        var reports = result.reports
        var requirements: [Requirement] = []
        var checker = ShapeChecker()
        if let root = result.root, root.entries == nil {
            reports.append(
                Report(
                    problem: .wrongKind(expected: "requirements by id", found: root.kindName),
                    place: root.place
                )
            )
        }
        for entry in result.root?.entries ?? [] {
            if !isID(entry.key) {
                reports.append(Report(problem: .badRequirementID(entry.key), place: entry.keyPlace))
            }
            guard let summary = checker.check(entry.value, as: .sentence)?.text else { continue }
            requirements.append(
                Requirement(id: entry.key, summary: summary, location: entry.keyPlace.location)
            )
        }
        reports += checker.reports
        guard reports.isEmpty else {
            throw InvalidScenario(
                diagnostics: Diagnostic.sorted(reports, main: file, sources: [file: source])
            )
        }
        return requirements
    }

    /// Whether a text is capital words and digits joined by hyphens, the last part ending in
    /// digits and perhaps a letter: `K-01a`, `S-VAD-003`.
    private static func isID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 2, var last = parts.last else { return false }
        let letters = parts.dropLast().allSatisfy { part in
            !part.isEmpty && part.unicodeScalars.allSatisfy { ("A"..."Z").contains($0) }
        }
        if let end = last.unicodeScalars.last, ("a"..."z").contains(end) { last = last.dropLast() }
        return letters && (2...3).contains(last.count) && last.allSatisfy(ScalarText.isDigit)
    }
}
