/// The operating point of the speech detector.
public struct SpeechDetectorConfiguration: Sendable, Equatable {
    /// The score from which a frame counts as speech, in thousandths of the score's range;
    /// 0 (everything is speech) to 1000.
    ///
    /// Lower hears more and sends more silence. At 480, wind, steps, breath and rain at 5 dB cost less
    /// than 40 % of the silence each (Scenarios/intercom/*-5db.yaml); a crowd costs more.
    public var threshold: Int = 480

    /// Makes the default configuration.
    public init() {}
}
