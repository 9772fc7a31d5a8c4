/// Logarithms from the bits of a number and + − × ÷: the same everywhere, unlike a C library's.
enum Logarithm {
    /// The base-2 logarithm of a positive, normal number; exact to 3·10⁻⁵.
    @inline(__always)
    static func base2(_ value: Float) -> Float {
        let bits = Int32(bitPattern: value.bitPattern)
        let exponent = Float((bits &>> 23) &- 127)
        let mantissa = Float(bitPattern: UInt32(bitPattern: (bits & 0x7F_FFFF) | 0x3F80_0000))
        // log₂ m = 2/ln 2 · artanh((m − 1)/(m + 1)), whose argument stays below 1/3.
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        let series = 1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7)))
        return exponent + 2.885_390_1 * ratio * series
    }
}
