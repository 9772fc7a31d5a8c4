/// The user of an intercom app turned its microphone off or on, or its process ended.
public struct MicrophoneMuted: TraceForm {
    /// Whether it is off from now on.
    public var isMuted: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 32) }

    /// Its text.
    public static let text = TraceFormText(
        "microphone.muted",
        .milestone,
        ["muted"],
        "A user turned the microphone off or on, or the process ended for which it was off."
    )

    /// Makes the values of a record.
    @inlinable
    public init(isMuted: Bool) {
        self.isMuted = TraceFlag(isMuted)
    }
}
