import KodamaEvidence

/// A comparison with the text of a value, such as `<= 90ms`.
struct BoundText: Sendable, Equatable {
    /// On which side of the limit a figure must lie.
    var comparison: Comparison
    /// The limit, still text.
    var limit: String
    /// How many scalars stand before the limit.
    var offset: Int
}

extension BoundText {
    /// Reads a comparison and what follows it.
    init(reading text: String) throws(Finding) {
        let operators = text.prefix { "<>=!≤≥".contains($0) }
        guard let comparison = Comparison(rawValue: String(operators)) else {
            throw Finding(.notBound(text, hint: Self.repaired(text, operators: operators)))
        }
        let rest = text[operators.endIndex...]
        let limit = rest.drop { $0 == " " }
        guard !limit.isEmpty else { throw Finding(.notBound(text, hint: nil)) }
        self.comparison = comparison
        self.limit = String(limit)
        offset = text.unicodeScalars.count - limit.unicodeScalars.count
    }

    /// The limit as it should have been written, if the text says enough.
    private static func repaired(_ text: String, operators: Substring) -> String? {
        let value = text[operators.endIndex...].drop { $0 == " " }
        guard let first = value.first, ScalarText.isDigit(first) else { return nil }
        switch operators {
        case "=<", "≤": return "\"<= \(value)\""
        case "=>", "≥": return "\">= \(value)\""
        case "=": return "\"== \(value)\""
        case "": return "\"<= \(value)\" or \">= \(value)\""
        default: return nil
        }
    }
}
