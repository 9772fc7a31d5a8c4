public import OpusAudio
public import PeerTransport
public import VoiceActivity

/// Everything that can be tuned in the intercom app without recompiling it.
public struct IntercomConfiguration: Sendable, Equatable {
    /// The speech detector's operating point.
    public var detector = SpeechDetectorConfiguration()
    /// The talk gate's times.
    public var gate = TalkGate.Configuration()
    /// The keepalive periods.
    public var keepalive = KeepaliveSchedule.Configuration()
    /// The codec's settings.
    public var codec = OpusEncoderConfiguration()
    /// The playout delay's range and manners.
    public var jitterBuffer = JitterBuffer.Configuration()
    /// The number of a stream's first voice frame; 0 to 2^32 − 1, after which numbers wrap.
    ///
    /// RFC 3550 (section 5.1) begins anywhere, against guesses at the clear text; ours is sealed under
    /// numbers of its own, and may begin at 0.
    public var firstSequence = 0
    /// Whether talk spurts are faded in over 5 ms and out over 10.
    ///
    /// The driver of the sound obeys it, and the next; no machine here does.
    public var fadesSpurts = true
    /// Whether pauses hold the noise of the talker's room instead of silence (after RFC 3389).
    public var playsComfortNoise = true

    /// Makes the default configuration.
    public init() {}
}
