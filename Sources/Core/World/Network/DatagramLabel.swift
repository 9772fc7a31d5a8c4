package import KodamaEvidence

/// Where a frame came from, noted by the world when the sound was captured and carried with it.
///
/// The app never sees this. What is heard is judged by it, so a client that mislabels its frames
/// cannot mislead the measurement.
package struct Provenance: BitwiseCopyable {
    /// The device whose microphone captured the frame.
    package var device: ComponentIndex
    /// The frame's number at that microphone.
    package var captureIndex: Int64
    /// When its sound began.
    package var capturedNanoseconds: Int64

    package init(device: ComponentIndex, captureIndex: Int64, capturedNanoseconds: Int64) {
        self.device = device
        self.captureIndex = captureIndex
        self.capturedNanoseconds = capturedNanoseconds
    }
}

/// What the world knows of a datagram on its way, besides its bytes.
package struct DatagramLabel: BitwiseCopyable {
    package var content: PacketContent
    /// What the payload really is, if it is voice.
    package var provenance: Provenance
    /// The bytes on the wire, lower layers' headers included.
    package var wireBytes: Int32
    /// Whether the bytes are no longer, or never were, what an app has sent.
    package var isSpoilt = false

    package init(
        content: PacketContent,
        provenance: Provenance,
        wireBytes: Int32,
        isSpoilt: Bool = false
    ) {
        self.content = content
        self.provenance = provenance
        self.wireBytes = wireBytes
        self.isSpoilt = isSpoilt
    }
}
