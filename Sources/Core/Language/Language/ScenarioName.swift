/// The rule for the names of what is swept: as other names, but with underscores as well.
enum SweepName {
    /// The rule as a regular expression, for the schema.
    static let pattern = "^[a-z][a-z0-9]*([-_][a-z0-9]+)*$"

    /// The rule for a use of the name, without anchors.
    static let usePattern = "\\$[a-z][a-z0-9_-]*"

    /// Whether `text` is such a name.
    static func isValid(_ text: String) -> Bool {
        ScenarioName.isValid(text.replacing("_", with: "-"))
    }
}

/// The rule for the names of scenarios, devices, people and groups.
enum ScenarioName {
    /// The rule as a regular expression, for the schema.
    static let pattern = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"

    /// Whether `text` is a name: lower-case letters, digits and single hyphens, a letter first.
    static func isValid(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, ("a"..."z").contains(first) else {
            return false
        }
        var lastWasHyphen = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": lastWasHyphen = false
            case "-" where !lastWasHyphen: lastWasHyphen = true
            default: return false
            }
        }
        return !lastWasHyphen
    }
}
