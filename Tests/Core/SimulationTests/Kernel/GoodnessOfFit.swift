import Foundation

/// How far samples lie from a law, as statistics with known limits at a significance of 1 in 1,000.
enum GoodnessOfFit {
    /// Kolmogorov and Smirnov's statistic √n·D; a sample of the law exceeds 1.95 once in 1,000 times.
    static func kolmogorovSmirnov(_ samples: [Double], _ distribution: (Double) -> Double) -> Double
    {
        let sorted = samples.sorted()
        let count = Double(sorted.count)
        var greatest = 0.0
        for (rank, sample) in sorted.enumerated() {
            let expected = distribution(sample)
            greatest = max(greatest, expected - Double(rank) / count)
            greatest = max(greatest, Double(rank + 1) / count - expected)
        }
        return greatest * count.squareRoot()
    }

    static let kolmogorovSmirnovLimit = 1.95

    /// Pearson's χ² of observed counts against expected shares.
    static func chiSquared(_ counts: [Int], shares: [Double]) -> Double {
        let total = Double(counts.reduce(0, +))
        return zip(counts, shares).reduce(0) { sum, cell in
            let expected = total * cell.1
            return sum + (Double(cell.0) - expected) * (Double(cell.0) - expected) / expected
        }
    }

    /// What χ² exceeds once in 1,000 times, after Wilson and Hilferty (1931).
    static func chiSquaredLimit(degreesOfFreedom: Int) -> Double {
        let spread = 2 / (9 * Double(degreesOfFreedom))
        return Double(degreesOfFreedom) * pow(1 - spread + 3.0902 * spread.squareRoot(), 3)
    }

    /// The standard normal distribution function.
    static func normal(_ deviate: Double) -> Double {
        0.5 * erfc(-deviate / 2.0.squareRoot())
    }
}
