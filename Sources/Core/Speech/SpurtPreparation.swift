internal import AudioProcessing

/// Turns one spurt at 16 kHz into one at 48 kHz with faded edges and the nominal level.
enum SpurtPreparation {
    /// 2^30 · 10^(−2.6): the mean square of −26 dBov.
    static let nominalMeanSquare = 2_697_133.0
    /// The largest magnitude that a sample may get.
    private static let peakMax = 32_000.0
    /// 2 ms at 16 kHz.
    private static let fadeCount = 32

    /// Prepares `spurt` into three times as many samples.
    ///
    /// - Returns: The sum of the prepared samples' squares.
    static func prepare(
        _ spurt: [Int16],
        into output: UnsafeMutableBufferPointer<Int16>
    ) -> Double {
        upsample(faded(spurt), into: output)
        normalize(output)
        return Double(output.reduce(Int64(0)) { $0 + Int64($1) * Int64($1) })
    }

    private static func faded(_ spurt: [Int16]) -> [Int16] {
        var faded = spurt
        for index in 0..<min(fadeCount, spurt.count / 2) {
            let opposite = spurt.count - 1 - index
            faded[index] = Int16(Int(spurt[index]) * index / fadeCount)
            faded[opposite] = Int16(Int(spurt[opposite]) * index / fadeCount)
        }
        return faded
    }

    /// Converts to 48 kHz and takes the filter's delay back out.
    private static func upsample(
        _ spurt: [Int16],
        into output: UnsafeMutableBufferPointer<Int16>
    ) {
        var resampler = Resampler(.from16To48Kilohertz)
        let delay = resampler.groupDelaySamples
        let padded = spurt + [Int16](repeating: 0, count: delay / 3)
        let delayed = [Int16](unsafeUninitializedCapacity: padded.count * 3) { samples, count in
            count = padded.count * 3
            padded.withUnsafeBufferPointer { resampler.process($0, into: samples) }
        }
        _ = output.update(fromContentsOf: delayed[delay...])
    }

    private static func normalize(_ samples: UnsafeMutableBufferPointer<Int16>) {
        var squares: Int64 = 0
        var peak: Int32 = 1
        for sample in samples {
            let wide = Int32(sample)
            squares &+= Int64(wide &* wide)
            peak = max(peak, abs(wide))
        }
        guard squares > 0 else { return }
        let meanSquare = Double(squares) / Double(samples.count)
        let wanted = (nominalMeanSquare / meanSquare).squareRoot()
        let gain = Int64(min(wanted, peakMax / Double(peak)) * 65_536)
        for index in samples.indices {
            samples[index] = Int16(
                truncatingIfNeeded: (Int64(samples[index]) * gain + 32_768) >> 16
            )
        }
    }
}
