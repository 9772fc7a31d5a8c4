import KodamaEvidence
import PeerTransport
import SansIO

/// A device's playout target for the subject's voice changed.
struct TargetChanged: TraceForm {
    /// The new target, in nanoseconds.
    var targetNanoseconds: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 6) }

    /// Its text.
    static let text = TraceFormText(
        "target.changed",
        .control,
        ["target_ns"],
        "The playout target for the subject's voice changed."
    )

    /// Makes the values of a record.
    init(targetNanoseconds: Int64) {
        self.targetNanoseconds = targetNanoseconds
    }
}

/// A microphone delivered a frame.
struct FrameCaptured: TraceForm {
    /// The capture index.
    var index: Int64
    /// When its sound began.
    var start: Instant
    /// How long it lasts, in nanoseconds.
    var durationNanoseconds: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 7) }

    /// Its text.
    static let text = TraceFormText(
        "frame.captured",
        .media,
        ["index", "start_ns", "duration_ns"],
        "A microphone delivered a frame whose sound began at start_ns."
    )

    /// Makes the values of a record.
    init(index: Int64, start: Instant, durationNanoseconds: Int64) {
        self.index = index
        self.start = start
        self.durationNanoseconds = durationNanoseconds
    }
}

/// A frame of the subject's voice began to sound from a device's speaker.
struct FramePlayed: TraceForm {
    /// The capture index.
    var index: Int64
    /// How many samples sound.
    var samples: Int64
    /// When its first sample leaves the speaker.
    var heard: Instant
    /// When its first sample was captured.
    var captured: Instant

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 11) }

    /// Its text.
    static let text = TraceFormText(
        "frame.played",
        .media,
        ["index", "samples", "heard_ns", "captured_ns"],
        "A frame, captured from captured_ns on, is heard from heard_ns on."
    )

    /// Makes the values of a record.
    init(index: Int64, samples: Int64, heard: Instant, captured: Instant) {
        self.index = index
        self.samples = samples
        self.heard = heard
        self.captured = captured
    }
}

/// Made-up sound stood in for a frame of the subject's voice.
struct FrameConcealed: TraceForm {
    /// The capture index of the frame it stands for.
    var index: Int64
    /// How many samples sound.
    var samples: Int64
    /// When its first sample leaves the speaker.
    var heard: Instant
    /// How it was made.
    var means: TraceWord<ConcealmentMeans>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 12) }

    /// Its text.
    static let text = TraceFormText(
        "frame.concealed",
        .media,
        ["index", "samples", "heard_ns", .words("means", ConcealmentMeans.self)],
        "Sound was extrapolated or repaired from FEC."
    )

    /// Makes the values of a record.
    init(index: Int64, samples: Int64, heard: Instant, means: ConcealmentMeans) {
        self.index = index
        self.samples = samples
        self.heard = heard
        self.means = TraceWord(means)
    }
}

/// A received frame of the subject's voice was thrown away unheard.
struct FrameDiscarded: TraceForm {
    /// The capture index.
    var index: Int64
    /// Why nobody heard it.
    var reason: TraceWord<JitterBuffer.DiscardReason>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 13) }

    /// Its text.
    static let text = TraceFormText(
        "frame.discarded",
        .media,
        ["index", .words("reason", JitterBuffer.DiscardReason.self)],
        "A received frame was late, a duplicate, stale, too many (overflow) or unused (stopped)."
    )

    /// Makes the values of a record.
    init(index: Int64, reason: JitterBuffer.DiscardReason) {
        self.index = index
        self.reason = TraceWord(reason)
    }
}
