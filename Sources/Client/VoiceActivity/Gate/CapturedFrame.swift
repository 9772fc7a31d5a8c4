public import SansIO

/// One 20 ms frame from the microphone and what the detector said about it.
@frozen
public struct CapturedFrame: Sendable, Hashable, BitwiseCopyable {
    /// How many frames the microphone had delivered, or should have, before this one.
    ///
    /// Counts 20 ms periods since the microphone started; a period whose frame was missed leaves a
    /// gap in the indices.
    public var captureIndex: Int64
    /// The frame's samples in the driver's pool.
    public var frame: FrameHandle
    /// The detector's decision on this frame.
    public var decision: SpeechDecision

    /// Describes a captured frame.
    @inlinable
    public init(captureIndex: Int64, frame: FrameHandle, decision: SpeechDecision) {
        self.captureIndex = captureIndex
        self.frame = frame
        self.decision = decision
    }
}
