/// A law given by its quantiles at equal steps of probability, linear between them.
///
/// The natural form of measured data: entry `k` of `n + 1` is what a share of `k/n` of the
/// measurements stays at or below; the first is the least and the last the greatest.
public struct QuantileTable: Sendable, Equatable {
    /// The quantiles, never falling, in a unit of the owner's.
    public let quantiles: [Int64]

    /// Makes the law of these quantiles.
    ///
    /// - Parameter quantiles: At least two numbers that never fall, neighbours less than 2⁶³ apart.
    public init(_ quantiles: [Int64]) {
        precondition(quantiles.count >= 2, "a table of \(quantiles.count) quantiles has no step")
        for (lower, upper) in zip(quantiles, quantiles.dropFirst()) {
            precondition(lower <= upper, "the quantiles fall from \(lower) to \(upper)")
            precondition(
                !upper.subtractingReportingOverflow(lower).overflow,
                "the quantiles \(lower) and \(upper) lie 2^63 or more apart"
            )
        }
        self.quantiles = quantiles
    }

    /// The quantile at `probability` × 2⁻⁶⁴, cut to a whole unit towards the lower neighbour.
    public func quantile(at probability: UInt64) -> Int64 {
        // The product's high word is the step, its low word the place within the step.
        let place = probability.multipliedFullWidth(by: UInt64(quantiles.count - 1))
        let step = Int(place.high)
        let lower = quantiles[step]
        let rise = UInt64(bitPattern: quantiles[step + 1] &- lower)
        return lower &+ Int64(bitPattern: rise.multipliedFullWidth(by: place.low).high)
    }
}

extension RandomStream {
    /// A number drawn from a table of quantiles, in the table's unit; consumes exactly one index.
    public mutating func sample(_ table: QuantileTable) -> Int64 {
        table.quantile(at: next())
    }
}
