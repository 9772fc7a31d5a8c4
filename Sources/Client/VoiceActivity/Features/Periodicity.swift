/// How much a sound repeats itself at the pitches of voices, 62 to 444 Hz, heard in three ways at 4 kHz.
///
/// Below 1.6 kHz lie the strongest harmonics of a voice; brightened, the same sound keeps those above
/// a rumble; and of what lies above 2 kHz the envelope beats with the pitch, whatever noise is below.
/// Each is compared with itself over a frame or over a time that fades; see `Repetition`.
struct Periodicity: Sendable, Equatable {
    /// How many samples before the frame the filter reaches back to.
    static let overlap = filter.count - factor
    /// How many numbers describe a frame.
    static let featureCount = 5 * Repetition.Memory.rangeCount

    private static let factor = 4
    /// The low-pass filter in units of 2⁻¹⁵: a sinc with cut-off at 1.6 kHz under a Hamming window.
    private static let filter: [Int16] = {
        let half: [Int16] = [
            -17, 20, 73, 135, 164, 91, -129, -466, -783, -850, -435, 588, 2141, 3927, 5501, 6424,
        ]
        return half + half.reversed()
    }()

    private var low = Repetition()
    private var bright = Repetition()
    private var envelope = Repetition()
    /// What is kept halves with every frame, or lasts twice as long, or is one frame's only.
    private var lowNow = Repetition.Memory(keeping: 0)
    private var lowShort = Repetition.Memory(keeping: 0.5)
    private var lowLong = Repetition.Memory(keeping: 0.75)
    private var brightShort = Repetition.Memory(keeping: 0.5)
    private var envelopeShort = Repetition.Memory(keeping: 0.5)
    private var latestInput: Int32 = 0
    private var latestOutput: Int32 = 0
    private var latestLow: Int16 = 0
    private var meanLoudness: Int32 = 0

    /// Measures one frame.
    ///
    /// - Parameters:
    ///   - samples: The frame's 320 samples, with `overlap` samples of the past before them.
    ///   - output: Room for `featureCount` values from −127 to 127.
    mutating func measure(_ samples: UnsafePointer<Int16>, into output: UnsafeMutablePointer<Int16>)
    {
        let rangeCount = Repetition.Memory.rangeCount
        var storage = Shorts128()
        withNumbers(in: &storage) { (sound: UnsafeMutablePointer<Int16>) in
            lower(samples - Self.overlap, into: sound)
            var comparison = low.compare(sound)
            lowNow.add(comparison, into: output)
            lowShort.add(comparison, into: output + rangeCount)
            lowLong.add(comparison, into: output + 2 * rangeCount)
            brighten(sound)
            comparison = bright.compare(sound)
            brightShort.add(comparison, into: output + 3 * rangeCount)
            envelop(samples, into: sound)
            comparison = envelope.compare(sound)
            envelopeShort.add(comparison, into: output + 4 * rangeCount)
        }
    }

    /// Filters out all above 1.6 kHz and, more gently, below 180 Hz: rumble must not hide a voice.
    private mutating func lower(
        _ samples: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Int16>
    ) {
        Self.filter.withUnsafeBufferPointer { taps in
            guard let taps = taps.baseAddress else { return }
            for index in 0..<Repetition.samplesPerFrame {
                let sum = ScalarProduct.of(taps, samples + Self.factor * index, 32) &+ 1 << 14
                let input = sum >> 15
                // Rounded towards zero, so that silence after DC is silence.
                latestOutput = input - latestInput + 3 * latestOutput / 4
                latestInput = input
                output[index] = Int16(clamping: latestOutput)
            }
        }
    }

    /// Takes from each sample the one before: 6 dB more with every octave.
    private mutating func brighten(_ sound: UnsafeMutablePointer<Int16>) {
        for index in 0..<Repetition.samplesPerFrame {
            let sample = sound[index]
            sound[index] = Int16(clamping: Int32(sample) - Int32(latestLow))
            latestLow = sample
        }
    }

    /// How loud it is above 2 kHz, against the mean of the last 8 ms.
    private mutating func envelop(
        _ samples: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Int16>
    ) {
        for index in 0..<Repetition.samplesPerFrame {
            var loudness: Int32 = 0
            for place in Self.factor * index..<Self.factor * (index + 1) {
                let sample = samples + place
                // The third difference: 18 dB more with every octave.
                let inner = Int32(sample[-1]) &- Int32(sample[-2])
                loudness &+= abs(Int32(sample[0]) &- Int32(sample[-3]) &- 3 &* inner)
            }
            output[index] = Int16(clamping: (loudness &- meanLoudness >> 5) >> 2)
            meanLoudness &+= loudness &- meanLoudness >> 5
        }
    }
}
