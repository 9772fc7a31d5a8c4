import KodamaEvidence
import PeerTransport
import SansIO

/// A device's playout target for the subject's voice changed.
struct TargetChanged: TraceForm {
    static let kind = TraceKind(.intercom, 6)
    static let text = TraceFormText(
        "target.changed",
        .control,
        "The playout target for the subject's voice changed.",
        "target_ns"
    )
    /// The new target, in nanoseconds.
    var targetNanoseconds: Int64
}

/// A microphone delivered a frame.
struct FrameCaptured: TraceForm {
    static let kind = TraceKind(.intercom, 7)
    static let text = TraceFormText(
        "frame.captured",
        .media,
        "A microphone delivered a frame whose sound began at start_ns.",
        "index",
        "start_ns",
        "duration_ns"
    )
    /// The capture index.
    var index: Int64
    /// When its sound began.
    var start: Instant
    /// How long it lasts, in nanoseconds.
    var durationNanoseconds: Int64
}

/// A frame of the subject's voice began to sound from a device's speaker.
struct FramePlayed: TraceForm {
    static let kind = TraceKind(.intercom, 11)
    static let text = TraceFormText(
        "frame.played",
        .media,
        "A frame, captured from captured_ns on, is heard from heard_ns on.",
        "index",
        "samples",
        "heard_ns",
        "captured_ns"
    )
    /// The capture index.
    var index: Int64
    /// How many samples sound.
    var samples: Int64
    /// When its first sample leaves the speaker.
    var heard: Instant
    /// When its first sample was captured.
    var captured: Instant
}

/// Made-up sound stood in for a frame of the subject's voice.
struct FrameConcealed: TraceForm {
    static let kind = TraceKind(.intercom, 12)
    static let text = TraceFormText(
        "frame.concealed",
        .media,
        "Sound was extrapolated or repaired from FEC.",
        "index",
        "samples",
        "heard_ns",
        .words("means", ConcealmentMeans.self)
    )
    /// The capture index of the frame it stands for.
    var index: Int64
    /// How many samples sound.
    var samples: Int64
    /// When its first sample leaves the speaker.
    var heard: Instant
    /// How it was made.
    var means: TraceWord<ConcealmentMeans>
}

/// A received frame of the subject's voice was thrown away unheard.
struct FrameDiscarded: TraceForm {
    static let kind = TraceKind(.intercom, 13)
    static let text = TraceFormText(
        "frame.discarded",
        .media,
        "A received frame was late, a duplicate, stale, too many (overflow) or unused (stopped).",
        "index",
        .words("reason", JitterBuffer.DiscardReason.self)
    )
    /// The capture index.
    var index: Int64
    /// Why nobody heard it.
    var reason: TraceWord<JitterBuffer.DiscardReason>
}
