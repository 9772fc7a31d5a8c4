/// The two transcendental functions that sampling needs, from + − × ÷ and bit moves alone.
///
/// The C library's differ in their last bits from version to version; these do not.
enum PortableMath {
    /// The natural logarithm of a positive, finite, normal number.
    static func logarithm(_ value: Double) -> Double {
        // value = mantissa × 2^exponent with the mantissa between √½ and √2, without a branch.
        let aboveRootHalf = value.bitPattern &- 0x3FE6_A09E_667F_3BCD
        let exponent = Int64(bitPattern: aboveRootHalf) >> 52
        let mantissa = Double(
            bitPattern: value.bitPattern &- (aboveRootHalf & 0xFFF0_0000_0000_0000)
        )
        // ln m = 2 artanh((m − 1)/(m + 1)), an odd series that needs ten terms up to √2.
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
        return Double(exponent) * naturalLogarithmOf2 + 2 * ratio * series
    }

    /// The exponential function of a number between −700 and 700.
    static func exponential(_ value: Double) -> Double {
        // value = power × ln 2 + rest with the rest within ±½ ln 2; ln 2 in two parts keeps the
        // product's low bits, since the first has 21 trailing zeros.
        let power = Int64(value / naturalLogarithmOf2 + (value < 0 ? -0.5 : 0.5))
        let rest =
            value - Double(power) * 0x1.62e42fee00000p-1 - Double(power) * 0x1.a39ef35793c76p-33
        var series = 1.0
        for divisor in stride(from: 13.0, through: 1, by: -1) {
            series = 1 + rest / divisor * series
        }
        return series * Double(bitPattern: UInt64(power + 1023) << 52)
    }

    private static var naturalLogarithmOf2: Double { 0x1.62e42fefa39efp-1 }
}
