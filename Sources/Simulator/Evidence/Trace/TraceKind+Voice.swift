extension TraceKind {
    /// A device's app joined its group.
    @inlinable
    public static var groupJoined: TraceKind { TraceKind(place: 0) }
    /// A device's app left its group.
    @inlinable
    public static var groupLeft: TraceKind { TraceKind(place: 1) }
    /// A person began a talk spurt; the subject is the device that hears it.
    @inlinable
    public static var speechBegan: TraceKind { TraceKind(place: 2) }
    /// A person ended a talk spurt; the subject is the device that hears it.
    @inlinable
    public static var speechEnded: TraceKind { TraceKind(place: 3) }
    /// A link was stopped, slowed, jammed, changed or restored.
    @inlinable
    public static var linkChanged: TraceKind { TraceKind(place: 4) }
    /// A device's talk gate changed its state.
    @inlinable
    public static var gateChanged: TraceKind { TraceKind(place: 5) }
    /// A device's playout target for the subject's voice changed.
    @inlinable
    public static var targetChanged: TraceKind { TraceKind(place: 6) }
    /// A microphone delivered a frame.
    @inlinable
    public static var frameCaptured: TraceKind { TraceKind(place: 7) }
    /// A device handed a datagram for the subject to the network.
    @inlinable
    public static var packetSent: TraceKind { TraceKind(place: 8) }
    /// A datagram from the subject reached a device.
    @inlinable
    public static var packetArrived: TraceKind { TraceKind(place: 9) }
    /// A datagram from a device for the subject was dropped on the way.
    @inlinable
    public static var packetDropped: TraceKind { TraceKind(place: 10) }
    /// A frame of the subject's voice began to sound from a device's speaker.
    @inlinable
    public static var framePlayed: TraceKind { TraceKind(place: 11) }
    /// Made-up sound stood in for a frame of the subject's voice.
    @inlinable
    public static var frameConcealed: TraceKind { TraceKind(place: 12) }
    /// A received frame of the subject's voice was thrown away unheard.
    @inlinable
    public static var frameDiscarded: TraceKind { TraceKind(place: 13) }
    /// The run reached its end.
    @inlinable
    public static var runEnded: TraceKind { TraceKind(place: 14) }

    /// The kinds of voice, in the order of their places.
    static let voiceDescriptions: [TraceKindDescription] = [
        .init(
            name: "group.joined",
            level: .milestone,
            fields: ["group"],
            summary:
                "A device's app joined group number `group`; devices of one number hear each other."
        ),
        .init(
            name: "group.left",
            level: .milestone,
            fields: ["group"],
            summary: "A device's app left its group."
        ),
        .init(
            name: "speech.began",
            level: .milestone,
            fields: ["spurt"],
            summary: "A person began a talk spurt; the subject is the device that hears it."
        ),
        .init(
            name: "speech.ended",
            level: .milestone,
            fields: ["spurt"],
            summary: "A person ended a talk spurt; the subject is the device that hears it."
        ),
        .init(
            name: "link.changed",
            level: .milestone,
            fields: [.init("disruption", .linkChange), "parameter"],
            summary: "A link was stopped, slowed, jammed, changed or restored."
        ),
        .init(
            name: "gate.changed",
            level: .control,
            fields: [.init("state", .gateState)],
            summary: "A talk gate has another state."
        ),
        .init(
            name: "target.changed",
            level: .control,
            fields: ["target_ns"],
            summary: "The playout target for the subject's voice changed."
        ),
        .init(
            name: "frame.captured",
            level: .media,
            fields: ["index", "start_ns", "duration_ns"],
            summary: "A microphone delivered a frame whose sound began at start_ns."
        ),
        .init(
            name: "packet.sent",
            level: .media,
            fields: [
                "index", "bytes", .init("content", .packetContent), .init("path", .path),
            ],
            summary: "A device handed a datagram for the subject to the network."
        ),
        .init(
            name: "packet.arrived",
            level: .media,
            fields: [
                "index", "bytes", .init("content", .packetContent), .init("path", .path),
            ],
            summary: "A datagram from the subject reached a device."
        ),
        .init(
            name: "packet.dropped",
            level: .media,
            fields: [
                "index", "bytes", .init("content", .packetContent), .init("reason", .dropReason),
            ],
            summary: "A datagram from a device for the subject was dropped on the way."
        ),
        .init(
            name: "frame.played",
            level: .media,
            fields: ["index", "samples", "heard_ns", "captured_ns"],
            summary: "A frame, captured from captured_ns on, is heard from heard_ns on."
        ),
        .init(
            name: "frame.concealed",
            level: .media,
            fields: ["index", "samples", "heard_ns", .init("means", .concealmentMeans)],
            summary: "Sound was extrapolated, repaired from FEC or stretched."
        ),
        .init(
            name: "frame.discarded",
            level: .media,
            fields: ["index", .init("reason", .discardReason)],
            summary:
                "A received frame was late, a duplicate, stale, too many (overflow) or unused (stopped)."
        ),
        .init(
            name: "run.ended",
            level: .milestone,
            fields: [],
            summary: "The run reached its end."
        ),
    ]
}

/// What a datagram carries, as `packet.sent` and its kin say it.
public enum PacketContent: Int64, Sendable, BitwiseCopyable {
    /// One voice frame; `index` is its capture index.
    case voice
    /// A keepalive; `index` is 0.
    case keepalive
    /// The end of a talk spurt; `index` is the last frame's.
    case endMark
    /// Anything else; `index` is 0.
    case control
}

/// Why `packet.dropped` says a datagram was dropped.
public enum DropReason: Int64, Sendable {
    /// The loss model took it.
    case loss
    /// The queue had no room.
    case queueFull
    /// The queue's discipline dropped it to keep the delay down.
    case queueManaged
    /// An end's interface was down or the link was stopped.
    case down
    /// It was larger than the path carries.
    case tooLarge
}

/// How `frame.concealed` says a frame was made up.
public enum ConcealmentMeans: Int64, Sendable {
    /// Extrapolated from what came before.
    case extrapolated
    /// Decoded from the copy in the next packet.
    case repaired
    /// Filled by stretching the frame before.
    case stretched
}
