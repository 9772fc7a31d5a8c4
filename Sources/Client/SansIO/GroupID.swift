/// A group's identity, a UUID as two halves (S-GRP-001).
@frozen
public struct GroupID: Sendable, Hashable, BitwiseCopyable {
    /// The first eight bytes.
    public var high: UInt64
    /// The last eight bytes.
    public var low: UInt64

    /// Makes a group's identity from both halves.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
