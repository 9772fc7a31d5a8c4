extension ShapeChecker {
    /// Checks a single value.
    mutating func scalar(_ node: SyntaxNode, as shape: Shape) -> CheckedValue? {
        guard case .scalar(let scalar) = node.content, !scalar.isNull else {
            if case .reference(let kind) = shape, node.entries != nil {
                report(.noName(kind, found: node.kindName), at: node.place)
                return nil
            }
            return refuse(node, expected: shape.expectation)
        }
        do {
            let content = try Self.content(of: scalar, as: shape)
            return CheckedValue(
                content: content,
                place: node.place,
                written: scalar.text,
                lead: scalar.lead
            )
        } catch {
            let whole = error.offset == 0 && error.length == nil
            let rest = scalar.text.unicodeScalars.count - error.offset
            report(
                error.problem,
                at: whole
                    ? node.place
                    : node.place.advanced(
                        by: scalar.lead + error.offset,
                        length: error.length ?? rest
                    )
            )
            // What has a bad name can still be referred to by it: one mistake, one report.
            guard case .badName(let name) = error.problem else { return nil }
            return CheckedValue(content: .text(name), place: node.place, written: scalar.text)
        }
    }

    /// What a single value says, read by the rules of YAML 1.2's core schema and the language.
    private static func content(
        of scalar: ScalarText,
        as shape: Shape
    ) throws(Finding) -> CheckedValue.Content {
        let text = scalar.text
        switch shape {
        case .formatVersion:
            guard text == "2", scalar.isPlain else { throw Finding(.unsupportedVersion(text)) }
            return .number(2)
        case .integer(let range, let step):
            let number = try QuantityReader.integer(text, in: range, step: step)
            // Quotes are what is wrong only with what would be right without them.
            guard scalar.isPlain else { throw Finding(.notInteger(text, hint: "\(text)")) }
            return .number(number)
        case .boolean:
            guard scalar.isPlain, text == "true" || text == "false" else {
                throw Finding(.notBoolean(text))
            }
            return .boolean(text == "true")
        case .quantity(let kind, let range, let step):
            return .number(try QuantityReader.quantity(text, kind, in: range, step: step))
        case .timeOfDay:
            return .timeOfDay(try TimeOfDay.nanoseconds(text))
        case .instant:
            return try instant(text)
        case .word(let choice, let other):
            guard text != choice.word else { return .text(text) }
            do throws(Finding) {
                return try content(of: scalar, as: other)
            } catch {
                guard case .notInteger(let text, hint: nil) = error.problem else { throw error }
                let hint = "a whole number such as 10, or \(choice.word)"
                throw Finding(.notInteger(text, hint: hint))
            }
        case .bound:
            return .bound(try BoundText(reading: text))
        default:
            return .text(try words(scalar, as: shape))
        }
    }

    /// A moment of the run; a colon makes it a time of day.
    private static func instant(_ text: String) throws(Finding) -> CheckedValue.Content {
        guard text.contains(":") else {
            let times = 0...ScenarioLanguage.durationMax
            return .number(try QuantityReader.quantity(text, .duration, in: times))
        }
        return .timeOfDay(try TimeOfDay.nanoseconds(text))
    }

    /// A single value that is text.
    private static func words(_ scalar: ScalarText, as shape: Shape) throws(Finding) -> String {
        let text = scalar.text
        if case .name = shape, !ScenarioName.isValid(text) { throw Finding(.badName(text)) }
        guard !scalar.isTypedByCoreSchema else { throw Finding(.notText(text)) }
        if case .choice(let choices, let noun) = shape {
            let words = choices.map(\.word)
            guard words.contains(text) else {
                throw Finding(.notChoice(text, among: words, noun: noun))
            }
        }
        return text
    }
}

extension Shape {
    /// What a message says was expected.
    var expectation: String {
        switch self {
        case .formatVersion: "the version, 2"
        case .name: "a name"
        case .sentence: "text"
        case .path: "the path of a file"
        case .reference(let kind): "the name of a \(kind.noun)"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .choice(let choices, _): choices.map(\.word).joined(separator: " or ")
        case .quantity(let kind, _, _): "\(kind.noun) such as \(kind.example)"
        case .timeOfDay: "a time of day such as 06:30:00"
        case .instant: "a time such as 25s or 06:30:00"
        case .bound: "a limit such as \"<= 90ms\""
        case .list(let entry, _): "a list, each entry \(entry.expectation)"
        case .mapping(let mapping): mapping.noun
        case .variants(_, let noun), .cases(_, _, let noun): noun
        case .scalar(let single, let mapping): "\(single.expectation), or \(mapping.noun)"
        case .word(let choice, let other): "\(choice.word) or \(other.expectation)"
        case .sweep: "a mapping of names to lists, or a list of points"
        case .sweptValues: "swept names with values"
        case .parameters: "parameters by name"
        }
    }
}
