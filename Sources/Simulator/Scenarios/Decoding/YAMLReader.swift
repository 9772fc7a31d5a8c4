import Yams

/// Reads a text as YAML, with the place of every value.
///
/// Yams is used up to its nodes. Tags are not resolved (YAML 1.1 would read `no` as false and
/// `1:30` as 90); the language's own tables say what a text may mean.
struct YAMLReader {
    /// How deep values may be nested.
    static let depthMax = 64
    /// How many values a file may hold, those repeated by aliases included.
    static let nodeCountMax = 200_000
    /// How many Unicode scalars a file may hold.
    static let scalarCountMax = 1 << 20
    /// How many keys one mapping may have.
    static let keysMax = 1_000
    /// How many aliases a file may hold if some of its keys are more than a word: Yams compares keys, what
    /// their aliases stand for included, and thirty that stand for one another are at most 3^10 values.
    static let aliasesInKeysMax = 30
    /// How many Unicode scalars are parsed in all while places of repeated keys are found.
    static let parsedCountMax = 4 * scalarCountMax

    /// The file.
    let source: SourceText
    /// The file's text, what could not be read blanked, and repeated keys masked.
    var scalars: [Unicode.Scalar]
    /// The top-level keys in which something could not be read.
    var gaps: Set<String> = []
    /// What has been found wrong.
    var reports: [Report] = []
    /// Scalars that stand in for the first of a repeated key, and what they stand for.
    private var masks: [Unicode.Scalar: Unicode.Scalar] = [:]
    /// Where in the source the last value read began or ended, for telling aliases.
    private var cursor = 0
    private var nodeCount = 0

    /// What was read, as far as it goes, and what is wrong with it.
    struct Result {
        var root: SyntaxNode?
        var reports: [Report]

        /// Whether the root lacks something that stands in the file.
        var hasGaps: Bool { !reports.isEmpty }
    }

    /// Reads a file.
    static func read(_ source: SourceText) -> Result {
        var reader = YAMLReader(source: source)
        let root = reader.root()
        // What a sweep puts in place of names is not worth guessing.
        let isReadable = !reader.gaps.contains("sweep")
        return Result(root: isReadable ? root : nil, reports: reader.reports)
    }

    private init(source: SourceText) {
        self.source = source
        scalars = source.scalars
    }

    private mutating func root() -> SyntaxNode? {
        guard source.scalars.count <= Self.scalarCountMax else {
            report(.tooLarge("\(Self.scalarCountMax) characters"), at: 0)
            return nil
        }
        guard !hasExplodingKeys else {
            report(
                .tooLarge("\(Self.aliasesInKeysMax) aliases, with keys of several values"),
                at: 0
            )
            return nil
        }
        // Each repeated key, and each part that cannot be read, costs one more attempt: Yams refuses
        // repetition before we see places, and ends at the first mistake.
        for attempt in 0..<100 {
            guard (attempt + 1) * scalars.count <= Self.parsedCountMax else { return nil }
            do {
                // Sixteen more bytes keep the text out of Swift's inline storage, whose address
                // does not outlive the call in which Yams takes it.
                let text = SourceText.string(scalars) + "\n               "
                let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
                let node = try parser.singleRoot()
                // Anchors belong to the parser, which must outlive them.
                return withExtendedLifetime(parser) {
                    node.flatMap { convert($0, depth: 0, use: nil) }
                }
                    ?? nothing()
            } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
                let mask = Unicode.Scalar(UInt32(0xF0000 + attempt))
                guard let mask, (attempt + 2) * scalars.count <= Self.parsedCountMax,
                    let place = maskable(context.mark, keys)
                else {
                    report(.duplicateKey(keys.first ?? "", first: nil), at: offset(context.mark))
                    return nil
                }
                masks[mask] = scalars[place]
                scalars[place] = mask
            } catch {
                guard let mistake = report(error), leaveOut(around: mistake) else { return nil }
            }
        }
        guard gaps.isEmpty else { return nil }
        report(.tooLarge("100 repeated keys"), at: 0)
        return nil
    }

    /// Reports that the file is empty, unless something else is wrong.
    private mutating func nothing() -> SyntaxNode? {
        if reports.isEmpty { report(.emptyFile, at: 0) }
        return nil
    }

    /// The scalar of a key that can be replaced without changing the file's structure.
    private func maskable(_ mark: Mark, _ keys: [String]) -> Int? {
        guard var place = source.offset(line: mark.line, column: mark.column),
            place < source.scalars.count
        else { return nil }
        if source.scalars[place] == "\"" || source.scalars[place] == "'" { place += 1 }
        guard place < source.scalars.count else { return nil }
        // `keys` are sorted and the mark is the first one's. A key whose text does not begin with
        // what stands there is an alias, an anchor or an escape.
        guard let first = keys.first?.unicodeScalars.first else { return nil }
        let shown = masks[first] ?? first
        return source.scalars[place] == shown && !"&*!|>?-".unicodeScalars.contains(shown)
            ? place : nil
    }

    private func offset(_ mark: Mark?) -> Int {
        guard let mark else { return 0 }
        return source.offset(line: mark.line, column: mark.column) ?? source.scalars.count
    }

    /// Reports a problem at a place in the source's scalars.
    mutating func report(_ problem: Problem, at offset: Int, length: Int = 1) {
        let place = Place(location: source.location(at: offset), length: length)
        reports.append(Report(problem: problem, place: place))
    }
}

// MARK: - Nodes

extension YAMLReader {
    private mutating func convert(_ node: Node, depth: Int, use: AliasUse?) -> SyntaxNode? {
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

    /// Whether the file may hold keys whose comparison has no end in sight.
    ///
    /// These are lists, mappings and aliases as keys, beside many aliases. Quotes and comments are not told
    /// apart, so that none can hide one.
    private var hasExplodingKeys: Bool {
        let scalars = source.scalars
        var aliasCount = 0
        var hasKey = false
        /// The last scalar that is no space, and whether a word that it ends is an alias.
        var last: Unicode.Scalar = "\n"
        var isAlias = false
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : "\n"
            switch scalar {
            case "*":
                aliasCount += 1
                isAlias = true
            case ":" where isAlias || last == "]" || last == "}": hasKey = true
            case "?" where Self.isSpace(next): hasKey = true
            case _ where Self.isSpace(scalar): continue
            case _ where index > 0 && Self.isSpace(scalars[index - 1]): isAlias = false
            case ",", "[", "{", "]", "}": isAlias = false
            default: break
            }
            last = scalar
        }
        return hasKey && aliasCount > Self.aliasesInKeysMax
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || SourceText.isBreak(scalar)
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
