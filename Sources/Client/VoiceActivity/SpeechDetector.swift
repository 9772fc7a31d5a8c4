import SansIO

/// A classical spectral detector: speech is what rises above the noise floor, in some bands at least.
///
/// Every 10 ms the power in 32 bands is compared with a floor that follows the background noise. The
/// evidence for speech is the mean square of the rise in octaves: a few bands that rise far, as the
/// formants of a vowel do, count for more than many that rise a little, as all bands of noise do now
/// and then. Evidence is smoothed over some 60 ms, and limited before, so that it fades as fast after
/// a shout as after a whisper.
///
/// What is steady for 2 to 4 s is noise, however loud; digital silence and DC are no speech. Sound
/// that comes and goes as speech does (wind, steps, other voices) is taken for speech.
public struct SpeechDetector: SpeechDetecting {
    private let threshold: Int
    private let sampleRate: SampleRate
    private var decimator = Decimator()
    private var spectrum = BandSpectrum()
    private var floor = NoiseFloor()
    private var evidence: Float = 0

    /// How far a band must rise above its floor to count; in octaves of power (2.4 dB).
    private static let margin: Float = 0.8
    /// The most that one band counts for; in octaves of power (24 dB).
    private static let riseMax: Float = 8
    /// The most that one hop counts for; in squared octaves.
    private static let evidenceMax: Float = 1.2
    /// How much of the evidence is new in each hop.
    private static let smoothing: Float = 0.17
    /// Where the score is most sensitive to evidence; 0.095 squared octaves score 500.
    private static let evidenceAtHalf: Float = 0.112

    /// Makes a detector that has heard nothing.
    ///
    /// - Parameters:
    ///   - configuration: The operating point; its threshold MUST lie in 0 to 1000.
    ///   - sampleRate: The rate of the sound that it will be given.
    public init(
        configuration: SpeechDetectorConfiguration = SpeechDetectorConfiguration(),
        sampleRate: SampleRate
    ) {
        precondition(
            (0...1000).contains(configuration.threshold),
            "a threshold of \(configuration.threshold) thousandths lies outside 0...1000"
        )
        threshold = configuration.threshold
        self.sampleRate = sampleRate
    }

    /// Decides one 20 ms frame.
    ///
    /// - Parameter pcm: `sampleRate.samplesPerFrame` samples, right after those of the previous call.
    /// - Returns: What the detector says about the frame.
    public mutating func decide(_ pcm: UnsafeBufferPointer<Int16>) -> SpeechDecision {
        precondition(
            pcm.count == sampleRate.samplesPerFrame,
            "a frame at \(sampleRate.rawValue) Hz has \(sampleRate.samplesPerFrame) samples, "
                + "not \(pcm.count)"
        )
        let powers = analyze(pcm)
        weigh(powers.first)
        let evidenceAtFirst = evidence
        weigh(powers.second)
        let score = Self.score(max(evidenceAtFirst, evidence))
        return SpeechDecision(
            isSpeech: score >= threshold,
            score: score,
            level: AudioLevel(of: pcm)
        )
    }

    private mutating func analyze(
        _ pcm: UnsafeBufferPointer<Int16>
    ) -> (first: BandValues, second: BandValues) {
        switch sampleRate {
        case .hertz16000:
            spectrum.analyze { samples in
                for index in pcm.indices {
                    samples[index] = Float(pcm[index])
                }
            }
        case .hertz48000:
            spectrum.analyze { samples in
                decimator.decimate(pcm, into: samples, outputCount: BandSpectrum.samplesPerFrame)
            }
        }
    }

    /// Adds one hop to the evidence.
    private mutating func weigh(_ powers: BandValues) {
        let rises = floor.follow(powers)
        var sum: Float = 0
        for band in BandValues.bands {
            let rise = min(max(rises[band] - Self.margin, 0), Self.riseMax)
            sum += rise * rise
        }
        let meanSquare = sum / Float(BandValues.bands.count)
        evidence += Self.smoothing * (min(meanSquare, Self.evidenceMax) - evidence)
    }

    /// Spreads the evidence over 0 to 1000, finest around the half.
    private static func score(_ evidence: Float) -> Int16 {
        let share = evidence / (evidence + evidenceAtHalf)
        let shareMax = evidenceMax / (evidenceMax + evidenceAtHalf)
        return Int16((1000 * share / shareMax).rounded())
    }
}
