/// What a speech detector says about one frame.
@frozen
public struct SpeechDecision: Sendable, Hashable, BitwiseCopyable {
    /// Whether the frame counts as speech, before any attack or hangover.
    public var isSpeech: Bool
    /// How much the frame is like speech, in thousandths of the score's range; 0 to 1000.
    public var score: Int16
    /// The frame's audio level in −dBov, as RFC 6464 sends it; 0 (loudest) to 127 (silence).
    public var level: UInt8

    /// Makes a decision.
    @inlinable
    public init(isSpeech: Bool, score: Int16, level: UInt8) {
        self.isSpeech = isSpeech
        self.score = score
        self.level = level
    }
}
