/// What a receiver must know about a frame's place in its talk spurt.
@frozen
public struct FrameMarks: OptionSet, Sendable, Hashable, BitwiseCopyable {
    /// The marks as bits.
    public var rawValue: UInt8

    /// Makes the marks from their bits.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The first frame of a talk spurt: the receiver starts its playout anew here.
    ///
    /// The marker bit of RFC 3551 §4.1.
    @inlinable
    public static var talkStart: FrameMarks { FrameMarks(rawValue: 1) }
    /// An old frame, sent in a burst: pre-roll.
    ///
    /// Its transit time says nothing about the network, so statistics leave it out.
    @inlinable
    public static var burst: FrameMarks { FrameMarks(rawValue: 2) }
    /// The last frame of a talk spurt: what follows is silence and no loss.
    @inlinable
    public static var talkEnd: FrameMarks { FrameMarks(rawValue: 4) }
}
