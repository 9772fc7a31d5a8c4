public import SansIO

/// What travels before the payload of a voice frame.
public struct FrameHeader: Sendable, Equatable {
    /// Which stream: one sender's voice from one start of its microphone on.
    public var streamID: UInt32
    /// Counts the frames sent, by one each; as in RTP it does not jump in silence (RFC 3550 section
    /// 5.1), so its gaps are losses.
    public var sequence: SerialNumber
    /// The media time in frames of 20 ms, on a clock that runs through silence.
    ///
    /// Times 960 it is RTP's timestamp at 48 kHz (RFC 7587 section 4.1). Wraps after 2.7 years.
    public var captureIndex: SerialNumber
    /// The frame's place in its talk spurt.
    public var marks: FrameMarks
    /// Whether the payload carries a coarse copy of the frame before.
    public var carriesFEC: Bool
    /// How loud the frame is.
    public var level: AudioLevel
    /// Whether the sender's detector hears speech in it.
    public var holdsSpeech: Bool

    /// Makes a header.
    public init(
        streamID: UInt32,
        sequence: SerialNumber,
        captureIndex: SerialNumber,
        marks: FrameMarks = [],
        carriesFEC: Bool = false,
        level: AudioLevel,
        holdsSpeech: Bool
    ) {
        self.streamID = streamID
        self.sequence = sequence
        self.captureIndex = captureIndex
        self.marks = marks
        self.carriesFEC = carriesFEC
        self.level = level
        self.holdsSpeech = holdsSpeech
    }
}
