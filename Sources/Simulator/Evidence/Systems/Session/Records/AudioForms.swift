public import SansIO

/// Voice flows again, without frames being counted.
public struct AudioFlowing: TraceForm {
    /// Whose voice it is.
    public var direction: TraceWord<VoiceDirection>
    /// When its first sample was captured.
    public var captured: Instant
    /// When its first sample leaves the speaker.
    public var heard: Instant

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.session, 22) }

    /// Its text.
    public static let text = TraceFormText(
        "audio.flowing",
        .milestone,
        [.words("direction", VoiceDirection.self), "captured_ns", "heard_ns"],
        "Voice captured from captured_ns on is heard, the first of it at heard_ns."
    )

    /// Makes the values of a record.
    @inlinable
    public init(direction: VoiceDirection, captured: Instant, heard: Instant) {
        self.direction = TraceWord(direction)
        self.captured = captured
        self.heard = heard
    }
}

/// Voice flows no longer, without frames being counted.
public struct AudioStopped: TraceForm {
    /// Whose voice it is.
    public var direction: TraceWord<VoiceDirection>
    /// When the first sample that is not heard was captured.
    public var captured: Instant

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.session, 23) }

    /// Its text.
    public static let text = TraceFormText(
        "audio.stopped",
        .milestone,
        [.words("direction", VoiceDirection.self), "captured_ns"],
        "Voice captured from captured_ns on is not heard."
    )

    /// Makes the values of a record.
    @inlinable
    public init(direction: VoiceDirection, captured: Instant) {
        self.direction = TraceWord(direction)
        self.captured = captured
    }
}

/// A frame of voice was heard.
public struct VoiceHeard: TraceForm {
    /// Whose voice it is.
    public var direction: TraceWord<VoiceDirection>
    /// When its first sample was captured.
    public var captured: Instant
    /// When its first sample is heard.
    public var heard: Instant
    /// Whether it carries speech.
    public var speech: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.session, 24) }

    /// Its text.
    public static let text = TraceFormText(
        "voice.heard",
        .media,
        [.words("direction", VoiceDirection.self), "captured_ns", "heard_ns", "speech"],
        "A frame captured at captured_ns is heard at heard_ns, by the agent or at the phone."
    )

    /// Makes the values of a record.
    @inlinable
    public init(direction: VoiceDirection, captured: Instant, heard: Instant, speech: Bool) {
        self.direction = TraceWord(direction)
        self.captured = captured
        self.heard = heard
        self.speech = TraceFlag(speech)
    }
}
