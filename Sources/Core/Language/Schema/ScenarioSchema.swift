import KodamaEvidence
import KodamaSimulation

/// The scenario language as a JSON Schema, for editors.
///
/// Draft 7, the newest that yaml-language-server reads. It is made from the tables by which files
/// are checked, so both say the same of shapes; what names refer to is left to the loader.
public enum ScenarioSchema {
    /// The schema with the names of `vocabulary`, keys sorted, a line break at the end.
    public static func json(vocabulary: ScenarioVocabulary) -> String {
        var writer = SchemaWriter(vocabulary: vocabulary)
        let root = ScenarioLanguage.root(vocabulary.language)
        var members = writer.members(of: root)
        // What a scenario extends may say all that it leaves out.
        let inheritable = ["phones", "duration"].map { JSONText.string($0) }
        if case .array(let required) = members["required"] {
            members["required"] = .array(required.filter { !inheritable.contains($0) })
        }
        members["anyOf"] = [["required": ["extends"]], ["required": .array(inheritable)]]
        members["$schema"] = "http://json-schema.org/draft-07/schema#"
        members["title"] = "Kodama scenario"
        members["definitions"] = .object(writer.definitions)
        return JSONText.object(members).written() + "\n"
    }
}

/// Walks the tables of the language.
struct SchemaWriter {
    let vocabulary: ScenarioVocabulary
    /// The definitions met so far, by name.
    private(set) var definitions: [String: JSONText] = [:]

    init(vocabulary: ScenarioVocabulary) {
        self.vocabulary = vocabulary
    }

    /// The schema of a value.
    mutating func schema(_ shape: Shape) -> JSONText {
        switch shape {
        case .formatVersion:
            ["const": .integer(2)]
        case .name:
            Self.orSwept(["type": "string", "pattern": .string(ScenarioName.pattern)])
        case .sentence, .path:
            ["type": "string", "minLength": .integer(1)]
        case .reference(let kind):
            Self.orSwept(reference(kind))
        case .integer(let range, let step):
            Self.orSwept(Self.integer(range, step: step))
        case .boolean:
            Self.orSwept(["type": "boolean"])
        case .choice(let choices, _):
            Self.orSwept(["enum": .array(choices.map { .string($0.word) })])
        case .quantity(let kind, let range, _):
            quantity(kind, isSigned: range.lowerBound < 0)
        case .timeOfDay:
            define(
                "time_of_day",
                Self.orSwept(["type": "string", "pattern": .string(TimeOfDay.pattern)])
            )
        case .instant:
            ["anyOf": [schema(.timeOfDay), schema(.time)]]
        case .bound:
            define(
                "bound",
                [
                    "type": "string",
                    "pattern": .string(
                        "^(<=|<|>=|>|==) *([0-9]+(\\.[0-9]+)? ?[a-zA-Z%]*|\(SweepName.usePattern))$"
                    ),
                ]
            )
        case .list(let entry, let counts):
            [
                "type": "array", "items": schema(entry),
                "minItems": .integer(Int64(counts.lowerBound)),
                "maxItems": .integer(Int64(counts.upperBound)),
            ]
        case .mapping(let mapping):
            self.mapping(mapping)
        case .variants(let variants, _):
            ["oneOf": .array(variants.map { self.mapping($0) })]
        case .cases(_, let variants, _):
            // A swept value instead of the word that tells cases apart fits several.
            ["anyOf": .array(variants.map { self.mapping($0) })]
        case .scalar(let single, let mapping):
            ["oneOf": [schema(single), self.mapping(mapping)]]
        case .word(let choice, let other):
            ["oneOf": [["const": .string(choice.word)], schema(other)]]
        case .sweep:
            Self.sweep
        case .sweptValues:
            ["type": "object"]
        case .parameters(let catalog, let owner):
            parameters(catalog, of: owner)
        }
    }

    /// A schema of a single value, for which a swept one may stand.
    private static func orSwept(_ schema: JSONText) -> JSONText {
        ["anyOf": [schema, ["type": "string", "pattern": .string("^\(SweepName.usePattern)$")]]]
    }

    /// Names with lists of single values, or a list of points.
    private static let sweep: JSONText = {
        let types = ["string", "integer", "number", "boolean"]
        let value: JSONText = [
            "anyOf": .array(types.map { .object(["type": .string($0)]) })
        ]
        func named(_ schema: JSONText) -> JSONText {
            [
                "type": "object", "additionalProperties": .boolean(false),
                "patternProperties": .object([SweepName.pattern: schema]),
            ]
        }
        return [
            "oneOf": [
                named(["type": "array", "items": value]),
                ["type": "array", "items": named(value)],
            ]
        ]
    }()

    private static func integer(_ range: ClosedRange<Int64>, step: Int64) -> JSONText {
        var members: [String: JSONText] = [
            "type": "integer", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]
        if step != 1 { members["multipleOf"] = .integer(step) }
        return .object(members)
    }

    private mutating func quantity(_ kind: QuantityKind, isSigned: Bool) -> JSONText {
        let units = kind.units.map(\.symbol).joined(separator: "|")
        let sign = isSigned ? "-?" : ""
        return define(
            kind.rawValue + (isSigned ? "_signed" : ""),
            [
                "type": "string",
                "description": .string(
                    "\(kind.noun), such as \(kind.example)".capitalizedFirst + "."
                ),
                "pattern": .string(
                    "^(\(sign)(0|[1-9][0-9]*)(\\.[0-9]+)? ?(\(units))|\(SweepName.usePattern))$"
                ),
            ]
        )
    }

    private mutating func reference(_ kind: NameKind) -> JSONText {
        let words: [String]
        switch kind {
        case .profile: words = vocabulary.profiles.map(\.name)
        case .metric: words = vocabulary.metrics.map(\.name)
        case .invariant: words = vocabulary.invariants
        case .event: words = vocabulary.eventKinds
        case .requirement: words = vocabulary.requirements
        case .voice: words = vocabulary.voices
        case .radio:
            return ["type": "string", "pattern": "^[^/]+/(wifi|cellular)$"]
        case .phoneOrRadio:
            return ["type": "string", "pattern": "^[^/]+(/(wifi|cellular))?$"]
        case .phone, .phoneRunning, .peer, .roomGuest, .person, .parameter, .sweptValue:
            return ["type": "string", "pattern": .string(ScenarioName.pattern)]
        case .link:
            return ["type": "string", "pattern": "^[^/]+/[^/]+$"]
        case .component:
            return ["type": "string", "pattern": "^[a-z][^ ]*$"]
        }
        guard !words.isEmpty else { return ["type": "string"] }
        return define("known_\(kind.code)", ["enum": .array(words.map { .string($0) })])
    }

    private mutating func define(_ name: String, _ schema: JSONText) -> JSONText {
        definitions[name] = schema
        return ["$ref": .string("#/definitions/\(name)")]
    }
}

// MARK: - Mappings

extension SchemaWriter {
    private mutating func mapping(_ shape: MappingShape) -> JSONText {
        if definitions[shape.name] == nil {
            let members = members(of: shape)
            definitions[shape.name] = .object(members)
        }
        return ["$ref": .string("#/definitions/\(shape.name)")]
    }

    /// The keywords that describe a mapping.
    mutating func members(of shape: MappingShape) -> [String: JSONText] {
        var properties: [String: JSONText] = [:]
        for field in shape.fields {
            properties[field.key] = described(schema(field.shape), field)
        }
        var patterns: [String: JSONText] = ["^x-": .boolean(true)]
        if shape.takesStatistics { patterns[StatisticName.pattern] = schema(.bound) }
        var members: [String: JSONText] = [
            "type": "object",
            "description": .string(shape.summary),
            "properties": .object(properties),
            "patternProperties": .object(patterns),
            "additionalProperties": .boolean(false),
        ]
        let required = shape.fields.filter { $0.absence == .refused }.map {
            JSONText.string($0.key)
        }
        if !required.isEmpty { members["required"] = .array(required) }
        if !shape.exactlyOne.isEmpty {
            members["oneOf"] = .array(shape.exactlyOne.map { ["required": [.string($0)]] })
        }
        if !shape.exclusive.isEmpty {
            members["allOf"] = .array(
                shape.exclusive.map { ["not": ["required": [.string($0), .string($1)]]] }
            )
        }
        return members
    }

    /// A schema with a key's description and default; draft 7 ignores both beside a reference.
    private func described(_ schema: JSONText, _ field: Field) -> JSONText {
        guard case .object(var members) = schema else { return schema }
        if let reference = members["$ref"] {
            members = ["allOf": [["$ref": reference]]]
        }
        members["description"] = .string(field.summary)
        switch field.absence {
        case .means(let text): members["default"] = Self.literal(text, field.shape)
        case .refused, .allowed, .meansRunEnd: break
        }
        return .object(members)
    }

    private static func literal(_ text: String, _ shape: Shape) -> JSONText {
        switch shape {
        case .boolean: .boolean(text == "true")
        case .integer: Int64(text).map { .integer($0) } ?? .string(text)
        default: .string(text)
        }
    }

    /// Parameters by dotted name, and by group.
    private mutating func parameters(
        _ catalog: ParameterCatalog,
        of owner: ParameterOwner
    ) -> JSONText {
        let name = owner == .scenario ? "parameters" : "\(owner)_parameters"
        guard definitions[name] == nil else { return ["$ref": .string("#/definitions/\(name)")] }
        let leaves = catalog.parameters.filter { owner.takes($0.scope) }.map {
            parameter -> (path: [String], schema: JSONText) in
            let field = Field(
                parameter.name,
                parameter.shape,
                .means(parameter.defaultText),
                "\(parameter.meaning) From \(parameter.rangeText) (\(parameter.source))."
            )
            let path = parameter.name.split(separator: ".").map(String.init)
            let own = described(schema(parameter.shape), field)
            return (path, define("parameter.\(parameter.name)", own))
        }
        return define(name, Self.group(leaves, "Settings, by dotted name or nested."))
    }

    /// Dotted names, each also nested at any of its dots.
    private static func group(
        _ leaves: [(path: [String], schema: JSONText)],
        _ summary: String
    ) -> JSONText {
        var properties: [String: JSONText] = [:]
        var groups: [String: [(path: [String], schema: JSONText)]] = [:]
        for leaf in leaves {
            properties[leaf.path.joined(separator: ".")] = leaf.schema
            for count in leaf.path.indices.dropFirst() {
                let group = leaf.path[..<count].joined(separator: ".")
                groups[group, default: []].append((Array(leaf.path[count...]), leaf.schema))
            }
        }
        for name in groups.keys.sorted() {
            properties[name] = group(groups[name] ?? [], "The parameters '\(name).…'.")
        }
        return closed(properties, summary)
    }

    private static func closed(_ properties: [String: JSONText], _ summary: String) -> JSONText {
        [
            "type": "object", "description": .string(summary),
            "properties": .object(properties), "patternProperties": ["^x-": .boolean(true)],
            "additionalProperties": .boolean(false),
        ]
    }
}

extension String {
    /// The text with a capital first letter.
    fileprivate var capitalizedFirst: String {
        prefix(1).uppercased() + dropFirst()
    }
}
