package import KodamaEvidence

/// The origin of a frame, noted by the world when the sound was captured and carried with it.
///
/// The app never sees this. Metrics of what is heard use it, so a client that mislabels its frames
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

/// The world's own data on a datagram under way, besides its bytes.
package struct DatagramLabel: BitwiseCopyable {
    package var content: PacketContent
    /// The payload's true origin, if it is voice.
    package var provenance: Provenance
    /// The bytes on the wire, lower layers' headers included.
    package var wireBytes: Int32
    /// Whether the bytes were corrupted, or never sent by an app.
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
