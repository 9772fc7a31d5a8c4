/// What the detector's network is told about each 20 ms frame: 176 small whole numbers.
///
/// | place | what | step |
/// |---|---|---|
/// | 0–31 | how far each band rises above its least in 2 to 4 s, first 10 ms | 1/8 octave |
/// | 32–63 | the same, second 10 ms | 1/8 octave |
/// | 64–95 | how far each band rises above its least in 0.4 to 0.8 s | 1/8 octave |
/// | 96–127 | each band against the mean of all bands | 1/8 octave |
/// | 128–167 | five measures of periodicity, each in eight ranges of pitch | 1/127 |
/// | 168, 169 | level: mean over the bands, loudest band | 1/8 octave, 0 at 36 dB |
/// | 170, 171 | the same two against their loudest of late | 1/8 octave |
/// | 172–175 | nothing: they round the count up to whole vectors | |
///
/// All of them lie in −127…127; an octave of power is 3 dB. What rises by more than 8 octaves above its
/// least in seconds goes on from there in steps of 1/2.
package struct SpeechFeatures: Sendable, Equatable {
    /// How many numbers describe a frame.
    package static let count = 176

    private static let pastCount =
        BandSpectrum.samplesPerCall - SampleRate.hertz16000.samplesPerFrame
    /// 36 dB over the quietest power, between a quiet room and a voice.
    private static let middle = 12 * Octaves.one
    /// How fast the memory of the loudest fades: 7 dB a second, so that a bang is soon forgotten.
    private static let fadePerFrame: Int32 = 12

    /// Where the level of the loudest band stands.
    private static let loudestPlace = 4 * BandSpectrum.bandCount + Periodicity.featureCount + 1

    private let sampleRate: SampleRate
    private var decimator = Decimator()
    private var past = Shorts128()
    /// Below the pauses of speech, and below the breaths and gusts between which they lie.
    private var floor = NoiseFloor(hopsMax: 200)
    private var recentFloor = NoiseFloor(hopsMax: 40)
    private var periodicity = Periodicity()
    private var loudestMean: Int32 = 0
    private var loudestBand: Int32 = 0

    /// Makes features that have heard nothing.
    ///
    /// - Parameter sampleRate: The rate of the sound that they will be given.
    package init(sampleRate: SampleRate) {
        self.sampleRate = sampleRate
    }

    /// Describes one frame.
    ///
    /// - Parameters:
    ///   - pcm: `sampleRate.samplesPerFrame` samples, right after those of the previous call.
    ///   - output: Room for `count` numbers.
    package mutating func extract(
        _ pcm: UnsafeBufferPointer<Int16>,
        into output: UnsafeMutablePointer<Int16>
    ) {
        var storage = Shorts512()
        withNumbers(in: &storage) { (samples: UnsafeMutablePointer<Int16>) in
            let frame = samples + Self.pastCount
            let frameCount = SampleRate.hertz16000.samplesPerFrame
            withNumbers(in: &past) { samples.update(from: $0, count: Self.pastCount) }
            read(pcm, into: frame)
            withNumbers(in: &past) { $0.update(from: samples + frameCount, count: Self.pastCount) }
            describeSpectrum(samples, into: output)
            periodicity.measure(frame, into: output + 4 * BandSpectrum.bandCount)
        }
    }

    /// Whether no band of a described frame holds as much as one step of the 16-bit scale.
    ///
    /// So it is with digital silence, and with DC.
    ///
    /// - Parameter features: What `extract` has made of the frame.
    /// - Returns: Whether it is empty.
    static func isEmpty(_ features: UnsafePointer<Int16>) -> Bool {
        features[loudestPlace] <= feature(-middle)
    }

    private mutating func read(
        _ pcm: UnsafeBufferPointer<Int16>,
        into frame: UnsafeMutablePointer<Int16>
    ) {
        switch sampleRate {
        case .hertz16000:
            if let source = pcm.baseAddress { frame.update(from: source, count: pcm.count) }
        case .hertz48000:
            decimator.decimate(
                pcm,
                into: frame,
                outputCount: SampleRate.hertz16000.samplesPerFrame
            )
        }
    }

    private mutating func describeSpectrum(
        _ samples: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Int16>
    ) {
        let bandCount = BandSpectrum.bandCount
        var storage = Floats1024()
        withNumbers(in: &storage) { (powers: UnsafeMutablePointer<Float>) in
            BandSpectrum.analyze(samples, first: powers, second: powers + bandCount)
            let spare = UnsafeMutableRawPointer(powers + 2 * bandCount)
            let levels = spare.assumingMemoryBound(to: Int16.self)
            let rises = levels + 2 * bandCount
            for index in 0..<2 * bandCount {
                levels[index] = Octaves.of(powers[index])
            }
            floor.follow(levels, rises: rises)
            floor.follow(levels + bandCount, rises: rises + bandCount)
            for index in 0..<2 * bandCount {
                output[index] = Self.compressed(Int32(rises[index]))
            }
            recentFloor.follow(levels, rises: rises)
            recentFloor.follow(levels + bandCount, rises: rises + bandCount)
            for band in 0..<bandCount {
                let rise = Int32(rises[band]) &+ Int32(rises[band + bandCount])
                output[2 * bandCount + band] = Self.feature(rise >> 1)
            }
            describeShape(levels, into: output + 3 * bandCount)
        }
    }

    private mutating func describeShape(
        _ levels: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Int16>
    ) {
        let bandCount = BandSpectrum.bandCount
        var (sum, loudest): (Int32, Int32) = (0, 0)
        for band in 0..<bandCount {
            let level = (Int32(levels[band]) &+ Int32(levels[band + bandCount])) >> 1
            sum &+= level
            loudest = max(loudest, level)
        }
        let mean = sum >> 5
        for band in 0..<bandCount {
            let level = (Int32(levels[band]) &+ Int32(levels[band + bandCount])) >> 1
            output[band] = Self.feature(level &- mean)
        }
        loudestMean = max(mean, loudestMean - Self.fadePerFrame)
        loudestBand = max(loudest, loudestBand - Self.fadePerFrame)
        let rest = output + (bandCount + Periodicity.featureCount)
        rest[0] = Self.feature(mean - Self.middle)
        rest[1] = Self.feature(loudest - Self.middle)
        rest[2] = Self.feature(mean - loudestMean)
        rest[3] = Self.feature(loudest - loudestBand)
    }

    /// From steps of 1/256 octave to steps of 1/8, at most 16 octaves.
    @inline(__always)
    private static func feature(_ octaves: Int32) -> Int16 {
        Int16(truncatingIfNeeded: max(-127, min(127, octaves >> 5)))
    }

    /// The same, but in steps of 1/2 beyond 8 octaves: it is only the loudness of noise after silence.
    @inline(__always)
    private static func compressed(_ octaves: Int32) -> Int16 {
        let knee = 8 * Octaves.one
        return feature(min(octaves, knee) &+ max(0, octaves &- knee) >> 2)
    }
}
