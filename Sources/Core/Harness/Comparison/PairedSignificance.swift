import KodamaEvidence

/// Which of a suite's paired comparisons are significant, while all of them together raise a false alarm
/// at most as often as `falseAlarmRate`.
///
/// Each is an exact sign test: where a change does nothing, a seed that differs is as likely worse as better.
/// Holm's procedure (S. Holm, Scandinavian Journal of Statistics 6, 1979) holds the rate over those
/// that can become significant with so many differing seeds at all (R. E. Tarone, Biometrics 46, 1990).
struct PairedSignificance {
    /// How often a suite in which nothing changed raises an alarm, at most: five times in 1,000.
    static let falseAlarmRate = 0.005

    /// In how many seeds a figure is worse and better.
    struct Trial {
        var worse: Int
        var better: Int

        /// The probability of so few better seeds or fewer, if a change does nothing.
        var pValue: Double {
            Binomial(trials: worse + better, partsPerMillion: 500_000)
                .probability(ofAtMost: better)
        }

        /// The least p-value that so many differing seeds can give.
        var leastPValue: Double { Trial(worse: worse + better, better: 0).pValue }
    }

    /// Of each trial whether it is significantly worse.
    let isSignificant: [Bool]

    /// Tests all comparisons of a suite.
    init(_ trials: [Trial]) {
        let least = trials.map(\.leastPValue).sorted()
        // The least number that no more trials than itself can reach, each at its share of the rate.
        let count = (1...max(1, least.count)).first { count in
            least.count < count + 1 || least[count] > Self.falseAlarmRate / Double(count)
        }
        let reach = Self.falseAlarmRate / Double(count ?? 1)
        let tested = trials.indices.filter { trials[$0].leastPValue <= reach }
        let pValues = trials.map(\.pValue)
        var isSignificant = trials.map { _ in false }
        for (rank, index) in tested.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
            guard pValues[index] <= Self.falseAlarmRate / Double(tested.count - rank) else { break }
            isSignificant[index] = true
        }
        self.isSignificant = isSignificant
    }

    /// How many seeds make one of so many comparisons significant that is worse in all of them.
    static func seedsNeeded(comparisons: Int) -> Int {
        var (seeds, pValue) = (0, 1.0)
        while pValue > falseAlarmRate / Double(max(1, comparisons)) {
            seeds += 1
            pValue /= 2
        }
        return seeds
    }
}

extension FigureChange {
    /// Whether the seeds test it.
    var isTested: Bool { rule != nil }

    /// Whether it is one sample; its verdict alone makes it a regression.
    private var isExtreme: Bool { figure == "max" || figure == "min" }

    /// Judges what moved, or is undecided and may be worse for sure.
    ///
    /// - Parameters:
    ///   - isWorse: Whether it is significantly worse.
    ///   - isBetter: Whether it is significantly better.
    ///   - isShort: Whether there are too few seeds for it to be either.
    ///   - marginPartsPerMillion: How much of the distance to its limit is no regression.
    mutating func settle(
        isWorse: Bool,
        isBetter: Bool,
        isShort: Bool,
        marginPartsPerMillion: Int64
    ) {
        guard judgement == .moved || isTurnedOpen else { return }
        let isMaterial = !isExtreme && (limitShare ?? 0) > marginPartsPerMillion
        if isMaterial, isWorse {
            judgement = .regression
        } else if isMaterial, isShort {
            judgement = .undecided
        } else if isBetter, (limitShare ?? 0) < 0, !isTurnedOpen {
            judgement = .better
        }
    }
}
