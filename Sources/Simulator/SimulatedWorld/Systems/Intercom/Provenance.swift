import Evidence

/// Where a frame came from, noted by the world when the sound was captured and carried with it.
///
/// The app never sees this. What is heard is judged by it, so a client that mislabels its frames
/// cannot mislead the measurement.
struct Provenance: BitwiseCopyable {
    /// The device whose microphone captured the frame.
    var device: ComponentIndex
    /// The frame's number at that microphone.
    var captureIndex: Int64
    /// When its sound began.
    var capturedNanoseconds: Int64
}

/// What the world knows of a datagram on its way, besides its bytes.
struct DatagramLabel: BitwiseCopyable {
    var content: PacketContent
    /// What the payload really is, if it is voice.
    var provenance: Provenance
    /// The bytes on the wire, lower layers' headers included.
    var wireBytes: Int32
    /// Whether the bytes are no longer, or never were, what an app has sent.
    var isSpoilt = false
}
