/// Which numbers a file of results may hold: any two of them add up without overflow.
package enum FigureBounds {
    /// Figures and their sums, either way: 2 to the 62nd less 1, which is 146 years of nanoseconds.
    package static let amountMax: Int64 = (1 << 62) - 1
    /// Samples, occasions and runs: 2 to the 40th, some 10 to the 12th.
    package static let countMax = 1 << 40

    /// Says that a figure is out of bounds; `nil` if it is within.
    static func fault(_ name: String, _ amount: Int64) -> String? {
        guard amount.magnitude > amountMax.magnitude else { return nil }
        return "its \(name) is \(amount), where \(amountMax) is the most"
    }

    /// Says that a count is out of bounds; `nil` if it is within.
    static func fault(_ name: String, _ count: Int) -> String? {
        guard !(0...countMax).contains(count) else { return nil }
        return "its count of \(name) is \(count), where 0 to \(countMax) is possible"
    }
}

extension Int64 {
    /// The number itself, or the nearest one that there is; 0 for what is no number.
    package init(held number: Double) {
        let isWithin = number.magnitude < 9.2e18
        self = isWithin ? Int64(number) : number > 0 ? .max : number < 0 ? .min : 0
    }
}

extension Tally {
    /// Why it cannot be pooled, in a sentence; `nil` if it can.
    fileprivate var fault: String? {
        FigureBounds.fault("total", total) ?? FigureBounds.fault("samples", samples)
    }
}

extension Proportion {
    /// A share is never so great, nor its parts per million beyond 64 bits.
    private static let shareMax: Int64 = 1 << 40

    /// Why it cannot be pooled, in a sentence; `nil` if it can.
    fileprivate var fault: String? {
        let fault =
            FigureBounds.fault("part", numerator) ?? FigureBounds.fault("whole", denominator)
            ?? FigureBounds.fault("samples", samples)
        guard fault == nil else { return fault }
        guard numerator >= 0, denominator >= 0, numerator / Self.shareMax <= denominator else {
            return "\(numerator) of \(denominator) is no share"
        }
        return nil
    }
}

extension Distribution {
    /// Why it cannot be pooled, in a sentence; `nil` if it can.
    fileprivate var fault: String? {
        FigureBounds.fault("samples", count)
            ?? minimum.flatMap { FigureBounds.fault("least sample", $0) }
            ?? maximum.flatMap { FigureBounds.fault("greatest sample", $0) }
    }
}

extension MetricValue {
    /// What two findings share that can be pooled.
    var shape: String {
        guard case .distribution(let samples) = self else { return form.rawValue }
        return "\(form.rawValue) by \(samples.resolution)"
    }

    /// Why it cannot be pooled, in a sentence; `nil` if it can.
    fileprivate var fault: String? {
        switch self {
        case .distribution(let samples): samples.fault
        case .proportion(let share): share.fault
        case .count(let tally): tally.fault
        }
    }
}

extension Occasions {
    /// Why they cannot be pooled, in a sentence; `nil` if they can.
    fileprivate var fault: String? {
        FigureBounds.fault("occasions", count) ?? censored?.fault
            ?? exclusions.lazy.compactMap { FigureBounds.fault($0.reason, $0.count) }.first
    }
}

extension MetricResult {
    /// Why it can be neither pooled nor judged, in a sentence; `nil` if it can.
    var fault: String? {
        if let fault = value.fault ?? occasions.fault { return fault }
        guard let censored = occasions.censored else { return nil }
        guard censored.shape == value.shape else {
            return "it is a \(value.shape), and what was open a \(censored.shape)"
        }
        return known.fault
    }
}

extension InvariantResult {
    /// Why it cannot be pooled, in a sentence; `nil` if it can.
    var fault: String? {
        FigureBounds.fault("records", checkedCount)
            ?? FigureBounds.fault("violations", violationCount)
    }
}

extension Gate {
    /// Why nothing can be judged by it, in a sentence; `nil` if something can.
    var fault: String? {
        if case .quantile(let perMille) = statistic, !(0...1_000).contains(perMille) {
            return "there is no quantile at \(perMille) thousandths"
        }
        guard let confidence, !(500_000...999_990).contains(confidence) else { return nil }
        return "no interval has a confidence of \(confidence) parts per million"
    }
}
