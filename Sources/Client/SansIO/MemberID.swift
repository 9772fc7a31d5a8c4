/// Names one member of a group for everyone alike: 16 bytes cut from the hash of a public key.
///
/// Ids are ordered as their bytes are, from the first on; the smallest of a group owns it
/// (S-OWN-002). `GroupSecurity` derives them (S-OWN-001).
@frozen
public struct MemberID: Sendable, Hashable, Comparable, BitwiseCopyable, CustomStringConvertible {
    /// The first eight bytes, the most significant first.
    public var high: UInt64
    /// The last eight bytes, the most significant first.
    public var low: UInt64

    /// Makes an id from both halves.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Orders ids lexicographically by their bytes.
    @inlinable
    public static func < (left: MemberID, right: MemberID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The id as 32 hexadecimal digits in lower case; texts are ordered as ids are.
    public var description: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
