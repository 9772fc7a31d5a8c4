/// A sine without a mathematics library: Taylor's series around the nearest zero.
func sine(turns: Double) -> Double {
    let turn = turns - turns.rounded()
    let folded = turn > 0.25 ? 0.5 - turn : (turn < -0.25 ? -0.5 - turn : turn)
    let angle = folded * 2 * Double.pi
    var term = angle
    var sum = angle
    for order in stride(from: 2.0, through: 18, by: 2) {
        term *= -angle * angle / (order * (order + 1))
        sum += term
    }
    return sum
}

/// A sine of the given frequency and peak.
func tone(hertz: Double, peak: Double, sampleRate: Double = 48_000, count: Int) -> [Int16] {
    (0..<count).map { Int16((peak * sine(turns: hertz * Double($0) / sampleRate)).rounded()) }
}

/// Noise of equally likely samples from −peak to peak.
func noise(peak: Int, count: Int, seed: UInt64 = 1) -> [Int16] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int16(Int(state >> 33) % (2 * peak + 1) - peak)
    }
}

/// The root of the mean square.
func rootMeanSquare(_ samples: some Collection<Int16>) -> Double {
    let squares = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return (squares / Double(max(1, samples.count))).squareRoot()
}

/// The frequency of a tone, from its rising zero crossings.
func frequency(_ samples: ArraySlice<Int16>, sampleRate: Double = 48_000) -> Double {
    var first: Double?
    var last = 0.0
    var periods = 0
    for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
        let before = Double(samples[index - 1])
        let crossing = Double(index) - 1 - before / (Double(samples[index]) - before)
        if first == nil {
            first = crossing
        } else {
            periods += 1
        }
        last = crossing
    }
    guard let first, periods > 0 else { return 0 }
    return Double(periods) * sampleRate / (last - first)
}
