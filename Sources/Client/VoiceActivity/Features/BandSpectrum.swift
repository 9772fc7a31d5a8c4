/// The power of 16 kHz sound in 32 bands from 125 Hz to 7.9 kHz, every 10 ms.
///
/// White noise has the same power in each band, its variance. Windows of 16 ms (Hann) overlap by
/// 6 ms; the two that a 20 ms frame completes share one complex transform.
enum BandSpectrum {
    /// How many bands there are.
    static let bandCount = 32
    /// How many samples each window lies behind the one before.
    static let hop = 160
    /// How many samples two windows cover: a frame and the end of the one before.
    static let samplesPerCall = FourierTransform.size + hop

    private static let squaredWindowSum: Float = 0.375 * Float(FourierTransform.size)
    /// The bins in each band: 125 Hz wide up to 2 kHz, 250 Hz up to 4 kHz, then 438 Hz.
    private static let widths =
        [Int](repeating: 2, count: 15) + [Int](repeating: 4, count: 8)
        + [Int](repeating: 7, count: 9)

    /// Analyses two windows.
    ///
    /// - Parameters:
    ///   - samples: `samplesPerCall` samples on the 16-bit scale.
    ///   - first: Room for the powers in the first window, one for each band.
    ///   - second: The same for the second window.
    static func analyze(
        _ samples: UnsafePointer<Int16>,
        first: UnsafeMutablePointer<Float>,
        second: UnsafeMutablePointer<Float>
    ) {
        let size = FourierTransform.size
        var storage = Floats1024()
        withNumbers(in: &storage) { (real: UnsafeMutablePointer<Float>) in
            let imaginary = real + size
            let scratch = imaginary + size
            FourierTransform.cosines.withUnsafeBufferPointer { cosines in
                for index in 0..<size {
                    let window = 0.5 - 0.5 * cosines[index]
                    real[index] = window * Float(samples[index])
                    imaginary[index] = window * Float(samples[index + hop])
                }
            }
            FourierTransform.transform(real: real, imaginary: imaginary, scratch: scratch)
            part(real, imaginary, into: scratch)
            sumBands(scratch, into: first)
            sumBands(scratch + size / 2, into: second)
        }
    }

    /// Parts the spectra of the two real signals: their powers from bin 1 on, one after the other.
    private static func part(
        _ real: UnsafeMutablePointer<Float>,
        _ imaginary: UnsafeMutablePointer<Float>,
        into powers: UnsafeMutablePointer<Float>
    ) {
        let size = FourierTransform.size
        let (first, second) = (powers, powers + size / 2)
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
    }

    /// Averages the bins of each band, up from bin 2; a bin is 62.5 Hz wide.
    private static func sumBands(
        _ bins: UnsafeMutablePointer<Float>,
        into bands: UnsafeMutablePointer<Float>
    ) {
        widths.withUnsafeBufferPointer { widths in
            var bin = 2
            for band in 0..<bandCount {
                var power: Float = 0
                for index in bin..<bin + widths[band] {
                    power += bins[index]
                }
                // The parting of the two spectra left a factor of 4.
                bands[band] = power / (4 * squaredWindowSum * Float(widths[band]))
                bin += widths[band]
            }
        }
    }
}
