/// What a voice frame says about its place in a talk spurt.
@frozen
public struct FrameMarks: OptionSet, Sendable, Hashable, BitwiseCopyable {
    /// The marks as bits, as they stand in `FrameHeader`.
    public let rawValue: UInt8

    /// The first frame of a talk spurt, like the marker bit of RTP (RFC 3551 section 4.1).
    public static let talkStart = FrameMarks(rawValue: 1 << 0)
    /// A frame of the pre-roll: older than its sending, so its delay says nothing about the path.
    public static let burst = FrameMarks(rawValue: 1 << 1)
    /// The last frame of a talk spurt.
    public static let talkEnd = FrameMarks(rawValue: 1 << 2)

    /// Makes marks from bits.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
