extension ScenarioLoader {
    /// Keys that say how a file is run or where its text comes from, and nothing of a single world.
    private static let outside = [
        "extends", "sweep", "seeds", "first_seed", "outcome", "because", "where",
    ]

    /// A scenario's points as documents of their own: what it extends is merged, swept values stand in place.
    ///
    /// - Parameters:
    ///   - text: The scenario as YAML.
    ///   - file: The file's path, as the base of paths in it.
    /// - Returns: The documents, in the order of the points.
    /// - Throws: `InvalidScenario` with all that is wrong with the scenario.
    public func documents(
        text: String,
        file: String
    ) throws(InvalidScenario) -> [DocumentNode] {
        _ = try load(text: text, file: file)
        var inheritance = Inheritance(files: files.within(folder ?? FileReader.folder(of: file)))
        guard let root = inheritance.root(of: text, file: file) else { return [] }
        var swept = SweptScenario(root, arguments: [], parameters: vocabulary.parameters)
        return swept.points.map { point in
            let entries = DocumentNode(swept.root(at: point)).entries
            return .mapping(
                entries.compactMap { entry -> DocumentNode.Entry? in
                    guard !Self.outside.contains(entry.key) else { return nil }
                    guard entry.key == "parameters" else { return entry }
                    return .init(entry.key, entry.value.flattened)
                }
            )
        }
    }
}

extension DocumentNode {
    /// Nested keys as one dotted key each, as parameters are named.
    fileprivate var flattened: DocumentNode {
        .mapping(
            entries.flatMap { entry -> [Entry] in
                guard case .mapping = entry.value else { return [entry] }
                return entry.value.flattened.entries.map {
                    Entry("\(entry.key).\($0.key)", $0.value)
                }
            }
        )
    }
}
