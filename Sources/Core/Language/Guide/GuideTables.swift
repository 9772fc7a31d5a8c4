/// The tables of the language as sections of the guide: each mapping once, where it is met first.
struct GuideTables {
    /// The sections so far, each a heading with a table.
    private(set) var sections: [String] = []
    private var names: [String] = []

    /// Adds a mapping, and then all that stand in it.
    mutating func add(_ shape: MappingShape) {
        guard !names.contains(shape.name) else { return }
        names.append(shape.name)
        sections.append(Self.section(shape))
        for field in shape.fields { addMappings(in: field.shape) }
    }

    private mutating func addMappings(in shape: Shape) {
        switch shape {
        case .mapping(let mapping): add(mapping)
        case .scalar(let single, let mapping):
            addMappings(in: single)
            add(mapping)
        case .list(let entry, _): addMappings(in: entry)
        case .word(_, let other): addMappings(in: other)
        case .variants(let mappings, _), .cases(_, let mappings, _):
            for mapping in mappings { add(mapping) }
        case .formatVersion, .name, .sentence, .path, .reference, .integer, .boolean, .choice,
            .quantity, .timeOfDay, .instant, .bound, .sweep, .sweptValues, .parameters:
            break
        }
    }

    private static func section(_ shape: MappingShape) -> String {
        var lines = ["### \(shape.title)", "", shape.summary, ""]
        lines += ["| key | value | without it | meaning |", "|---|---|---|---|"]
        for field in shape.fields {
            lines.append(
                "| `\(field.key)` | \(field.shape.guideWords) | \(field.absence.guideWords) "
                    + "| \(field.summary) |"
            )
        }
        if shape.takesStatistics {
            lines.append("| a statistic | a limit such as `\"<= 90ms\"` | – | What must hold. |")
        }
        var remarks = shape.fields.flatMap { field in
            field.shape.choices.filter { !$0.summary.isEmpty }.map { choice in
                "- `\(field.key): \(choice.word)`: \(choice.summary)"
            }
        }
        if !shape.exactlyOne.isEmpty {
            remarks.append("- Exactly one of \(shape.exactlyOne.quoted(joinedBy: ", ")).")
        }
        for (one, other) in shape.exclusive {
            remarks.append("- Not both of `\(one)` and `\(other)`.")
        }
        if !remarks.isEmpty { lines += [""] + remarks }
        return lines.joined(separator: "\n")
    }
}

extension MappingShape {
    /// The heading of its section: the noun without its article.
    fileprivate var title: String {
        for article in ["a ", "an "] where noun.hasPrefix(article) {
            return noun.dropFirst(article.count).capitalizedFirst
        }
        return noun.replacing("'", with: "`").capitalizedFirst
    }
}

extension Shape {
    /// What may be written, for a cell of a table.
    fileprivate var guideWords: String {
        switch self {
        case .formatVersion: return "`2`"
        case .name: return "a name"
        case .sentence: return "text"
        case .path: return "a file"
        case .reference(let kind):
            let beginsWithVowel = kind.noun.first.map { "aeiou".contains($0) } ?? false
            return (beginsWithVowel ? "an " : "a ") + kind.noun
                + (kind.listed.map { ", see `kodama list \($0)`" } ?? "")
        case .integer(let range, _): return "\(range.lowerBound) to \(range.upperBound)"
        case .boolean: return "`true` or `false`"
        case .choice(let choices, _): return choices.map(\.word).quoted(joinedBy: ", ")
        case .quantity(let kind, let range, _):
            let ends = [range.lowerBound, range.upperBound].map(kind.text)
            return "\(kind.noun), \(ends[0]) to \(ends[1])"
        case .timeOfDay: return "a time of day such as `06:30:00`"
        case .instant: return "a time such as `25s` or `06:30:00`"
        case .bound: return "a limit such as `\"<= 90ms\"`"
        case .list(let entry, _): return "a list of: \(entry.guideWords)"
        case .mapping(let mapping): return mapping.title.lowercasedFirst
        case .variants(let mappings, _):
            return mappings.map(\.title.lowercasedFirst).joined(separator: ", or ")
        case .cases(let key, let mappings, _):
            let words = mappings.compactMap { $0.word(of: key)?.word }
            return "by `\(key)`: \(words.quoted(joinedBy: ", "))"
        case .scalar(let single, let mapping):
            return "\(single.guideWords), or \(mapping.title.lowercasedFirst)"
        case .word(let choice, let other): return "`\(choice.word)`, or \(other.guideWords)"
        case .sweep: return "lists of values by name, or a list of points"
        case .sweptValues: return "values by swept name"
        case .parameters: return "parameters by name"
        }
    }

    /// The words that may be written, with their meanings.
    fileprivate var choices: [Choice] {
        switch self {
        case .choice(let choices, _): choices
        case .scalar(let single, _): single.choices
        case .word(let choice, let other): [choice] + other.choices
        default: []
        }
    }
}

extension Field.Absence {
    /// What holds without a key, for a cell of a table.
    fileprivate var guideWords: String {
        switch self {
        case .refused: "required"
        case .allowed: "–"
        case .means(let text): "`\(text)`"
        case .meansRunEnd: "the run's end"
        }
    }
}

extension [String] {
    fileprivate func quoted(joinedBy separator: String) -> String {
        map { "`\($0)`" }.joined(separator: separator)
    }
}

extension StringProtocol {
    /// The text with a capital first letter.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// The text with a small first letter.
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
