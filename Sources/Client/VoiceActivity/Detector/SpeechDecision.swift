public import SansIO

/// What a speech detector says about one frame.
@frozen
public struct SpeechDecision: Sendable, Hashable, BitwiseCopyable {
    /// Whether the frame counts as speech, before any attack or hangover.
    public var isSpeech: Bool
    /// How much the frame is like speech, in thousandths of the score's range; 0 to 1000.
    public var score: Int16
    /// What the score was held against: a frame counts as speech from here on.
    public var threshold: Int16
    /// How loud the frame is.
    public var level: AudioLevel

    /// Makes a decision.
    @inlinable
    public init(isSpeech: Bool, score: Int16, threshold: Int16, level: AudioLevel) {
        self.isSpeech = isSpeech
        self.score = score
        self.threshold = threshold
        self.level = level
    }
}
