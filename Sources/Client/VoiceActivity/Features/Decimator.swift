/// Turns 48 kHz into 16 kHz: a low-pass filter of 32 taps, of whose output every third value counts.
struct Decimator: Sendable, Equatable {
    /// How many input values make one output value.
    static let factor = 3
    /// How many samples of the frame before the filter reaches back to.
    static let overlap = 32

    /// The symmetric filter in units of 2⁻¹⁵: a sinc with cut-off at 7 kHz under a Hamming window.
    ///
    /// It passes speech up to 5 kHz within 0.3 dB; of what would fold back, all from 9.5 kHz on is
    /// 45 dB down.
    static let filter: [Int16] = {
        let half: [Int16] = [
            54, 42, -18, -121, -181, -57, 275, 575, 434, -337, -1331, -1581, -173, 2950, 6665, 9189,
        ]
        return half + half.reversed()
    }()

    private var past = Shorts32()

    /// Filters a frame.
    ///
    /// - Parameters:
    ///   - pcm: The frame's samples: `3 × outputCount`, at most 960.
    ///   - output: Room for `outputCount` values.
    ///   - outputCount: How many values to make.
    mutating func decimate(
        _ pcm: UnsafeBufferPointer<Int16>,
        into output: UnsafeMutablePointer<Int16>,
        outputCount: Int
    ) {
        precondition(pcm.count == Self.factor * outputCount && pcm.count <= 960)
        guard let source = pcm.baseAddress else { return }
        var storage = Shorts1024()
        withNumbers(in: &storage) { (samples: UnsafeMutablePointer<Int16>) in
            withNumbers(in: &past) { (past: UnsafeMutablePointer<Int16>) in
                samples.update(from: past, count: Self.overlap)
                past.update(from: source + (pcm.count - Self.overlap), count: Self.overlap)
            }
            (samples + Self.overlap).update(from: source, count: pcm.count)
            Self.filter.withUnsafeBufferPointer { taps in
                guard let taps = taps.baseAddress else { return }
                for index in 0..<outputCount {
                    let start = samples + Self.factor * (index + 1)
                    let sum = ScalarProduct.of(taps, start, Self.overlap) &+ 1 << 14
                    output[index] = Int16(clamping: sum >> 15)
                }
            }
        }
    }
}
