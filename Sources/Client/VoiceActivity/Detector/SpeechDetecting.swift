/// Tells speech from everything else, one frame after the other.
///
/// A detector is a value: it hears only what it is given, so equal detectors fed alike decide alike,
/// and a copy is a checkpoint.
public protocol SpeechDetecting: Sendable, Equatable {
    /// Decides one frame of captured sound.
    ///
    /// - Parameter pcm: The samples of exactly one frame, mono, right after those of the previous
    ///   call.
    /// - Returns: What the detector says about the frame.
    mutating func decide(_ pcm: UnsafeBufferPointer<Int16>) -> SpeechDecision
}
