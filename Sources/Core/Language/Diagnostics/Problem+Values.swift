import Foundation

extension Problem {
    /// Words for a single value that cannot be read.
    var valueWording: Wording? {
        switch self {
        case .notText(let text):
            return Wording(
                "not-text",
                "'\(text)' is not text",
                .init("write \"\(text)\" in quotes if it is meant as text")
            )
        case .badName(let name):
            // A block of text ends with a line feed.
            let shown = name.replacingScalars { $0 == "\n" ? "␊" : nil }
            return Wording(
                "bad-name",
                "'\(shown)' is not a name: lower-case letters, digits and single hyphens",
                Self.kebab(name).map { .init("did you mean '\($0)'?") }
            )
        case .notChoice(let text, let choices, let noun):
            return Wording(
                "unknown-choice",
                "no \(noun) '\(text)'",
                Self.nearest(to: text, among: choices)
                    ?? (choices.count > 24 ? .init("'kodama guide' names what is allowed") : nil),
                Self.list(choices, most: 24, as: "allowed")
            )
        case .notBoolean(let text):
            return Wording("not-boolean", "'\(text)' is not a truth value", .init(Self.truth(text)))
        case .notInteger(let text, let hint):
            return Wording(
                "not-integer",
                "'\(text)' is not a whole number",
                Self.write(hint ?? "digits alone, such as 10")
            )
        case .tooManyDigits(let text):
            return Wording("too-many-digits", "'\(text)' has more than 18 digits")
        case .outOfRange(let text, let least, let most):
            return Wording(
                "out-of-range",
                "'\(text)' is out of range",
                .init(most.map { "from \(least) to \($0)" } ?? "at least \(least)")
            )
        case .notMultiple(let text, let step):
            return Wording("not-multiple", "'\(text)' is not a multiple of \(step)")
        case .notBound(let text, let hint):
            return Wording(
                "not-a-limit",
                "'\(text)' is not a limit: a comparison and a value, such as \"<= 90ms\"",
                Self.write(hint)
            )
        default:
            return quantityWording
        }
    }

    /// Words for a quantity that cannot be read.
    private var quantityWording: Wording? {
        switch self {
        case .notQuantity(let text, let kind, let hint):
            Wording(
                "not-a-quantity",
                "'\(text)' is not \(kind.noun)",
                Self.write(hint) ?? .init("such as \(kind.example)")
            )
        case .notTimeOfDay(let text, let hint):
            Wording(
                "not-a-time-of-day",
                "'\(text)' is not a time of day: hours, minutes and seconds, two digits each",
                Self.write(hint) ?? .init("such as 06:30:00")
            )
        case .missingUnit(let text, let kind):
            Wording(
                "missing-unit",
                "'\(text)' has no unit",
                .init("write \(kind.unitExamples(for: text))")
            )
        case .unknownUnit(let unit, let number, let kind):
            Wording(
                "unknown-unit",
                "unknown unit '\(unit)' for \(kind.noun)",
                kind.meant(by: unit).map { .init("write \(number)\($0)") },
                Self.list(kind.units.map(\.symbol), as: "allowed")
            )
        case .wrongUnit(let text, let kind, let wanted):
            Wording("wrong-unit", "'\(text)' is \(kind.noun), expected \(wanted)")
        case .tooPrecise(let text, let finest):
            Wording("too-precise", "'\(text)' is finer than \(finest)")
        default:
            nil
        }
    }

    /// How a truth value should have been written.
    private static func truth(_ text: String) -> String {
        switch text.lowercased() {
        case "yes", "on", "y", "true": "write true"
        case "no", "off", "n", "false": "write false"
        default: "write true or false"
        }
    }

    /// The name nearest to the text that follows the rules, if there is one; accents go, their letters stay.
    static func kebab(_ text: String) -> String? {
        var name = ""
        let letters = text.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
        for scalar in letters where scalar.properties.generalCategory != .nonspacingMark {
            if ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) {
                name.unicodeScalars.append(scalar)
            } else if !name.isEmpty, !name.hasSuffix("-") {
                name += "-"
            }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return ScenarioName.isValid(name) && name != text ? name : nil
    }
}
