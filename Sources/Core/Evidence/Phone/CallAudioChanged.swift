/// The system activated the audio session for calls, or took it back.
public struct CallAudioChanged: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 25) }
    /// What it is called.
    public static let text = TraceFormText(
        "call.audio",
        .control,
        "The system activated the audio session for calls, or took it back.",
        "active"
    )
    /// Whether it is active.
    public var isActive: TraceFlag

    /// Makes the values of a record.
    @inlinable
    public init(isActive: Bool) {
        self.isActive = TraceFlag(isActive)
    }
}
