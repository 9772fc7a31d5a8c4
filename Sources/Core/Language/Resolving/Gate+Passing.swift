import KodamaEvidence

extension Gate {
    /// Whether it bounds from above.
    var isUpper: Bool { comparison == .atMost || comparison == .below }

    /// Whether it bounds from below.
    var isLower: Bool { comparison == .atLeast || comparison == .above }

    /// The least and the greatest whole number that passes.
    private var passing: (least: Int64, greatest: Int64) {
        switch comparison {
        case .atMost: (.min, limit)
        case .below: (.min, limit == .min ? .min : limit - 1)
        case .atLeast: (limit, .max)
        case .above: (limit == .max ? .max : limit + 1, .max)
        case .equal: (limit, limit)
        }
    }

    /// Whether every one of some figures passes.
    func passesAll(of figures: ClosedRange<Int64>) -> Bool {
        passing.least <= figures.lowerBound && passing.greatest >= figures.upperBound
    }

    /// Whether none of some figures passes.
    func passesNone(of figures: ClosedRange<Int64>) -> Bool {
        passing.least > figures.upperBound || passing.greatest < figures.lowerBound
    }

    /// Whether no figure passes both gates.
    func excludes(_ other: Gate) -> Bool {
        max(passing.least, other.passing.least) > min(passing.greatest, other.passing.greatest)
    }

    /// Whether no samples pass both gates because one's statistic is never above the other's.
    func excludesByOrder(_ other: Gate) -> Bool {
        statistic.isNeverAbove(other.statistic) && passing.least > other.passing.greatest
            || other.statistic.isNeverAbove(statistic) && other.passing.least > passing.greatest
    }
}

extension Statistic {
    /// Whether it is another one, and of the same samples never above it.
    func isNeverAbove(_ other: Statistic) -> Bool {
        switch (self, other) {
        case (.minimum, .quantile), (.minimum, .mean), (.minimum, .maximum), (.mean, .maximum),
            (.quantile, .maximum):
            true
        case (.quantile(let lower), .quantile(let higher)): lower < higher
        default: false
        }
    }
}
