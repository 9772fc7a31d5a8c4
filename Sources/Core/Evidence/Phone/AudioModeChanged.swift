/// An app's sound works in another mode than voice chat, or does no more.
///
/// Nothing is noted where it never does.
public struct AudioModeChanged: TraceForm {
    /// Whether the mode is voice chat from now on, or no app's frames sound.
    public var isVoiceChat: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.phone, 24) }

    /// Its text.
    public static let text = TraceFormText(
        "audio.mode",
        .control,
        ["chat"],
        "An app's frames are recorded and played in another mode than voice chat, or no more."
    )

    /// Makes the values of a record.
    @inlinable
    public init(isVoiceChat: Bool) {
        self.isVoiceChat = TraceFlag(isVoiceChat)
    }
}
