import Foundation
@testable import KodamaLanguage

/// Enough of JSON Schema draft 7 to judge scenarios; unknown keywords are refused, not ignored.
///
/// The schema is read once, since some ten thousand nodes are held against it.
struct SchemaValidator {
    private let root: Schema
    private let definitions: [String: Schema]

    /// A keyword or a form of it that this validator does not know.
    struct Unsupported: Error {
        var what: String
    }

    init(_ json: String) throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8))
        guard let parsed = parsed as? [String: Any] else { throw Unsupported(what: "the root") }
        root = try Schema(parsed)
        definitions = try (parsed["definitions"] as? [String: Any] ?? [:]).mapValues(Schema.init)
    }

    /// Whether a value is valid.
    func accepts(_ value: SyntaxNode) throws -> Bool {
        try accepts(value, root)
    }

    private func accepts(_ value: SyntaxNode, _ schema: Schema) throws -> Bool {
        switch schema {
        case .always(let isValid): return isValid
        case .keywords(let keywords): return try keywords.allSatisfy { try satisfies(value, $0) }
        case .reference(let name):
            guard let found = definitions[name] else { throw Unsupported(what: name) }
            return try accepts(value, found)
        }
    }

    private func satisfies(_ value: SyntaxNode, _ keyword: Schema.Keyword) throws -> Bool {
        switch keyword {
        case .all(let schemas): return try schemas.allSatisfy { try accepts(value, $0) }
        case .any(let schemas): return try schemas.contains { try accepts(value, $0) }
        case .one(let schemas): return try schemas.count { try accepts(value, $0) } == 1
        case .not(let schema): return try !accepts(value, schema)
        case .items(let schema): return try value.elements.allSatisfy { try accepts($0, schema) }
        case .count(let range): return !value.isSequence || range.contains(value.elements.count)
        case .required(let names):
            let present = value.entries?.map(\.key)
            return names.allSatisfy { present?.contains($0) ?? true }
        case .members(let members):
            return try (value.entries ?? []).allSatisfy { entry in
                let schemas = members.schemas(of: entry.key)
                guard !schemas.isEmpty else { return !members.isClosed }
                return try schemas.allSatisfy { try accepts(entry.value, $0) }
            }
        case .type(let name): return value.typeName == name
        case .choice(let texts): return value.text.map(texts.contains) ?? false
        case .text(let expected): return value.text == expected
        case .number(let expected): return value.number == expected
        case .pattern(let pattern): return value.text.map(pattern.matches) ?? true
        case .length(let least): return value.text.map { $0.unicodeScalars.count >= least } ?? true
        case .range(let range): return value.number.map(range.contains) ?? true
        case .multiple(let of): return value.number.map { $0 % of == 0 } ?? true
        }
    }
}

// MARK: - What a schema asks

extension SchemaValidator {
    private indirect enum Schema {
        case always(Bool)
        case reference(String)
        case keywords([Keyword])

        enum Keyword {
            case all([Schema])
            case any([Schema])
            case one([Schema])
            case not(Schema)
            case items(Schema)
            case count(ClosedRange<Int>)
            case required([String])
            case members(Members)
            case type(String)
            case choice([String])
            case text(String)
            case number(Int)
            case pattern(Pattern)
            case length(Int)
            case range(ClosedRange<Int>)
            case multiple(Int)
        }

        init(_ json: Any) throws {
            if let isValid = json as? Bool {
                self = .always(isValid)
                return
            }
            let json = try Self.cast(json, [String: Any].self)
            // Draft 7: beside a reference everything else is ignored.
            if let reference = json["$ref"] as? String {
                self = .reference(reference.replacing("#/definitions/", with: ""))
                return
            }
            var keywords = try json.keys.sorted().compactMap {
                try Self.keyword($0, json[$0] ?? false)
            }
            if json.keys.contains(where: Members.keys.contains) {
                keywords.append(.members(try Members(json)))
            }
            self = .keywords(keywords)
        }

        private static func keyword(_ key: String, _ argument: Any) throws -> Keyword? {
            func schemas() throws -> [Schema] { try cast(argument, [Any].self).map(Schema.init) }
            func integer() throws -> Int { try cast(argument, Int.self) }
            return switch key {
            case "$schema", "title", "description", "default", "definitions": nil
            case _ where Members.keys.contains(key): nil
            case "allOf": .all(try schemas())
            case "anyOf": .any(try schemas())
            case "oneOf": .one(try schemas())
            case "not": .not(try Schema(argument))
            case "items": .items(try Schema(argument))
            case "minItems": .count(try integer()...Int.max)
            case "maxItems": .count(0...(try integer()))
            case "required": .required(try cast(argument, [String].self))
            case "type": .type(try cast(argument, String.self))
            case "enum": .choice(try cast(argument, [String].self))
            case "const": try (argument as? String).map { .text($0) } ?? .number(integer())
            case "pattern": .pattern(try Pattern(cast(argument, String.self)))
            case "minLength": .length(try integer())
            case "minimum": .range(try integer()...Int.max)
            case "maximum": .range(Int.min...(try integer()))
            case "multipleOf": .multiple(try integer())
            default: throw Unsupported(what: key)
            }
        }

        private static func cast<Value>(_ json: Any, _ type: Value.Type) throws -> Value {
            guard let value = json as? Value else { throw Unsupported(what: "\(json)") }
            return value
        }
    }

    /// What the entries of a mapping must be, by their keys.
    private struct Members {
        private var properties: [String: Schema]
        private var patterns: [(pattern: Pattern, schema: Schema)]
        /// Whether no others may be there.
        let isClosed: Bool

        static let keys = ["properties", "patternProperties", "additionalProperties"]

        init(_ schema: [String: Any]) throws {
            let others = schema["additionalProperties"]
            isClosed = others as? Bool == false
            guard isClosed || others == nil else { throw Unsupported(what: "additionalProperties") }
            properties = try (schema["properties"] as? [String: Any] ?? [:]).mapValues(Schema.init)
            patterns = try (schema["patternProperties"] as? [String: Any] ?? [:])
                .map { (try Pattern($0), try Schema($1)) }
        }

        func schemas(of key: String) -> [Schema] {
            patterns.filter { $0.pattern.matches(key) }.map(\.schema)
                + (properties[key].map { [$0] } ?? [])
        }
    }

    private struct Pattern {
        private let expression: NSRegularExpression

        init(_ pattern: String) throws {
            // In a schema `$` is the very end (ECMA-262); here it would also stand before a last line break.
            let isOpen = !pattern.hasSuffix("$") || pattern.hasSuffix("\\$")
            let strict = isOpen ? pattern : String(pattern.dropLast()) + "\\z"
            expression = try NSRegularExpression(pattern: strict)
        }

        func matches(_ text: String) -> Bool {
            let whole = NSRange(location: 0, length: text.utf16.count)
            return expression.firstMatch(in: text, range: whole) != nil
        }
    }
}

// MARK: - Single values, as YAML 1.2's core schema reads them

extension SyntaxNode {
    fileprivate var elements: [SyntaxNode] {
        guard case .sequence(let nodes) = content else { return [] }
        return nodes
    }

    fileprivate var isSequence: Bool {
        guard case .sequence = content else { return false }
        return true
    }

    private var scalarText: ScalarText? {
        guard case .scalar(let scalar) = content else { return nil }
        return scalar
    }

    fileprivate var text: String? { typeName == "string" ? scalarText?.text : nil }

    fileprivate var number: Int? { typeName == "integer" ? Int(scalarText?.text ?? "") : nil }

    fileprivate var typeName: String {
        switch content {
        case .mapping: return "object"
        case .sequence: return "array"
        case .scalar(let scalar):
            guard scalar.isTypedByCoreSchema else { return "string" }
            if scalar.isNull { return "null" }
            if ScalarText.looksLikeNumber(scalar.text) {
                return Int(scalar.text) != nil ? "integer" : "number"
            }
            return "boolean"
        }
    }
}
