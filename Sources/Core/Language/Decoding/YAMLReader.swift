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
    var masks: [Unicode.Scalar: Unicode.Scalar] = [:]
    /// Where in the source the last value read began or ended, for telling aliases.
    var cursor = 0
    /// How many values have been read.
    var nodeCount = 0

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

    /// Where in the source a mark of Yams stands.
    func offset(_ mark: Mark?) -> Int {
        guard let mark else { return 0 }
        return source.offset(line: mark.line, column: mark.column) ?? source.scalars.count
    }

    /// Reports a problem at a place in the source's scalars.
    mutating func report(_ problem: Problem, at offset: Int, length: Int = 1) {
        let place = Place(location: source.location(at: offset), length: length)
        reports.append(Report(problem: problem, place: place))
    }
}
