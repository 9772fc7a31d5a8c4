/// The power of 16 kHz sound in 32 bands from 125 Hz to 7.9 kHz, every 10 ms.
///
/// White noise has the same power in each band, its variance. Windows of 16 ms (Hann) overlap by
/// 6 ms; the two that a 20 ms frame completes share one complex transform.
struct BandSpectrum: Sendable, Equatable {
    /// How many new samples a frame brings.
    static let samplesPerFrame = 320
    /// How many samples of the frame before the first window of a frame covers.
    static let overlap = FourierTransform.size - hop

    private static let hop = samplesPerFrame / 2
    private static let squaredWindowSum: Float = 0.375 * Float(FourierTransform.size)

    /// The bins in each band: 125 Hz wide up to 2 kHz, 250 Hz up to 4 kHz, then 438 Hz.
    private static let widths = BandValues(narrow: 2, middle: 4, wide: 7)

    private var earlyPast = SIMD64<Float>()
    private var latePast = SIMD32<Float>()

    /// Analyses one frame.
    ///
    /// - Parameter fill: Writes the frame's `samplesPerFrame` samples, in units of the 16-bit scale.
    /// - Returns: The powers in the frame's first and second half.
    mutating func analyze(
        fill: (UnsafeMutablePointer<Float>) -> Void
    ) -> (first: BandValues, second: BandValues) {
        let size = FourierTransform.size
        let sampleCount = Self.overlap + Self.samplesPerFrame
        return withRoom(Room2048.self) { samples in
            restorePast(to: samples)
            fill(samples + Self.overlap)
            savePast(from: samples + Self.samplesPerFrame)
            let real = samples + sampleCount
            let imaginary = real + size
            FourierTransform.cosines.withUnsafeBufferPointer { cosines in
                for index in 0..<size {
                    let window = 0.5 - 0.5 * cosines[index]
                    real[index] = window * samples[index]
                    imaginary[index] = window * samples[index + Self.hop]
                }
            }
            FourierTransform.transform(
                real: real,
                imaginary: imaginary,
                scratch: imaginary + size
            )
            return Self.powers(real, imaginary, spare: samples)
        }
    }

    private func restorePast(to samples: UnsafeMutablePointer<Float>) {
        for index in earlyPast.indices {
            samples[index] = earlyPast[index]
        }
        for index in latePast.indices {
            samples[earlyPast.scalarCount + index] = latePast[index]
        }
    }

    private mutating func savePast(from samples: UnsafeMutablePointer<Float>) {
        for index in earlyPast.indices {
            earlyPast[index] = samples[index]
        }
        for index in latePast.indices {
            latePast[index] = samples[earlyPast.scalarCount + index]
        }
    }

    /// Parts the spectra of the two real signals and adds up their bands.
    private static func powers(
        _ real: UnsafeMutablePointer<Float>,
        _ imaginary: UnsafeMutablePointer<Float>,
        spare: UnsafeMutablePointer<Float>
    ) -> (first: BandValues, second: BandValues) {
        let size = FourierTransform.size
        let (first, second) = (spare, spare + size / 2)
        for bin in 1..<size / 2 {
            let (sumR, sumI) = (
                real[bin] + real[size - bin], imaginary[bin] + imaginary[size - bin]
            )
            let (diffR, diffI) = (
                real[bin] - real[size - bin], imaginary[bin] - imaginary[size - bin]
            )
            first[bin] = sumR * sumR + diffI * diffI
            second[bin] = sumI * sumI + diffR * diffR
        }
        return (bands(first), bands(second))
    }

    /// Averages the bins of each band, up from bin 2; a bin is 62.5 Hz wide.
    private static func bands(_ bins: UnsafeMutablePointer<Float>) -> BandValues {
        var bands = BandValues()
        var bin = 2
        for band in BandValues.bands {
            let width = widths[band]
            var power: Float = 0
            for index in bin..<bin + Int(width) {
                power += bins[index]
            }
            // The parting of the two spectra left a factor of 4.
            bands[band] = power / (4 * squaredWindowSum * width)
            bin += Int(width)
        }
        return bands
    }
}
