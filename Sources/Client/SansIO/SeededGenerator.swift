/// The randomness of one machine: the same seed gives the same draws (splitmix64, Steele, Lea and
/// Flood 2014).
///
/// On a device the seed comes from the system, in a run from the run's seed.
public struct SeededGenerator: Sendable, Equatable {
    private var state: UInt64

    /// Starts the sequence of `seed`.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A whole number from 0 to `bound - 1`; 0 if `bound` is not positive.
    public mutating func below(_ bound: Int64) -> Int64 {
        guard bound > 0 else { return 0 }
        return Int64(next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}
