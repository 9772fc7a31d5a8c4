import KodamaEvidence

/// The user of an intercom app turned its microphone off or on, or its process ended.
struct MicrophoneMuted: TraceForm {
    static let kind = TraceKind(.intercom, 32)
    static let text = TraceFormText(
        "microphone.muted",
        .milestone,
        "A user turned the microphone off or on, or the process ended for which it was off.",
        "muted"
    )
    /// Whether it is off from now on.
    var isMuted: TraceFlag
}
