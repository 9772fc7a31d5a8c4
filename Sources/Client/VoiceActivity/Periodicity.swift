/// How much a sound repeats itself at the pitches of voices, 62 to 444 Hz.
///
/// The sound is taken down to 4 kHz; the last 24 ms are compared with what lay up to 16 ms before
/// them. The measure is twice the product over the sum of the squares (McLeod and Wyvill 2005): 1 for
/// a perfect repetition, about 0 for noise, and independent of level.
struct Periodicity: Sendable, Equatable {
    /// How many samples before the frame the filter reaches back to.
    static let overlap = filter.count - factor
    /// How many ranges of pitch are told apart: about half an octave each, from high to low.
    static let rangeCount = 8

    private static let factor = 4
    private static let samplesPerFrame = 80
    private static let lagMax = 64
    private static let comparedCount = 2 * samplesPerFrame - lagMax
    /// The first lag of each range, and the end of the last; 4,000 Hz over the lag is the pitch.
    private static let rangeStarts = [9, 12, 15, 19, 24, 30, 38, 49, 65]
    /// The low-pass filter in units of 2⁻¹⁵: a sinc with cut-off at 1.6 kHz under a Hamming window.
    private static let filter: [Int16] = {
        let half: [Int16] = [
            -17, 20, 73, 135, 164, 91, -129, -466, -783, -850, -435, 588, 2141, 3927, 5501, 6424,
        ]
        return half + half.reversed()
    }()
    /// A power, per compared sample, below which nothing counts as repeated.
    private static let powerMin: Float = 4

    /// The last frame at 4 kHz.
    private var past = Shorts128()
    private var latestInput: Int32 = 0
    private var latestOutput: Int32 = 0

    /// Measures one frame.
    ///
    /// - Parameters:
    ///   - samples: The frame's 320 samples, with `overlap` samples of the past before them.
    ///   - output: Room for `rangeCount` values, the best of each range, from −127 to 127.
    mutating func measure(_ samples: UnsafePointer<Int16>, into output: UnsafeMutablePointer<Int16>)
    {
        var room = Shorts512()
        withNumbers(in: &room) { (sound: UnsafeMutablePointer<Int16>) in
            let latest = sound + Self.samplesPerFrame
            withNumbers(in: &past) { sound.update(from: $0, count: Self.samplesPerFrame) }
            decimate(samples - Self.overlap, into: latest)
            withNumbers(in: &past) { $0.update(from: latest, count: Self.samplesPerFrame) }
            Self.limit(sound)
            Self.compare(sound, into: output)
        }
    }

    /// Filters out all above 1.6 kHz and, more gently, below 180 Hz: rumble must not hide a voice.
    private mutating func decimate(
        _ samples: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Int16>
    ) {
        Self.filter.withUnsafeBufferPointer { taps in
            for index in 0..<Self.samplesPerFrame {
                let start = samples + Self.factor * index
                var sum: Int32 = 1 << 14
                for tap in 0..<taps.count {
                    sum &+= Int32(taps[tap]) &* Int32(start[tap])
                }
                let input = sum >> 15
                // Rounded towards zero, so that silence after DC is silence.
                latestOutput = input - latestInput + 3 * latestOutput / 4
                latestInput = input
                output[index] = Int16(clamping: latestOutput)
            }
        }
    }

    /// Scales loud sound down so that sums of products fit 32 bits.
    private static func limit(_ sound: UnsafeMutablePointer<Int16>) {
        var bits: UInt16 = 0
        for index in 0..<2 * samplesPerFrame {
            bits |= sound[index].magnitude
        }
        let shift = max(0, 5 - bits.leadingZeroBitCount)
        for index in 0..<2 * samplesPerFrame {
            sound[index] >>= Int16(truncatingIfNeeded: shift)
        }
    }

    private static func compare(
        _ sound: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Int16>
    ) {
        let recent = sound + lagMax
        let energy = product(recent, recent)
        let least = powerMin * Float(comparedCount)
        // The energy of what lies `lag` back, kept up to date by what enters and leaves it.
        var pastEnergy = energy
        var range = 0
        var best: Float = -1
        for lag in 1...lagMax {
            let (entering, leaving) = (Int32(recent[-lag]), Int32(recent[comparedCount - lag]))
            pastEnergy &+= entering &* entering &- leaving &* leaving
            guard lag >= rangeStarts[0] else { continue }
            if lag == rangeStarts[range + 1] {
                output[range] = Int16(127 * best)
                range += 1
                best = -1
            }
            let repeated = Float(product(recent, recent - lag))
            best = max(best, 2 * repeated / (Float(energy) + Float(pastEnergy) + least))
        }
        output[range] = Int16(127 * best)
    }

    private static func product(
        _ first: UnsafePointer<Int16>,
        _ second: UnsafePointer<Int16>
    ) -> Int32 {
        var sum: Int32 = 0
        for index in 0..<comparedCount {
            sum &+= Int32(first[index]) &* Int32(second[index])
        }
        return sum
    }
}
