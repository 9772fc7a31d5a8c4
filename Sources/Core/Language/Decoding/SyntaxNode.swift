/// A YAML value with its place, before anything is known of its meaning.
struct SyntaxNode: Sendable, Equatable {
    /// What it is.
    var content: Content
    /// Where it stands.
    var place: Place

    /// What a YAML value can be.
    indirect enum Content: Sendable, Equatable {
        /// A single value, still text.
        case scalar(ScalarText)
        /// A list.
        case sequence([SyntaxNode])
        /// Keys with values, in the order of the file, each key once.
        case mapping([Entry])
    }

    /// A key with its value.
    struct Entry: Sendable, Equatable {
        /// The key.
        var key: String
        /// Where the key stands.
        var keyPlace: Place
        /// The value.
        var value: SyntaxNode
    }

    /// The keys and values, if it is a mapping.
    var entries: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// How many values it holds, itself and keys included.
    var count: Int {
        switch content {
        case .scalar: 1
        case .sequence(let nodes): nodes.reduce(1) { $0 + $1.count }
        case .mapping(let entries): entries.reduce(1) { $0 + 1 + $1.value.count }
        }
    }

    /// Whether nothing is written here.
    var isEmptyText: Bool {
        guard case .scalar(let scalar) = content else { return false }
        return scalar.isPlain && scalar.text.isEmpty
    }

    /// What a message calls it.
    var kindName: String {
        switch content {
        case .scalar(let scalar): scalar.isNull ? "nothing" : "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// A single value as it is written.
struct ScalarText: Sendable, Equatable {
    /// The text, quotes and escapes resolved.
    var text: String
    /// Whether it stands without quotes and not in a block.
    var isPlain: Bool
    /// How many scalars lie between its place and the text's first: 1 for a quote.
    var lead: Int { isPlain ? 0 : 1 }

    /// Whether YAML 1.2's core schema reads it as null.
    var isNull: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(text) }

    /// Whether YAML 1.2's core schema reads it as something other than text.
    var isTypedByCoreSchema: Bool {
        guard isPlain else { return false }
        if isNull || ["true", "True", "TRUE", "false", "False", "FALSE"].contains(text) {
            return true
        }
        return Self.looksLikeNumber(text)
    }

    /// Whether the core schema's forms of integers and floats match (YAML 1.2.2, 10.3.2).
    static func looksLikeNumber(_ text: String) -> Bool {
        var body = Substring(text)
        if body.hasPrefix("0x"), body.count > 2 {
            return body.dropFirst(2).allSatisfy(\.isHexDigit)
        }
        if body.hasPrefix("0o"), body.count > 2 {
            return body.dropFirst(2).allSatisfy { "01234567".contains($0) }
        }
        if body.first == "-" || body.first == "+" { body = body.dropFirst() }
        if [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(String(body)) { return true }
        var digits = 0
        while let next = body.first, isDigit(next) {
            digits += 1
            body = body.dropFirst()
        }
        if body.first == "." {
            body = body.dropFirst()
            while let next = body.first, isDigit(next) {
                digits += 1
                body = body.dropFirst()
            }
        }
        guard digits > 0 else { return false }
        guard body.first == "e" || body.first == "E" else { return body.isEmpty }
        body = body.dropFirst()
        if body.first == "-" || body.first == "+" { body = body.dropFirst() }
        return !body.isEmpty && body.allSatisfy(isDigit)
    }

    /// Whether a character is one of the ten ASCII digits.
    static func isDigit(_ character: Character) -> Bool {
        "0123456789".contains(character)
    }
}
