import Foundation
@testable import KodamaLanguage

/// Enough of JSON Schema draft 7 to judge scenarios; unknown keywords are refused, not ignored.
struct SchemaValidator {
    private let root: [String: Any]

    /// A keyword or a form of it that this validator does not know.
    struct Unsupported: Error {
        var what: String
    }

    init(_ json: String) throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8))
        guard let root = parsed as? [String: Any] else { throw Unsupported(what: "the root") }
        self.root = root
    }

    /// Whether a value is valid.
    func accepts(_ value: SyntaxNode) throws -> Bool {
        try accepts(value, root)
    }

    private func accepts(_ value: SyntaxNode, _ schema: Any) throws -> Bool {
        if let always = schema as? Bool { return always }
        guard let schema = schema as? [String: Any] else { throw Unsupported(what: "a schema") }
        // Draft 7: beside a reference everything else is ignored.
        if let reference = schema["$ref"] as? String {
            return try accepts(value, definition(reference))
        }
        for key in schema.keys.sorted() {
            guard let argument = schema[key] else { continue }
            guard try satisfies(value, key, argument, schema) else { return false }
        }
        return true
    }

    private func definition(_ reference: String) throws -> Any {
        let name = reference.replacing("#/definitions/", with: "")
        guard let all = root["definitions"] as? [String: Any], let found = all[name] else {
            throw Unsupported(what: reference)
        }
        return found
    }

    private func satisfies(
        _ value: SyntaxNode,
        _ key: String,
        _ argument: Any,
        _ schema: [String: Any]
    ) throws -> Bool {
        switch key {
        case "$schema", "title", "description", "default", "definitions":
            return true
        case "allOf":
            return try schemas(argument).allSatisfy { try accepts(value, $0) }
        case "anyOf":
            return try schemas(argument).contains { try accepts(value, $0) }
        case "oneOf":
            return try schemas(argument).count { try accepts(value, $0) } == 1
        case "not":
            return try !accepts(value, argument)
        case "type", "enum", "const", "pattern", "minLength", "minimum", "maximum", "multipleOf":
            return try scalar(value, key, argument)
        case "items":
            return try value.elements.allSatisfy { try accepts($0, argument) }
        case "minItems":
            let least = try integer(argument)
            return !value.isSequence || value.elements.count >= least
        case "maxItems":
            let most = try integer(argument)
            return !value.isSequence || value.elements.count <= most
        case "required":
            let present = value.entries?.map(\.key)
            return try strings(argument).allSatisfy { present?.contains($0) ?? true }
        case "properties", "patternProperties":
            return try members(value, of: schema).allSatisfy { try accepts($0.value, $0.schema) }
        case "additionalProperties":
            guard argument as? Bool == false else { throw Unsupported(what: key) }
            let known = Set(members(value, of: schema).map(\.key))
            return (value.entries ?? []).allSatisfy { known.contains($0.key) }
        default:
            throw Unsupported(what: key)
        }
    }

    private func members(
        _ value: SyntaxNode,
        of schema: [String: Any]
    ) -> [(key: String, value: SyntaxNode, schema: Any)] {
        let properties = schema["properties"] as? [String: Any] ?? [:]
        let patterns = schema["patternProperties"] as? [String: Any] ?? [:]
        return (value.entries ?? []).flatMap { entry in
            var schemas = patterns.keys.sorted().filter { Self.matches(entry.key, $0) }
                .compactMap { patterns[$0] }
            if let property = properties[entry.key] { schemas.append(property) }
            return schemas.map { (entry.key, entry.value, $0) }
        }
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        // In a schema `$` is the very end (ECMA-262); here it would also stand before a last line break.
        let isOpen = !pattern.hasSuffix("$") || pattern.hasSuffix("\\$")
        let strict = isOpen ? pattern : String(pattern.dropLast()) + "\\z"
        return text.range(of: strict, options: .regularExpression) != nil
    }

    private func schemas(_ argument: Any) throws -> [Any] {
        guard let schemas = argument as? [Any] else { throw Unsupported(what: "a list of schemas") }
        return schemas
    }

    private func strings(_ argument: Any) throws -> [String] {
        guard let strings = argument as? [String] else { throw Unsupported(what: "strings") }
        return strings
    }

    private func integer(_ argument: Any) throws -> Int {
        guard let integer = argument as? Int else { throw Unsupported(what: "a number") }
        return integer
    }
}

// MARK: - Single values, as YAML 1.2's core schema reads them

extension SchemaValidator {
    private func scalar(_ value: SyntaxNode, _ key: String, _ argument: Any) throws -> Bool {
        let scalar = value.scalarText
        let text = value.typeName == "string" ? scalar?.text : nil
        let number = value.typeName == "integer" ? Int(scalar?.text ?? "") : nil
        switch key {
        case "type":
            return argument as? String == value.typeName
        case "enum":
            guard let text else { return false }
            return try strings(argument).contains(text)
        case "const":
            if let expected = argument as? String { return text == expected }
            return number == (try integer(argument))
        case "pattern":
            guard let text, let pattern = argument as? String else { return true }
            return Self.matches(text, pattern)
        case "minLength":
            guard let text else { return true }
            return text.unicodeScalars.count >= (try integer(argument))
        case "minimum":
            guard let number else { return true }
            return number >= (try integer(argument))
        case "maximum":
            guard let number else { return true }
            return number <= (try integer(argument))
        default:
            guard let number else { return true }
            return number % (try integer(argument)) == 0
        }
    }
}

extension SyntaxNode {
    fileprivate var elements: [SyntaxNode] {
        guard case .sequence(let nodes) = content else { return [] }
        return nodes
    }

    fileprivate var isSequence: Bool {
        guard case .sequence = content else { return false }
        return true
    }

    fileprivate var scalarText: ScalarText? {
        guard case .scalar(let scalar) = content else { return nil }
        return scalar
    }

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
