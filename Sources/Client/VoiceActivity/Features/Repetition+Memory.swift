extension Repetition {
    /// How much the sound of late repeats itself: twice the products over the sums of the squares.
    ///
    /// That is 1 for a perfect repetition, about 0 for noise, and independent of level (McLeod and
    /// Wyvill 2005). A voice keeps its pitch for longer than a frame, noise repeats itself by chance:
    /// over a longer time the one stays and the other goes.
    struct Memory: Sendable, Equatable {
        /// How many ranges of lag are told apart: about half an octave each, from high pitch to low.
        static let rangeCount = 8
        /// The first lag of each range, and the end of the last; 4,000 Hz over the lag is the pitch.
        private static let rangeStarts = [9, 12, 15, 19, 24, 30, 38, 49, 65]
        /// A power, per sample of a frame, below which nothing counts as repeated.
        private static let powerMin: Float = 4

        /// What is left of a sum after a frame.
        private let keeping: Float
        private var products = Shorts128()
        private var energies = Shorts128()

        /// Makes a memory of nothing.
        ///
        /// - Parameter keeping: What is left of a sum after a frame, 0 to below 1.
        init(keeping: Float) {
            self.keeping = keeping
        }

        /// Adds a frame and measures the whole.
        ///
        /// - Parameters:
        ///   - comparison: The frame's.
        ///   - output: Room for `rangeCount` values, the best of each range, from −127 to 127.
        mutating func add(_ comparison: Comparison, into output: UnsafeMutablePointer<Int16>) {
            var comparison = comparison
            withNumbers(in: &comparison.products) { (products: UnsafeMutablePointer<Float>) in
                withNumbers(in: &comparison.energies) { (energies: UnsafeMutablePointer<Float>) in
                    Self.add(products, to: &self.products, keeping: keeping)
                    Self.add(energies, to: &self.energies, keeping: keeping)
                    measure(into: products)
                    for range in 0..<Self.rangeCount {
                        var best: Float = -1
                        for lag in Self.rangeStarts[range]..<Self.rangeStarts[range + 1] {
                            best = max(best, products[lag - lagMin])
                        }
                        output[range] = Int16(127 * best)
                    }
                }
            }
        }

        @inline(__always)
        private static func add(
            _ fresh: UnsafePointer<Float>,
            to sums: inout Shorts128,
            keeping: Float
        ) {
            withNumbers(in: &sums) { (sums: UnsafeMutablePointer<Float>) in
                for index in 0..<lagCount {
                    sums[index] = keeping * sums[index] + fresh[index]
                }
            }
        }

        private mutating func measure(into ratios: UnsafeMutablePointer<Float>) {
            let least = Self.powerMin * Float(samplesPerFrame)
            withNumbers(in: &products) { (products: UnsafeMutablePointer<Float>) in
                withNumbers(in: &energies) { (energies: UnsafeMutablePointer<Float>) in
                    for index in 0..<lagCount {
                        ratios[index] = 2 * products[index] / (energies[index] + least)
                    }
                }
            }
        }
    }
}
