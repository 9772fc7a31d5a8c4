/// The binomial distribution, by sums and products alone, so that every machine finds the same figures.
package struct Binomial {
    /// How many trials there are.
    package let trials: Int
    /// How likely each succeeds, in parts per million.
    package let partsPerMillion: Int64

    package init(trials: Int, partsPerMillion: Int64) {
        self.trials = trials
        self.partsPerMillion = partsPerMillion
    }

    /// Terms that are this much smaller than the greatest add nothing to a sum of doubles.
    private static let negligible = 1e-18

    /// How likely at most so many succeed.
    package func probability(ofAtMost count: Int) -> Double {
        guard count >= 0 else { return 0 }
        guard count < trials else { return 1 }
        guard partsPerMillion > 0 else { return 1 }
        guard partsPerMillion < 1_000_000 else { return 0 }
        let odds = Double(partsPerMillion) / Double(1_000_000 - partsPerMillion)
        // Terms relative to the most likely one neither overflow nor vanish together.
        let mode = min(trials, Int((Int64(trials) + 1) * partsPerMillion / 1_000_000))
        var (inside, outside) = mode <= count ? (1.0, 0.0) : (0.0, 1.0)
        var term = 1.0
        for successes in stride(from: mode, to: 0, by: -1) {
            term *= Double(successes) / Double(trials - successes + 1) / odds
            guard term > Self.negligible else { break }
            if successes - 1 <= count { inside += term } else { outside += term }
        }
        term = 1.0
        for successes in stride(from: mode, to: trials, by: 1) {
            term *= Double(trials - successes) / Double(successes + 1) * odds
            guard term > Self.negligible else { break }
            if successes + 1 <= count { inside += term } else { outside += term }
        }
        return inside / (inside + outside)
    }

    /// The exact interval of a rate.
    ///
    /// After C. J. Clopper and E. S. Pearson, Biometrika 26, 1934.
    ///
    /// - Parameters:
    ///   - least: How many trials succeeded at least, for the lower end.
    ///   - most: How many succeeded at most, for the upper end.
    ///   - trials: How many there were.
    ///   - tail: How likely the true rate lies beyond each end, at most.
    /// - Returns: The ends in parts per million, rounded outwards.
    package static func interval(
        ofAtLeast least: Int,
        atMost most: Int,
        of trials: Int,
        tail: Double
    ) -> (lower: Int64, upper: Int64) {
        // The greatest rate at which so many or more are too unlikely.
        let lower = last(in: 0..<1_000_000) { rate in
            1 - Binomial(trials: trials, partsPerMillion: rate).probability(ofAtMost: least - 1)
                <= tail
        }
        let upper = last(in: 0..<1_000_000) { distance in
            let rate = 1_000_000 - distance
            return Binomial(trials: trials, partsPerMillion: rate).probability(ofAtMost: most)
                <= tail
        }
        return (least <= 0 ? 0 : lower, most >= trials ? 1_000_000 : 1_000_000 - upper)
    }

    /// The last number that something holds for, where it holds up to some number; the first at least.
    private static func last(in range: Range<Int64>, _ holds: (Int64) -> Bool) -> Int64 {
        var (low, high) = (range.lowerBound, range.upperBound)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if holds(middle) { low = middle } else { high = middle }
        }
        return low
    }
}
