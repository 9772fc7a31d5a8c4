/// A part of a whole, kept as two sums so that runs pool exactly.
public struct Proportion: Sendable, Equatable, Codable {
    /// The part.
    public var numerator: Int64
    /// The whole.
    public var denominator: Int64
    /// How many observations the whole is made of.
    public var samples: Int

    /// Makes a proportion; of nothing by default.
    public init(numerator: Int64 = 0, denominator: Int64 = 0, samples: Int = 0) {
        self.numerator = numerator
        self.denominator = denominator
        self.samples = samples
    }

    /// Pools with the observations of `other`.
    public mutating func merge(_ other: Proportion) {
        numerator += other.numerator
        denominator += other.denominator
        samples += other.samples
    }

    /// The share in parts per million rounded down, or up; `nil` of nothing.
    ///
    /// Exact: the product is taken in 128 bits. The numerator MUST NOT be negative.
    public func partsPerMillion(roundedUp: Bool) -> Int64? {
        guard denominator > 0 else { return nil }
        let product = UInt64(numerator).multipliedFullWidth(by: 1_000_000)
        let (quotient, remainder) = UInt64(denominator).dividingFullWidth(product)
        return Int64(quotient) + (roundedUp && remainder > 0 ? 1 : 0)
    }
}
