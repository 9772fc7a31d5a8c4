/// The operating point of the speech detector.
public struct SpeechDetectorConfiguration: Sendable, Equatable {
    /// The score from which a frame counts as speech where a word may be beginning.
    ///
    /// In thousandths of the score's range; 0 (everything is speech) to 1000. After a quiet frame and
    /// amid speech a score has to reach up to twice that (`MovingThreshold`).
    ///
    /// Lower hears more and sends more silence. At 310, wind, steps, breath and rain at 5 dB cost less
    /// than 40 % of the silence each (Scenarios/intercom/*-5db.yaml); a crowd costs more.
    public var threshold: Int = 310

    /// Makes the default configuration.
    public init() {}
}
