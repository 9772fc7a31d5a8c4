/// A sum of things, with how often one could have been counted.
public struct Tally: Sendable, Equatable, Codable {
    /// What was counted.
    public var total: Int64
    /// How many observations were made; a tally of 0 out of no observation shows nothing.
    public var samples: Int

    /// Makes a tally; of nothing by default.
    public init(total: Int64 = 0, samples: Int = 0) {
        self.total = total
        self.samples = samples
    }

    /// Pools with the observations of `other`.
    public mutating func merge(_ other: Tally) {
        total += other.total
        samples += other.samples
    }
}
