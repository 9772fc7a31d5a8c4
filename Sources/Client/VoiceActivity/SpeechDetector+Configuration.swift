/// The operating point of the speech detector.
public struct SpeechDetectorConfiguration: Sendable, Equatable {
    /// The score from which a frame counts as speech, in thousandths of the score's range;
    /// 0 (everything is speech) to 1000.
    ///
    /// Lower hears more and sends more silence.
    public var threshold: Int = 500

    /// Makes the default configuration.
    public init() {}
}
