/// The first pass: compares a file with the language, value by value.
struct ShapeChecker {
    /// What has been found wrong so far.
    private(set) var reports: [Report] = []

    /// Reports a problem.
    mutating func report(_ problem: Problem, at place: Place) {
        reports.append(Report(problem: problem, place: place))
    }

    /// The checked value, or `nil` after a report.
    mutating func check(_ node: SyntaxNode, as shape: Shape) -> CheckedValue? {
        switch shape {
        case .list(let entry, let counts):
            list(node, of: entry, counts: counts, shape: shape)
        case .mapping(let mapping):
            self.mapping(node, as: mapping)
        case .variants(let variants, let noun):
            self.variants(node, among: variants, noun: noun)
        case .cases(let key, let shapes, let noun):
            cases(node, of: key, among: shapes, noun: noun)
        case .scalar(let single, let mapping):
            if node.entries != nil {
                self.mapping(node, as: mapping)
            } else {
                check(node, as: single)
            }
        case .parameters(let catalog, let owner):
            parameters(node, catalog, of: owner)
        case .sweep:
            // Read before the points are told apart.
            CheckedValue(content: .mapping([]), place: node.place)
        case .sweptValues:
            sweptValues(node)
        default:
            scalar(node, as: shape)
        }
    }

    private mutating func list(
        _ node: SyntaxNode,
        of shape: Shape,
        counts: ClosedRange<Int>,
        shape whole: Shape
    ) -> CheckedValue? {
        guard case .sequence(let nodes) = node.content else {
            return refuse(node, expected: whole.expectation, write: Self.list(of: node))
        }
        guard counts.contains(nodes.count) else {
            report(
                .wrongCount(found: nodes.count, allowed: counts, noun: "the list"),
                at: node.place
            )
            return nil
        }
        var entries: [CheckedValue] = []
        for node in nodes {
            if let entry = check(node, as: shape) { entries.append(entry) }
        }
        return CheckedValue(
            content: .list(entries),
            place: node.place,
            lacksEntries: entries.count < nodes.count
        )
    }

    private mutating func variants(
        _ node: SyntaxNode,
        among variants: [MappingShape],
        noun: String
    ) -> CheckedValue? {
        guard let entries = node.entries else { return refuse(node, expected: noun) }
        let telling = variants.map { $0.fields[0].key }
        let found = entries.filter { telling.contains($0.key) }
        guard let first = found.first else {
            // A misspelt telling key is worth more than the remark that none is there.
            let misspelt = entries.first { Suggestion.nearest(to: $0.key, among: telling) != nil }
            if let misspelt {
                report(
                    .unknownKey(misspelt.key, inside: noun, allowed: telling),
                    at: misspelt.keyPlace
                )
            } else {
                report(.chooseOne(of: telling, inside: noun), at: node.place)
            }
            return nil
        }
        guard found.count == 1 else {
            report(
                .excludesEachOther(first.key, found[1].key, inside: noun),
                at: found[1].keyPlace
            )
            return nil
        }
        guard let chosen = variants.first(where: { $0.fields[0].key == first.key }) else {
            return nil
        }
        return mapping(node, as: chosen)
    }

    private mutating func cases(
        _ node: SyntaxNode,
        of key: String,
        among shapes: [MappingShape],
        noun: String
    ) -> CheckedValue? {
        guard let entries = node.entries else { return refuse(node, expected: noun) }
        guard let telling = entries.first(where: { $0.key == key }) else {
            let misspelt = entries.first { Suggestion.nearest(to: $0.key, among: [key]) != nil }
            if let misspelt {
                report(
                    .unknownKey(misspelt.key, inside: noun, allowed: [key]),
                    at: misspelt.keyPlace
                )
            } else {
                let summary = shapes.first?.field(key)?.summary ?? ""
                report(.missingKey(key, inside: noun, summary: summary), at: node.place)
            }
            return nil
        }
        let words = shapes.compactMap { $0.word(of: key)?.word }
        guard case .scalar(let scalar) = telling.value.content, !scalar.isNull else {
            return refuse(telling.value, expected: words.joined(separator: " or "))
        }
        let meant = words.contains(scalar.text) ? scalar.text : nil
        if meant == nil {
            let noun = shapes.first?.noun(of: key) ?? key
            report(.notChoice(scalar.text, among: words, noun: noun), at: telling.value.place)
        }
        // After a slip of the keyboard the rest is still worth checking, and its names are known.
        let word = meant ?? Suggestion.nearest(to: scalar.text, among: words)
        guard let word, let chosen = shapes.first(where: { $0.word(of: key)?.word == word }) else {
            return nil
        }
        var mended = node
        mended.content = .mapping(
            entries.map { entry in
                guard entry.key == key else { return entry }
                var mended = entry
                mended.value.content = .scalar(ScalarText(text: word, isPlain: true))
                return mended
            }
        )
        return mapping(mended, as: chosen, besides: shapes)
    }

    /// What to write in place of something that ought to stand in a list.
    private static func list(of node: SyntaxNode) -> String? {
        switch node.content {
        case .scalar(let scalar) where !scalar.text.utf8.contains(UInt8(ascii: "\n")):
            "[\(scalar.text)]"
        case .mapping: "a '-' before each entry"
        default: nil
        }
    }

    /// Reports that something else stands here than the language expects.
    ///
    /// - Parameters:
    ///   - node: What stands here.
    ///   - expected: What ought to.
    ///   - text: What to write, if that can be said.
    /// - Returns: Nothing, as whoever refuses returns.
    mutating func refuse(
        _ node: SyntaxNode,
        expected: String,
        write text: String? = nil
    ) -> CheckedValue? {
        if case .scalar(let scalar) = node.content, scalar.isNull {
            report(.missingValue(expected: expected), at: node.place)
        } else {
            report(
                .wrongKind(expected: expected, found: node.kindName, write: text),
                at: node.place
            )
        }
        return nil
    }
}
