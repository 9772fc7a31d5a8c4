/// The benchmarks' own random numbers: xoshiro256** (Blackman and Vigna, ACM TOMS 2021).
///
/// Not the simulator's keyed streams, but what the C++ limit and the other simulators draw from, bit
/// for bit, so that equal checksums prove equal order of events.
struct BenchmarkRandom {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Fills the state by splitmix64 from `seed`.
    init(seed: UInt64) {
        var counter = seed
        func splitmix() -> UInt64 {
            counter &+= 0x9E37_79B9_7F4A_7C15
            var bits = counter
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
        state = (splitmix(), splitmix(), splitmix(), splitmix())
    }

    @inline(__always)
    mutating func next() -> UInt64 {
        let product = state.1 &* 5
        let result = (product << 7 | product >> 57) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = state.3 << 45 | state.3 >> 19
        return result
    }

    /// A whole number from 0 up to, not including, `bound`.
    @inline(__always)
    mutating func below(_ bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: bound).high
    }

    /// An exponential waiting time in whole nanoseconds, below 2⁵¹.
    @inline(__always)
    mutating func exponential(mean: Double) -> Int64 {
        let survival = Double(Int64(bitPattern: next() >> 11) &+ 1) * 0x1p-53
        // Adding 2^52 rounds to a whole number and leaves it in the low bits: no range to check.
        let shifted = -Self.logarithm(survival) * mean + 0x1p52
        return Int64(bitPattern: shifted.bitPattern & 0x000F_FFFF_FFFF_FFFF)
    }

    /// The natural logarithm by + − × ÷, step for step as the C++ limit takes it.
    @inline(__always)
    private static func logarithm(_ value: Double) -> Double {
        let offset = value.bitPattern &- 0x3FE6_A09E_667F_3BCD
        let exponent = Int64(bitPattern: offset) >> 52
        let mantissa = Double(bitPattern: value.bitPattern &- (offset & 0xFFF0_0000_0000_0000))
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        var series = 1.0 / 19
        series = series * square + 1.0 / 17
        series = series * square + 1.0 / 15
        series = series * square + 1.0 / 13
        series = series * square + 1.0 / 11
        series = series * square + 1.0 / 9
        series = series * square + 1.0 / 7
        series = series * square + 1.0 / 5
        series = series * square + 1.0 / 3
        series = series * square + 1
        return Double(exponent) * 0.6931471805599453 + 2 * ratio * series
    }
}

/// A hash over (time, identity) of every event in order.
struct OrderChecksum {
    private(set) var value: UInt64 = 0

    @inline(__always)
    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
    }
}
