/// Draws from continuous laws, by inverting the distribution function; each consumes exactly one index.
///
/// Doubles pass through + − × ÷ √ alone and end in a whole number, so every machine draws the same.
extension RandomStream {
    /// A waiting time with this mean, in whole nanoseconds, memoryless.
    ///
    /// The mean lies between 0 and 2⁵⁷ ns (4.5 years). The longest wait is 36.7 means: a draw has
    /// 53 bits.
    public mutating func exponential(meanNanoseconds mean: Int64) -> Int64 {
        precondition((0...1 << 57).contains(mean), "a mean of \(mean) ns lies outside 0...2^57")
        let survival = Double(next() >> 11 + 1) * 0x1p-53
        return Self.nearest(-PortableMath.logarithm(survival) * Double(mean))
    }

    /// A normal deviate around zero, in the unit of `deviation`, rounded to whole units.
    ///
    /// The standard deviation lies between 0 and 2⁵⁷. No deviate is further than 8.21 of them from
    /// zero: a draw has 52 bits.
    public mutating func normal(deviation: Int64) -> Int64 {
        Self.nearest(standardNormal() * Self.scale(deviation))
    }

    /// The magnitude of a normal deviate, in the unit of `deviation`, rounded to whole units.
    ///
    /// `deviation` is the normal law's, between 0 and 2⁵⁷; the magnitude's mean is 0.798 of it.
    public mutating func halfNormal(deviation: Int64) -> Int64 {
        abs(normal(deviation: deviation))
    }

    /// A number whose logarithm is normal, in the unit of `median`, rounded to whole units.
    ///
    /// `sigmaMillionths` is the standard deviation of the natural logarithm in millionths, between 0
    /// and 10,000,000; at 500,000 the mean is 1.13 medians and one draw in 44 exceeds e times the
    /// median. The median is not negative. Results beyond the range of `Int64` become its largest
    /// number.
    public mutating func logNormal(median: Int64, sigmaMillionths: Int64) -> Int64 {
        precondition(median >= 0, "a median of \(median) is negative")
        precondition(
            (0...10_000_000).contains(sigmaMillionths),
            "a sigma of \(sigmaMillionths) millionths lies outside 0...10000000"
        )
        let logarithm = standardNormal() * (Double(sigmaMillionths) / 1_000_000)
        return Self.nearest(PortableMath.exponential(logarithm) * Double(median))
    }

    /// A deviate of the standard normal law; one index.
    mutating func standardNormal() -> Double {
        NormalQuantile.value(at: (Double(next() >> 12) + 0.5) * 0x1p-52)
    }

    private static func scale(_ deviation: Int64) -> Double {
        precondition(
            (0...1 << 57).contains(deviation),
            "a standard deviation of \(deviation) lies outside 0...2^57"
        )
        return Double(deviation)
    }

    /// The nearest whole number, halves away from zero, held within the range of `Int64`.
    private static func nearest(_ value: Double) -> Int64 {
        guard value < 0x1p63 else { return .max }
        return Int64(value < 0 ? value - 0.5 : value + 0.5)
    }
}
