import KodamaEvidence
import SansIO

/// Voice flows again, without frames being counted.
struct AudioFlowing: TraceForm {
    /// Whose voice it is.
    var direction: TraceWord<VoiceDirection>
    /// When its first sample was captured.
    var captured: Instant
    /// When its first sample leaves the speaker.
    var heard: Instant

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 22) }

    /// Its text.
    static let text = TraceFormText(
        "audio.flowing",
        .milestone,
        [.words("direction", VoiceDirection.self), "captured_ns", "heard_ns"],
        "Voice captured from captured_ns on is heard, the first of it at heard_ns."
    )

    /// Makes the values of a record.
    init(direction: VoiceDirection, captured: Instant, heard: Instant) {
        self.direction = TraceWord(direction)
        self.captured = captured
        self.heard = heard
    }
}

/// Voice flows no longer, without frames being counted.
struct AudioStopped: TraceForm {
    /// Whose voice it is.
    var direction: TraceWord<VoiceDirection>
    /// When the first sample that is not heard was captured.
    var captured: Instant

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 23) }

    /// Its text.
    static let text = TraceFormText(
        "audio.stopped",
        .milestone,
        [.words("direction", VoiceDirection.self), "captured_ns"],
        "Voice captured from captured_ns on is not heard."
    )

    /// Makes the values of a record.
    init(direction: VoiceDirection, captured: Instant) {
        self.direction = TraceWord(direction)
        self.captured = captured
    }
}

/// A frame of voice was heard.
struct VoiceHeard: TraceForm {
    /// Whose voice it is.
    var direction: TraceWord<VoiceDirection>
    /// When its first sample was captured.
    var captured: Instant
    /// When its first sample is heard.
    var heard: Instant
    /// Whether it carries speech.
    var speech: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 24) }

    /// Its text.
    static let text = TraceFormText(
        "voice.heard",
        .media,
        [.words("direction", VoiceDirection.self), "captured_ns", "heard_ns", "speech"],
        "A frame captured at captured_ns is heard at heard_ns, by the agent or at the phone."
    )

    /// Makes the values of a record.
    init(direction: VoiceDirection, captured: Instant, heard: Instant, speech: Bool) {
        self.direction = TraceWord(direction)
        self.captured = captured
        self.heard = heard
        self.speech = TraceFlag(speech)
    }
}
