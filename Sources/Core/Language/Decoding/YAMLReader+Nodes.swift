import Yams

extension YAMLReader {
    /// The value of a node that Yams read; `nil` if it is too deep or one too many.
    mutating func convert(_ node: Node, depth: Int, use: AliasUse?) -> SyntaxNode? {
        guard depth <= Self.depthMax else {
            report(.tooDeep(levels: Self.depthMax), at: offset(node.mark))
            return nil
        }
        nodeCount += 1
        guard nodeCount <= Self.nodeCountMax else {
            if nodeCount == Self.nodeCountMax + 1 {
                report(.tooLarge("\(Self.nodeCountMax) values, aliases included"), at: 0)
            }
            return nil
        }
        let start = offset(node.mark)
        var use = use
        if use == nil {
            if start < cursor {
                use = findAlias(node.anchor?.rawValue ?? "")
            } else {
                cursor = start
            }
        }
        var converted: SyntaxNode?
        switch node {
        case .scalar(let scalar):
            converted = self.scalar(scalar, start: start, use: use)
        case .sequence(let sequence):
            refuseTag(at: skippingAnchor(from: start))
            let nodes = sequence.map { convert($0, depth: depth + 1, use: use) }
            converted = SyntaxNode(
                content: .sequence(nodes.compactMap(\.self)),
                place: place(start, length: 1, use: use)
            )
        case .mapping(let mapping):
            refuseTag(at: skippingAnchor(from: start))
            converted = self.mapping(mapping, start: start, depth: depth, use: use)
        case .alias:
            // Yams makes these only when it writes.
            converted = nil
        }
        // A value that is left out has no length: the next key may begin where it stands.
        if use == nil, converted?.isEmptyText != true { cursor = max(cursor, start + 1) }
        return converted
    }

    private mutating func scalar(
        _ scalar: Node.Scalar,
        start: Int,
        use: AliasUse?
    ) -> SyntaxNode {
        let isPlain = scalar.style == .plain
        let start = skippingAnchor(from: start)
        refuseTag(at: start)
        let text = restored(scalar.string)
        return SyntaxNode(
            content: .scalar(ScalarText(text: text, isPlain: isPlain)),
            place: place(
                start,
                length: extent(of: text, style: scalar.style, from: start),
                use: use
            )
        )
    }

    private mutating func mapping(
        _ mapping: Node.Mapping,
        start: Int,
        depth: Int,
        use: AliasUse?
    ) -> SyntaxNode {
        var entries: [SyntaxNode.Entry] = []
        var places: [String: SourceLocation] = [:]
        guard mapping.count <= Self.keysMax else {
            report(.tooLarge("\(Self.keysMax) keys in one mapping"), at: start)
            return SyntaxNode(content: .mapping([]), place: place(start, length: 1, use: use))
        }
        for (keyNode, valueNode) in mapping {
            let key = convert(keyNode, depth: depth + 1, use: use)
            let value = convert(valueNode, depth: depth + 1, use: use)
            guard let key, let value else { continue }
            guard case .scalar(let scalar) = key.content else {
                reports.append(Report(problem: .keyNotText, place: key.place))
                continue
            }
            if scalar.text == "<<", scalar.isPlain {
                reports.append(Report(problem: .mergeKey, place: key.place))
                continue
            }
            if let first = places[scalar.text] {
                let problem = Problem.duplicateKey(scalar.text, first: first)
                reports.append(Report(problem: problem, place: key.place))
                continue
            }
            places[scalar.text] = key.place.location
            entries.append(.init(key: scalar.text, keyPlace: key.place, value: value))
        }
        return SyntaxNode(content: .mapping(entries), place: place(start, length: 1, use: use))
    }

    /// Where a value begins behind its anchor.
    private func skippingAnchor(from start: Int) -> Int {
        let scalars = source.scalars
        guard start < scalars.count, scalars[start] == "&" else { return start }
        var index = start
        while index < scalars.count, scalars[index] != " ", !SourceText.isBreak(scalars[index]) {
            index += 1
        }
        while index < scalars.count, scalars[index] == " " { index += 1 }
        return index < scalars.count && !SourceText.isBreak(scalars[index]) ? index : start
    }

    private func place(_ start: Int, length: Int, use: AliasUse?) -> Place {
        Place(location: source.location(at: start), length: length, alias: use)
    }

    private func restored(_ text: String) -> String {
        guard !masks.isEmpty else { return text }
        return SourceText.string(text.unicodeScalars.map { masks[$0] ?? $0 })
    }

    /// Reports a tag that stands in the file.
    ///
    /// Yams' own tags do not tell: it resolves those that are not written as soon as it compares.
    private mutating func refuseTag(at start: Int) {
        guard start < source.scalars.count, source.scalars[start] == "!" else { return }
        let tag = source.scalars[start...].prefix { $0 != " " && !SourceText.isBreak($0) }
        report(.explicitTag(SourceText.string(tag)), at: start, length: tag.count)
    }

    /// How many scalars of its first line a value covers.
    private func extent(of text: String, style: Node.Scalar.Style, from start: Int) -> Int {
        guard style != .plain else { return max(1, text.unicodeScalars.count) }
        guard start < source.scalars.count else { return 1 }
        let quote = source.scalars[start]
        guard quote == "\"" || quote == "'" else { return 1 }
        var end = start + 1
        while end < source.scalars.count, source.scalars[end] != quote,
            !SourceText.isBreak(source.scalars[end])
        {
            end += quote == "\"" && source.scalars[end] == "\\" ? 2 : 1
        }
        return min(end, source.scalars.count - 1) - start + 1
    }

    /// Finds the next alias of `anchor` behind the cursor, and moves the cursor behind it.
    private mutating func findAlias(_ anchor: String) -> AliasUse {
        let name = Array(anchor.unicodeScalars)
        var index = cursor
        while index < scalars.count {
            if scalars[index] == "#",
                index == 0 || " \t\n\r".unicodeScalars.contains(scalars[index - 1])
            {
                while index < scalars.count, !SourceText.isBreak(scalars[index]) { index += 1 }
            } else if scalars[index] == "*", scalars[(index + 1)...].starts(with: name) {
                cursor = index + 1 + name.count
                return AliasUse(anchor: anchor, location: source.location(at: index))
            } else {
                index += 1
            }
        }
        return AliasUse(anchor: anchor, location: source.location(at: cursor))
    }
}
