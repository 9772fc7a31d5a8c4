/// Evenly spaced values that stand for a list on the command line: `1%..10%/4` for 1 %, 4 %, 7 % and 10 %.
struct SweepRange {
    /// The values as a scenario would write them; more than any sweep has are not made.
    let texts: [String]
    /// How many values are wanted.
    let count: Int

    /// How finely a step that does not come out even is rounded, in digits behind those that are written.
    private static let extraDigits = 3

    /// Reads `from..to/count`; `nil` unless both ends are numbers in the same unit and the count is at
    /// least 2.
    init?(_ text: Substring) {
        guard let dots = text.firstRange(of: ".."),
            let slash = text[dots.upperBound...].lastIndex(of: "/"),
            let count = Int(text[text.index(after: slash)...]), count >= 2
        else { return nil }
        guard let first = End(text[..<dots.lowerBound]),
            let last = End(text[dots.upperBound..<slash]), first.unit == last.unit
        else { return nil }
        let scale = max(first.number.scale, last.number.scale) + Self.extraDigits
        guard let from = first.number.amount(scale: scale),
            let to = last.number.amount(scale: scale), from != to
        else { return nil }
        self.count = count
        texts = (0..<min(count, SweepReader.pointsMax + 1)).map { index in
            // In 128 bits, so that no product overflows; halves are rounded up.
            let steps = Int64(count - 1)
            let (high, low) = (to - from).magnitude.multipliedFullWidth(by: UInt64(index))
            let rise = UInt64(steps).dividingFullWidth((high, low))
            let rounded = rise.quotient + (rise.remainder * 2 >= UInt64(steps) ? 1 : 0)
            let amount = to > from ? from + Int64(rounded) : from - Int64(rounded)
            return ExactDecimal.text(amount, scale: scale) + first.unit
        }
    }

    /// What is wrong with a text that is meant as a range; `nil` if nothing is.
    ///
    /// A value like any other, such as a file's name, is not meant as one.
    static func problem(in text: Substring) -> Problem? {
        if isTooShort(text) { return .shortRange(String(text)) }
        guard let dots = text.firstRange(of: ".."),
            let first = End(text[..<dots.lowerBound]),
            let last = End(text[dots.upperBound...].prefix { $0 != "/" }),
            first.hasUnitLetters, last.hasUnitLetters
        else { return nil }
        guard first.unit == last.unit else { return .unlikeEnds(String(text)) }
        return first.number == last.number ? .emptyRange(String(text)) : nil
    }

    /// Whether a text would be a range if it had a count, or one that is great enough.
    private static func isTooShort(_ text: Substring) -> Bool {
        guard let slash = text.lastIndex(of: "/") else {
            return SweepRange(Substring("\(text)/2")) != nil
        }
        guard let count = Int(text[text.index(after: slash)...]), count < 2 else { return false }
        return SweepRange(Substring("\(text[..<slash])/2")) != nil
    }

    /// An end of a range: a number and what stands behind it.
    private struct End {
        var number: ExactDecimal
        var unit: String

        init?(_ text: Substring) {
            let numeral = text.prefix { "-.0123456789".contains($0) }
            guard let number = try? ExactDecimal(numeral) else { return nil }
            self.number = number
            unit = String(text[numeral.endIndex...])
        }

        /// Whether a unit can stand behind the number: in a file's name there may be anything.
        var hasUnitLetters: Bool { unit.allSatisfy { $0.isLetter || $0 == "%" } }
    }
}

extension ExactDecimal {
    /// The number in units of the given digit behind the point; `nil` beyond 62 bits, which leaves room for
    /// differences.
    fileprivate func amount(scale: Int) -> Int64? {
        var factor: Int64 = 1
        for _ in 0..<scale {
            let (product, overflow) = factor.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            factor = product
        }
        guard let amount = try? scaled(by: factor), amount.magnitude < 1 << 61 else { return nil }
        return amount
    }

    /// A number as it is written, without zeros at its end.
    fileprivate static func text(_ amount: Int64, scale: Int) -> String {
        var digits = String(amount.magnitude)
        digits = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
        var fraction = digits.suffix(scale)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = (amount < 0 ? "-" : "") + digits.dropLast(scale)
        return fraction.isEmpty ? whole : "\(whole).\(fraction)"
    }
}
