import SansIO

/// A trained detector: a small recurrent network over spectrum, pitch and level.
///
/// Every 20 ms the network hears how far 32 bands rise above a floor that follows the noise, their
/// shape, how periodic the sound is at the pitches of voices, and how loud it is (`SpeechFeatures`).
/// It was trained on voices in noises that our own programs invent, and told to be early at the
/// beginning of a spurt (`Scripts/train-detector`). All arithmetic is in whole numbers, but for
/// spectrum and periodicity, which add, multiply and divide only: decisions are the same everywhere.
///
/// Digital silence and DC are no speech. Noise that jumps by 25 dB and stays may pass for speech at
/// once, and again while the floor follows it, mostly for no more than 5 s, seldom for 8. Voices far off
/// in a crowd are not meant to be heard; one voice near enough is.
///
/// A detector is a value: it hears only what it is given, so equal detectors fed alike decide
/// alike, and a copy is a checkpoint.
public struct SpeechDetector: Sendable, Equatable {
    private var threshold: MovingThreshold
    private let sampleRate: SampleRate
    private var features: SpeechFeatures
    private var network = SpeechNetwork()

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
        threshold = MovingThreshold(highest: configuration.threshold)
        self.sampleRate = sampleRate
        features = SpeechFeatures(sampleRate: sampleRate)
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
        var storage = Shorts256()
        let heard = withNumbers(in: &storage) { (numbers: UnsafeMutablePointer<Int16>) in
            features.extract(pcm, into: numbers)
            let score = network.score(numbers)
            // Nothing at all is no speech, whatever was heard before it.
            return SpeechFeatures.isEmpty(numbers) ? 0 : score
        }
        let level = AudioLevel(of: pcm)
        let score = level == .silence ? 0 : heard
        let limit = threshold.value
        threshold.remember(score)
        return SpeechDecision(
            isSpeech: score >= limit,
            score: score,
            threshold: limit,
            level: level
        )
    }
}
