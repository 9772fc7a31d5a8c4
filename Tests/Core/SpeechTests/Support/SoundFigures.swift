import Foundation

/// What tests measure on sound at 48 kHz.
struct SoundFigures {
    let samples: [Double]
    /// The power per bin of `binHertz`, averaged over windows.
    private let spectrum: [Double]

    static let window = 4_096
    static let binHertz = 48_000.0 / Double(window)

    init(_ samples: [Int16]) {
        self.samples = samples.map(Double.init)
        spectrum = Self.spectrum(self.samples)
    }

    /// The mean square.
    var power: Double { samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count) }

    /// The mean square of what lies in a band.
    func power(in hertz: Range<Double>) -> Double {
        spectrum.indices.reduce(0.0) { sum, bin in
            hertz.contains(Double(bin) * Self.binHertz) ? sum + spectrum[bin] : sum
        }
    }

    /// The share of the power that lies in a band.
    func share(in hertz: Range<Double>) -> Double {
        power(in: hertz) / power(in: 0..<24_000)
    }

    /// The level of each piece of so many samples, in decibels.
    func levels(every count: Int) -> [Double] {
        stride(from: 0, to: samples.count - count + 1, by: count).map { start in
            let squares = samples[start..<start + count].reduce(0) { $0 + $1 * $1 }
            return 10 * log10(squares / Double(count) + 1e-3)
        }
    }

    /// How far the level of such pieces moves: from its tenth to its ninetieth percentile.
    func levelSpread(every count: Int) -> Double {
        let sorted = levels(every: count).sorted()
        return sorted[sorted.count * 9 / 10] - sorted[sorted.count / 10]
    }

    /// The fourth moment over the square of the second: 3 for normal noise, more for impacts.
    var kurtosis: Double {
        let fourth = samples.reduce(0) { $0 + $1 * $1 * $1 * $1 } / Double(samples.count)
        return fourth / (power * power)
    }

    /// How alike the loudness of 10 ms pieces is to itself some pieces later, from −1 to 1.
    func rhythm(atLag lag: Int) -> Double {
        let levels = levels(every: 480)
        let mean = levels.reduce(0, +) / Double(levels.count)
        let centred = levels.map { $0 - mean }
        let whole = centred.reduce(0) { $0 + $1 * $1 } / Double(centred.count)
        let pairs = zip(centred, centred.dropFirst(lag)).map { $0 * $1 }
        return pairs.reduce(0, +) / Double(pairs.count) / whole
    }

    /// Windows of Hann's shape, half over each other.
    private static func spectrum(_ samples: [Double]) -> [Double] {
        let shape = (0..<window).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(window)) }
        let energy = shape.reduce(0) { $0 + $1 * $1 }
        var sum = [Double](repeating: 0, count: window / 2 + 1)
        let starts = stride(from: 0, to: samples.count - window + 1, by: window / 2)
        for start in starts {
            var real = (0..<window).map { samples[start + $0] * shape[$0] }
            var imaginary = [Double](repeating: 0, count: window)
            transform(&real, &imaginary)
            for bin in sum.indices {
                let sides = bin == 0 || bin == window / 2 ? 1.0 : 2.0
                let square = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
                sum[bin] += sides * square / (energy * Double(window))
            }
        }
        let count = Double(Array(starts).count)
        return sum.map { $0 / count }
    }

    /// The Fourier transform in place (Cooley and Tukey, radix 2).
    private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
        let count = real.count
        var reversed = 0
        for index in 1..<count {
            var bit = count >> 1
            while reversed & bit != 0 {
                reversed ^= bit
                bit >>= 1
            }
            reversed |= bit
            if index < reversed {
                real.swapAt(index, reversed)
                imaginary.swapAt(index, reversed)
            }
        }
        var length = 2
        while length <= count {
            for place in 0..<length / 2 {
                let angle = -2 * Double.pi * Double(place) / Double(length)
                let (c, s) = (cos(angle), sin(angle))
                for start in stride(from: place, to: count, by: length) {
                    let other = start + length / 2
                    let x = real[other] * c - imaginary[other] * s
                    let y = real[other] * s + imaginary[other] * c
                    (real[other], imaginary[other]) = (real[start] - x, imaginary[start] - y)
                    (real[start], imaginary[start]) = (real[start] + x, imaginary[start] + y)
                }
            }
            length *= 2
        }
    }
}
