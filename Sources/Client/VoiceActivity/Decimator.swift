/// Turns 48 kHz into 16 kHz: a low-pass filter of 32 taps, of whose output every third value counts.
struct Decimator: Sendable, Equatable {
    /// How many input values make one output value.
    static let factor = 3
    /// The first half of the symmetric filter: a sinc with cut-off at 7 kHz under a Hamming window.
    ///
    /// It passes speech up to 5 kHz within 0.3 dB; of what would fold back, all from 9.5 kHz on is
    /// 45 dB down.
    static let halfFilter: [Float] = [
        0.001_636_5, 0.001_292_0, -0.000_538_5, -0.003_703_7,
        -0.005_528_2, -0.001_751_6, 0.008_385_8, 0.017_545_3,
        0.013_259_1, -0.010_297_3, -0.040_625_2, -0.048_236_3,
        -0.005_278_9, 0.090_037_7, 0.203_385_1, 0.280_418_1,
    ]

    /// The last samples of the frame before, to which the filter reaches back.
    private var past = SIMD32<Float>()

    /// Filters a frame of `3 × outputCount` samples.
    ///
    /// - Parameters:
    ///   - pcm: The samples.
    ///   - output: Room for `outputCount` values.
    ///   - outputCount: How many values to make.
    mutating func decimate(
        _ pcm: UnsafeBufferPointer<Int16>,
        into output: UnsafeMutablePointer<Float>,
        outputCount: Int
    ) {
        let taps = SIMD32<Float>.scalarCount
        let phaseCount = outputCount + (taps + 2) / Self.factor
        precondition(
            Self.factor * phaseCount <= Room1024.count,
            "a frame of \(pcm.count) samples is too long to decimate at once"
        )
        withRoom(Room1024.self) { phases in
            // Every third sample goes to the same phase, so that the sums below run straight ahead.
            for index in 0..<taps {
                phases[index % 3 * phaseCount + index / 3] = past[index]
            }
            for index in pcm.indices {
                let place = index + taps
                phases[place % 3 * phaseCount + place / 3] = Float(pcm[index])
            }
            for index in 0..<taps {
                past[index] = Float(pcm[pcm.count - taps + index])
            }
            output.update(repeating: 0, count: outputCount)
            for tap in 0..<taps {
                let weight = Self.halfFilter[min(tap, taps - 1 - tap)]
                let phase = phases + (tap % 3 * phaseCount + tap / 3 + 1)
                for index in 0..<outputCount {
                    output[index] += weight * phase[index]
                }
            }
        }
    }
}
