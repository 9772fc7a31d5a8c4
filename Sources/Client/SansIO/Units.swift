/// A rate of data in bits per second.
@frozen
public struct DataRate: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Bits per second; not negative.
    public var bitsPerSecond: Int64

    /// Makes a rate of `bitsPerSecond`.
    @inlinable
    public init(bitsPerSecond: Int64) {
        precondition(bitsPerSecond >= 0, "a rate of \(bitsPerSecond) bit/s is negative")
        self.bitsPerSecond = bitsPerSecond
    }

    /// Orders rates by bits per second.
    @inlinable
    public static func < (left: DataRate, right: DataRate) -> Bool {
        left.bitsPerSecond < right.bitsPerSecond
    }
}

/// A probability in parts per million, from 0 to 1,000,000.
@frozen
public struct Probability: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Parts per million.
    public var partsPerMillion: Int32

    /// Never.
    @inlinable
    public static var zero: Probability { Probability(partsPerMillion: 0) }

    /// Always.
    @inlinable
    public static var one: Probability { Probability(partsPerMillion: 1_000_000) }

    /// Makes a probability of `partsPerMillion` in a million.
    @inlinable
    public init(partsPerMillion: Int32) {
        precondition(
            (0...1_000_000).contains(partsPerMillion),
            "a probability of \(partsPerMillion) ppm lies outside 0...1000000"
        )
        self.partsPerMillion = partsPerMillion
    }

    /// Orders probabilities by parts per million.
    @inlinable
    public static func < (left: Probability, right: Probability) -> Bool {
        left.partsPerMillion < right.partsPerMillion
    }
}
