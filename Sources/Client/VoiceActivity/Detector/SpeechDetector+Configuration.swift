/// The operating point of the speech detector.
public struct SpeechDetectorConfiguration: Sendable, Equatable {
    /// The score from which a frame out of silence counts as speech.
    ///
    /// In thousandths of the score's range; 0 (everything is speech) to 1000. Where a word may be
    /// beginning as little as half of it is enough (`MovingThreshold`).
    ///
    /// Lower hears more and sends more silence. At 620, wind, steps, breath and rain at 5 dB cost less
    /// than 40 % of the silence each (Scenarios/intercom/*-5db.yaml); a crowd costs more.
    public var threshold: Int = 620

    /// Makes the default configuration.
    public init() {}
}
