/// The logistic function in whole numbers: straight lines between 257 points from −8 to 8.
enum Sigmoid {
    /// 1/(1 + e⁻ˣ) from units of 1/2048 to units of 2⁻¹⁵.
    @inline(__always)
    static func of(_ value: Int32) -> Int32 {
        let place = max(-16_384, min(16_383, value)) &+ 16_384
        return points.withUnsafeBufferPointer { points in
            let (index, rest) = (Int(place >> 7), place & 127)
            let low = Int32(points[index])
            return low &+ ((Int32(points[index + 1]) &- low) &* rest &+ 64) >> 7
        }
    }

    /// The hyperbolic tangent, 2/(1 + e⁻²ˣ) − 1, in the same units.
    @inline(__always)
    static func tanh(_ value: Int32) -> Int32 {
        2 &* of(2 &* value) &- 32_767
    }

    private static let points: [Int16] = (-128...128).map { step in
        let exponential = powerOfE(-Double(step) / 16)
        // Rounded by hand: `rounded()` is a function of the C library on Linux.
        return Int16(32_767 / (1 + exponential) + 0.5)
    }

    /// eˣ for −8 to 8: a series for x/256, squared eight times.
    private static func powerOfE(_ exponent: Double) -> Double {
        let part = exponent / 256
        // The first term left out is below 1e-14.
        var power =
            1 + part
            * (1 + part / 2 * (1 + part / 3 * (1 + part / 4 * (1 + part / 5 * (1 + part / 6)))))
        for _ in 0..<8 { power *= power }
        return power
    }
}
