internal import KodamaSimulation

/// A stretch of sound at 48 kHz that noises are painted on, and the chance that they draw from.
struct NoiseCanvas {
    /// Samples per second.
    static let rate = 48_000.0

    private(set) var samples: [Double]
    var random: RandomStream

    init(count: Int, random: RandomStream) {
        samples = [Double](repeating: 0, count: count)
        self.random = random
    }

    var count: Int { samples.count }

    /// How many samples so many seconds are.
    static func samples(in seconds: Double) -> Int { Int(seconds * rate) }

    /// Adds a sample; what lies beyond the end is lost.
    mutating func add(_ value: Double, at index: Int) {
        guard index < samples.count else { return }
        samples[index] += value
    }

    /// Adds a tone that dies away from `index` on, such as of a drop or a pole's tip.
    ///
    /// - Parameters:
    ///   - index: Where it begins.
    ///   - hertz: Its frequency; at most 12 kHz.
    ///   - decay: The seconds in which it falls to 1/e.
    ///   - peak: About how high its first swing is.
    mutating func ring(at index: Int, hertz: Double, decay: Double, peak: Double) {
        // A point on a circle, turned step by step: sin(ω/2) as a series, no cosine.
        let half = Double.pi * hertz / Self.rate
        let turn = 2 * half * (1 - half * half / 6 * (1 - half * half / 20))
        let damping = 1 - 1 / (decay * Self.rate)
        var (x, y, height) = (0.0, 1.0, peak)
        for offset in 0..<Self.samples(in: 7 * decay) {
            add(x * height, at: index + offset)
            x += turn * y
            y -= turn * x
            height *= damping
        }
    }

    /// Adds a burst of noise in a band that dies away from `index` on, such as of a heel.
    ///
    /// - Parameters:
    ///   - index: Where it begins.
    ///   - hertz: The middle of the band.
    ///   - quality: The band's middle over its width.
    ///   - decay: The seconds in which it falls to 1/e.
    ///   - power: About its mean square at the beginning.
    mutating func burst(
        at index: Int,
        hertz: Double,
        quality: Double,
        decay: Double,
        power: Double
    ) {
        var band = StateVariableFilter(hertz: hertz, quality: quality)
        // White noise of power 1 has π/2 · hertz/quality of its 24 kHz in such a band.
        let share = Double.pi / 2 * hertz / quality / (Self.rate / 2)
        var height = (power / share).squareRoot()
        let damping = 1 - 1 / (decay * Self.rate)
        for offset in 0..<Self.samples(in: 7 * decay) {
            add(band.bandPass(random.deviate()) * height, at: index + offset)
            height *= damping
        }
    }
}

extension RandomStream {
    /// A nearly normal deviate of variance 1, never beyond ±3.5: the sum of four uniform draws.
    mutating func deviate() -> Double {
        let bits = next()
        let sum = bits & 0xFFFF + bits >> 16 & 0xFFFF + bits >> 32 & 0xFFFF + bits >> 48
        return (Double(sum) - 131_070) / 37_837.25
    }

    /// A number from a range, all alike.
    mutating func number(_ range: ClosedRange<Double>) -> Double {
        let share = Double(next() >> 11) * 0x1p-53
        return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
}
