/// The system activated the audio session for calls, or took it back.
public struct CallAudioChanged: TraceForm {
    /// Whether it is active.
    public var isActive: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.phone, 25) }

    /// Its text.
    public static let text = TraceFormText(
        "call.audio",
        .control,
        ["active"],
        "The system activated the audio session for calls, or took it back."
    )

    /// Makes the values of a record.
    @inlinable
    public init(isActive: Bool) {
        self.isActive = TraceFlag(isActive)
    }
}
