package import KodamaEvidence
package import SansIO

/// Voice flows again, without frames being counted.
struct AudioFlowing: TraceForm {
    static let kind = TraceKind(.session, 22)
    static let text = TraceFormText(
        "audio.flowing",
        .milestone,
        "Voice captured from captured_ns on is heard, the first of it at heard_ns.",
        .words("direction", VoiceDirection.self),
        "captured_ns",
        "heard_ns"
    )
    /// Whose voice it is.
    var direction: TraceWord<VoiceDirection>
    /// When its first sample was captured.
    var captured: Instant
    /// When its first sample leaves the speaker.
    var heard: Instant
}

/// Voice flows no longer, without frames being counted.
struct AudioStopped: TraceForm {
    static let kind = TraceKind(.session, 23)
    static let text = TraceFormText(
        "audio.stopped",
        .milestone,
        "Voice captured from captured_ns on is not heard.",
        .words("direction", VoiceDirection.self),
        "captured_ns"
    )
    /// Whose voice it is.
    var direction: TraceWord<VoiceDirection>
    /// When the first sample that is not heard was captured.
    var captured: Instant
}

/// A frame of voice was heard.
package struct VoiceHeard: TraceForm {
    package static let kind = TraceKind(.session, 24)
    package static let text = TraceFormText(
        "voice.heard",
        .media,
        "A frame captured at captured_ns is heard at heard_ns, by the agent or at the phone.",
        .words("direction", VoiceDirection.self),
        "captured_ns",
        "heard_ns",
        "speech"
    )
    /// Whose voice it is.
    package var direction: TraceWord<VoiceDirection>
    /// When its first sample was captured.
    package var captured: Instant
    /// When its first sample is heard.
    package var heard: Instant
    /// Whether it carries speech.
    package var speech: TraceFlag
}
