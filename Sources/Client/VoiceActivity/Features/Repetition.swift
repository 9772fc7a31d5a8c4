/// Compares each frame of a sound at 4 kHz with what lay before it, 9 to 64 samples: 444 to 62 Hz.
struct Repetition: Sendable, Equatable {
    /// How many samples a frame has.
    static let samplesPerFrame = 80
    /// The shortest lag.
    static let lagMin = 9
    /// The longest lag, and how many samples before a frame are kept for it.
    static let lagMax = 64
    /// How many lags there are.
    static let lagCount = lagMax - lagMin + 1

    /// The end of the sound before this frame.
    private var past = Shorts64()

    /// What a frame's samples have in common with those before them, lag by lag, shortest first.
    struct Comparison {
        /// The sum of the products, `lagCount` fractions.
        var products = Shorts128()
        /// The sum of the squares of both, as many.
        var energies = Shorts128()
    }

    /// Compares a frame with what lay before it.
    ///
    /// - Parameter frame: Its `samplesPerFrame` samples.
    /// - Returns: What both have in common.
    mutating func compare(_ frame: UnsafePointer<Int16>) -> Comparison {
        var comparison = Comparison()
        var storage = Shorts256()
        withNumbers(in: &storage) { (sound: UnsafeMutablePointer<Int16>) in
            let recent = sound + Self.lagMax
            withNumbers(in: &past) { sound.update(from: $0, count: Self.lagMax) }
            recent.update(from: frame, count: Self.samplesPerFrame)
            withNumbers(in: &past) {
                $0.update(from: sound + Self.samplesPerFrame, count: Self.lagMax)
            }
            let shift = Self.limit(sound)
            let unit = Float(1 << (2 * shift))
            withNumbers(in: &comparison.products) { products in
                withNumbers(in: &comparison.energies) { energies in
                    Self.compare(recent, unit: unit, products: products, energies: energies)
                }
            }
        }
        return comparison
    }

    /// Scales loud sound down so that sums of products fit 32 bits.
    ///
    /// - Returns: By how many bits.
    private static func limit(_ sound: UnsafeMutablePointer<Int16>) -> Int {
        var bits: UInt16 = 0
        for index in 0..<lagMax + samplesPerFrame {
            bits |= sound[index].magnitude
        }
        let shift = max(0, 5 - bits.leadingZeroBitCount)
        for index in 0..<lagMax + samplesPerFrame {
            sound[index] >>= Int16(truncatingIfNeeded: shift)
        }
        return shift
    }

    private static func compare(
        _ recent: UnsafePointer<Int16>,
        unit: Float,
        products: UnsafeMutablePointer<Float>,
        energies: UnsafeMutablePointer<Float>
    ) {
        let energy = ScalarProduct.of(recent, recent, samplesPerFrame)
        // The energy of what lies `lag` back, kept up to date by what enters and leaves it.
        var pastEnergy = energy
        for lag in 1...lagMax {
            let (entering, leaving) = (Int32(recent[-lag]), Int32(recent[samplesPerFrame - lag]))
            pastEnergy &+= entering &* entering &- leaving &* leaving
            guard lag >= lagMin else { continue }
            let product = ScalarProduct.of(recent, recent - lag, samplesPerFrame)
            products[lag - lagMin] = unit * Float(product)
            energies[lag - lagMin] = unit * Float(energy &+ pastEnergy)
        }
    }
}
