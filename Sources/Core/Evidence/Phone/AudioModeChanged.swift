/// An app's sound works in another mode than voice chat, or does no more.
///
/// Nothing is noted where it never does.
public struct AudioModeChanged: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 24) }
    /// What it is called.
    public static let text = TraceFormText(
        "audio.mode",
        .control,
        "An app's frames are recorded and played in another mode than voice chat, or no more.",
        "chat"
    )
    /// Whether the mode is voice chat from now on, or no app's frames sound.
    public var isVoiceChat: TraceFlag

    /// Makes the values of a record.
    @inlinable
    public init(isVoiceChat: Bool) {
        self.isVoiceChat = TraceFlag(isVoiceChat)
    }
}
