/// A decimal number as it is written: digits and where the point stands, no floats.
struct ExactDecimal: Sendable, Equatable {
    /// All digits as one number; not negative.
    var digits: Int64
    /// How many of them stand behind the point, trailing zeros left out.
    var scale: Int
    /// Whether a minus stands before them.
    var isNegative: Bool

    /// Why a text is no number.
    enum Fault: Error, Equatable {
        /// It is none; the text may be what was meant.
        case notNumber(hint: String?)
        /// It has more digits than 64 bits hold safely.
        case tooManyDigits
    }

    /// Reads `-?digits(.digits)?` without a leading zero.
    init(_ text: some StringProtocol) throws(Fault) {
        let body = text.first == "-" ? text.dropFirst() : text[...]
        let parts = body.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ScalarText.isDigit) })
        else {
            throw .notNumber(hint: Self.repaired(String(text)))
        }
        let whole = parts[0]
        guard whole.count == 1 || whole.first != "0" else {
            throw .notNumber(hint: Self.repaired(String(text)))
        }
        var fraction = parts.count == 2 ? String(parts[1]) : ""
        while fraction.last == "0" { fraction.removeLast() }
        guard whole.count + fraction.count <= 18, let digits = Int64(whole + fraction) else {
            throw .tooManyDigits
        }
        self.digits = digits
        scale = fraction.count
        isNegative = body.startIndex != text.startIndex && digits != 0
    }

    /// Why a number is no whole number of units.
    enum ScaleFault: Error, Equatable {
        /// It lies between two.
        case tooFine
        /// It is beyond 64 bits.
        case overflow
    }

    /// The number times `factor`, exactly.
    func scaled(by factor: Int64) throws(ScaleFault) -> Int64 {
        var divisor: Int64 = 1
        var numerator = factor
        for _ in 0..<scale {
            if numerator % 10 == 0 { numerator /= 10 } else { divisor *= 10 }
        }
        let common = Self.greatestCommonDivisor(digits, divisor)
        let narrowed = common == 0 ? 1 : common
        let (product, overflow) = (digits / narrowed).multipliedReportingOverflow(by: numerator)
        guard !overflow else { throw .overflow }
        let rest = divisor / narrowed
        guard product % rest == 0 else { throw .tooFine }
        return isNegative ? -(product / rest) : product / rest
    }

    private static func greatestCommonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    /// A number like the text that follows the rules, if one is obvious.
    private static func repaired(_ text: String) -> String? {
        var body = text.filter { $0 != "_" && $0 != "+" }
        let isNegative = body.hasPrefix("-")
        if isNegative { body.removeFirst() }
        while body.hasPrefix("0"), body.count > 1, body.dropFirst().first != "." {
            body.removeFirst()
        }
        if body.hasPrefix(".") { body = "0" + body }
        if body.hasSuffix(".") { body.removeLast() }
        let candidate = (isNegative ? "-" : "") + body
        guard candidate != text, (try? ExactDecimal(candidate)) != nil else { return nil }
        return candidate
    }
}
