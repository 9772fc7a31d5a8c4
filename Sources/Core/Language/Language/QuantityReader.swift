/// Reads quantities, limits and whole numbers from text, exactly.
enum QuantityReader {
    /// A number with what stands behind it.
    struct Parts {
        var number: Substring
        var unit: Substring
    }

    /// Cuts `25 s` into number and unit; one space may stand between them.
    static func parts(of text: some StringProtocol) -> Parts {
        let text = String(text)[...]
        let number = text.prefix { ScalarText.isDigit($0) || "+-._".contains($0) }
        var unit = text[number.endIndex...]
        if unit.first == " " { unit = unit.dropFirst() }
        return Parts(number: number, unit: unit)
    }

    /// Reads a quantity of `kind` in `range`, a whole multiple of `step`.
    static func quantity(
        _ text: String,
        _ kind: QuantityKind,
        in range: ClosedRange<Int64>,
        step: Int64 = 1
    ) throws(Finding) -> Int64 {
        let amount = try amount(text, kind)
        guard let amount, range.contains(amount) else {
            throw Finding(
                .outOfRange(
                    text,
                    least: kind.text(of: range.lowerBound),
                    most: range.upperBound == .max ? nil : kind.text(of: range.upperBound)
                )
            )
        }
        guard amount % step == 0 else {
            throw Finding(.notMultiple(text, of: kind.text(of: step)))
        }
        return amount
    }

    /// Reads a quantity of `kind`; `nil` if it is beyond 64 bits.
    private static func amount(_ text: String, _ kind: QuantityKind) throws(Finding) -> Int64? {
        let parts = parts(of: text)
        if let clock = clock(text), kind == .duration {
            throw Finding(.notQuantity(text, kind, hint: clock))
        }
        if !kind.units.contains(where: { $0.symbol == parts.unit }),
            let meaning = QuantityRepair.meaning(of: text, kind)
        {
            throw Finding(.notQuantity(text, kind, hint: meaning))
        }
        guard !parts.number.isEmpty else { throw Finding(.notQuantity(text, kind, hint: nil)) }
        let number = try decimal(parts.number) {
            .notQuantity(text, kind, hint: isUnit(parts.unit) ? $0.map { $0 + parts.unit } : nil)
        }
        guard !parts.unit.isEmpty else { throw Finding(.missingUnit(text, kind)) }
        guard let unit = kind.units.first(where: { $0.symbol == parts.unit }) else {
            throw Finding(unitProblem(parts, text: text, kind: kind))
        }
        do {
            return try number.scaled(by: unit.factor)
        } catch {
            guard error == .tooFine else { return nil }
            throw Finding(.tooPrecise(text, finest: kind.finest))
        }
    }

    /// Whether something is measured in this; nothing at all may be a slip.
    private static func isUnit(_ text: Substring) -> Bool {
        text.isEmpty
            || QuantityKind.allCases.contains { $0.units.contains { $0.symbol == text } }
    }

    private static func unitProblem(_ parts: Parts, text: String, kind: QuantityKind) -> Problem {
        let others = QuantityKind.allCases.filter {
            $0 != kind && !kind.isOwnSpelling(String(parts.unit))
        }
        if let other = others.first(where: { $0.units.contains { $0.symbol == parts.unit } }) {
            return .wrongUnit(text, other, wanted: "\(kind.noun) such as \(kind.example)")
        }
        return .unknownUnit(String(parts.unit), number: String(parts.number), kind)
    }

    /// Reads a whole number in `range`.
    static func integer(
        _ text: String,
        in range: ClosedRange<Int64>,
        step: Int64 = 1
    ) throws(Finding) -> Int64 {
        let number = try decimal(text) { .notInteger(text, hint: $0) }
        let value: Int64
        do {
            value = try number.scaled(by: 1)
        } catch {
            throw Finding(.notInteger(text, hint: nil))
        }
        guard range.contains(value) else {
            throw Finding(
                .outOfRange(text, least: "\(range.lowerBound)", most: "\(range.upperBound)")
            )
        }
        guard value % step == 0 else { throw Finding(.notMultiple(text, of: "\(step)")) }
        return value
    }

    /// Reads an exact decimal, or says with `problem` that it is none.
    static func decimal(
        _ text: some StringProtocol,
        or problem: (String?) -> Problem
    ) throws(Finding) -> ExactDecimal {
        do {
            return try ExactDecimal(text)
        } catch {
            switch error {
            case .tooManyDigits: throw Finding(.tooManyDigits(String(text)))
            case .notNumber(let hint): throw Finding(problem(hint))
            }
        }
    }

    /// What `1:30` means to a clock, in seconds: YAML 1.1 read it as a number to base 60.
    private static func clock(_ text: String) -> String? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count) else { return nil }
        var seconds: Int64 = 0
        for field in fields {
            guard (1...4).contains(field.count), let value = Int64(field), value >= 0 else {
                return nil
            }
            seconds = seconds * 60 + value
        }
        return "\(seconds)s"
    }
}

/// Reads times of day.
enum TimeOfDay {
    /// The rule as a regular expression, for the schema.
    static let pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$"

    /// The nanoseconds since midnight that `HH:MM:SS` stands for.
    static func nanoseconds(_ text: String) throws(Finding) -> Int64 {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        let isDigits = fields.allSatisfy { $0.count == 2 && $0.allSatisfy(ScalarText.isDigit) }
        guard fields.count == 3, isDigits else {
            throw Finding(.notTimeOfDay(text, hint: repaired(fields)))
        }
        let numbers = fields.compactMap { Int64($0) }
        guard numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else {
            throw Finding(.outOfRange(text, least: "00:00:00", most: "23:59:59"))
        }
        return ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1_000_000_000
    }

    /// What may have been meant: `1:30` is a minute and a half to some, half past one to others.
    private static func repaired(_ fields: [Substring]) -> String? {
        let numbers = fields.compactMap { $0.count <= 2 ? Int64($0) : nil }
        guard numbers.count == fields.count, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        let padded = fields.map { $0.count == 1 ? "0\($0)" : String($0) }
        switch numbers.count {
        case 2: return "\(numbers[0] * 60 + numbers[1])s, or \(padded[0]):\(padded[1]):00"
        case 3: return padded.joined(separator: ":")
        default: return nil
        }
    }

    /// A time as scenarios write it; whole seconds of one day.
    static func text(of time: Duration) -> String {
        let seconds = time.components.seconds
        return [seconds / 3_600, seconds / 60 % 60, seconds % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}

/// A problem found in a text, and where in the text, counted in Unicode scalars from 0.
struct Finding: Error, Equatable {
    /// What is wrong.
    var problem: Problem
    /// Where it begins.
    var offset = 0
    /// How long it is; `nil` for the rest of the text.
    var length: Int?

    /// Finds a problem in the whole text.
    init(_ problem: Problem) {
        self.problem = problem
    }

    /// Finds a problem in a part of the text.
    init(_ problem: Problem, offset: Int, length: Int) {
        self.problem = problem
        self.offset = offset
        self.length = length
    }
}
