public import PeerTransport
public import SansIO

/// A device's playout target for the subject's voice changed.
public struct TargetChanged: TraceForm {
    /// The new target, in nanoseconds.
    public var targetNanoseconds: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 6) }

    /// Its text.
    public static let text = TraceFormText(
        "target.changed",
        .control,
        ["target_ns"],
        "The playout target for the subject's voice changed."
    )

    /// Makes the values of a record.
    @inlinable
    public init(targetNanoseconds: Int64) {
        self.targetNanoseconds = targetNanoseconds
    }
}

/// A microphone delivered a frame.
public struct FrameCaptured: TraceForm {
    /// The capture index.
    public var index: Int64
    /// When its sound began.
    public var start: Instant
    /// How long it lasts, in nanoseconds.
    public var durationNanoseconds: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 7) }

    /// Its text.
    public static let text = TraceFormText(
        "frame.captured",
        .media,
        ["index", "start_ns", "duration_ns"],
        "A microphone delivered a frame whose sound began at start_ns."
    )

    /// Makes the values of a record.
    @inlinable
    public init(index: Int64, start: Instant, durationNanoseconds: Int64) {
        self.index = index
        self.start = start
        self.durationNanoseconds = durationNanoseconds
    }
}

/// A frame of the subject's voice began to sound from a device's speaker.
public struct FramePlayed: TraceForm {
    /// The capture index.
    public var index: Int64
    /// How many samples sound.
    public var samples: Int64
    /// When its first sample leaves the speaker.
    public var heard: Instant
    /// When its first sample was captured.
    public var captured: Instant

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 11) }

    /// Its text.
    public static let text = TraceFormText(
        "frame.played",
        .media,
        ["index", "samples", "heard_ns", "captured_ns"],
        "A frame, captured from captured_ns on, is heard from heard_ns on."
    )

    /// Makes the values of a record.
    @inlinable
    public init(index: Int64, samples: Int64, heard: Instant, captured: Instant) {
        self.index = index
        self.samples = samples
        self.heard = heard
        self.captured = captured
    }
}

/// Made-up sound stood in for a frame of the subject's voice.
public struct FrameConcealed: TraceForm {
    /// The capture index of the frame it stands for.
    public var index: Int64
    /// How many samples sound.
    public var samples: Int64
    /// When its first sample leaves the speaker.
    public var heard: Instant
    /// How it was made.
    public var means: TraceWord<ConcealmentMeans>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 12) }

    /// Its text.
    public static let text = TraceFormText(
        "frame.concealed",
        .media,
        ["index", "samples", "heard_ns", .words("means", ConcealmentMeans.self)],
        "Sound was extrapolated or repaired from FEC."
    )

    /// Makes the values of a record.
    @inlinable
    public init(index: Int64, samples: Int64, heard: Instant, means: ConcealmentMeans) {
        self.index = index
        self.samples = samples
        self.heard = heard
        self.means = TraceWord(means)
    }
}

/// A received frame of the subject's voice was thrown away unheard.
public struct FrameDiscarded: TraceForm {
    /// The capture index.
    public var index: Int64
    /// Why nobody heard it.
    public var reason: TraceWord<JitterBuffer.DiscardReason>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 13) }

    /// Its text.
    public static let text = TraceFormText(
        "frame.discarded",
        .media,
        ["index", .words("reason", JitterBuffer.DiscardReason.self)],
        "A received frame was late, a duplicate, stale, too many (overflow) or unused (stopped)."
    )

    /// Makes the values of a record.
    @inlinable
    public init(index: Int64, reason: JitterBuffer.DiscardReason) {
        self.index = index
        self.reason = TraceWord(reason)
    }
}
