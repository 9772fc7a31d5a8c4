/// Guesses which quantity was meant by a text that is none: `1m30s`, `1e3ms`, `1,5s`.
enum QuantityRepair {
    /// The quantity as it should have been written; `nil` if the text does not say enough.
    static func meaning(of text: String, _ kind: QuantityKind) -> String? {
        let amount = sum(text, kind) ?? power(text, kind) ?? comma(text, kind)
        return amount.map(kind.text)
    }

    /// Several quantities one after the other, such as `1m30s`, are their sum.
    private static func sum(_ text: String, _ kind: QuantityKind) -> Int64? {
        // With commas they are a list, of which there is no sum.
        guard !text.contains(",") else { return nil }
        var rest = Substring(text.filter { $0 != " " })
        var total: Int64 = 0
        var count = 0
        while !rest.isEmpty {
            let number = rest.prefix { ScalarText.isDigit($0) || $0 == "." }
            let unit = rest[number.endIndex...].prefix { !ScalarText.isDigit($0) && $0 != "." }
            guard let amount = amount(number, unit, kind) else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(amount)
            guard !overflow else { return nil }
            total = sum
            count += 1
            rest = rest[unit.endIndex...]
        }
        return count > 1 ? total : nil
    }

    /// A number with a power of ten, such as `1e3ms`.
    private static func power(_ text: String, _ kind: QuantityKind) -> Int64? {
        guard let sign = text.firstIndex(where: { $0 == "e" || $0 == "E" }) else { return nil }
        let behind = text[text.index(after: sign)...]
        let digits = behind.prefix(while: ScalarText.isDigit)
        guard let exponent = Int(digits), exponent <= 9 else { return nil }
        let unit = behind[digits.endIndex...].drop { $0 == " " }
        var amount = amount(text[..<sign], unit, kind)
        for _ in 0..<exponent {
            guard let (product, overflow) = amount?.multipliedReportingOverflow(by: 10),
                !overflow
            else { return nil }
            amount = product
        }
        return amount
    }

    /// A number with a comma instead of a point, such as `1,5s`.
    private static func comma(_ text: String, _ kind: QuantityKind) -> Int64? {
        guard text.count(where: { $0 == "," }) == 1 else { return nil }
        let number = text.prefix { ScalarText.isDigit($0) || $0 == "," }
        let unit = text[number.endIndex...].drop { $0 == " " }
        return amount(Substring(number.replacing(",", with: ".")), unit, kind)
    }

    private static func amount(
        _ number: Substring,
        _ unit: Substring,
        _ kind: QuantityKind
    ) -> Int64? {
        guard let symbol = kind.meant(by: String(unit)),
            let factor = kind.units.first(where: { $0.symbol == symbol })?.factor,
            let decimal = try? ExactDecimal(number)
        else { return nil }
        return try? decimal.scaled(by: factor)
    }
}
