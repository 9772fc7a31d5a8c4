public import PeerTransport

/// An app's way to the subject stands elsewhere between radio and Internet.
public struct HandoverMoved: TraceForm {
    /// Where.
    public var phase: TraceWord<Handover.Phase>
    /// Why.
    public var cause: TraceWord<Handover.Cause>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 21) }

    /// Its text.
    public static let text = TraceFormText(
        "handover.moved",
        .control,
        [.words("phase", Handover.Phase.self), .words("cause", Handover.Cause.self)],
        "An app's way to the subject stands elsewhere between radio and Internet."
    )

    /// Makes the values of a record.
    @inlinable
    public init(phase: Handover.Phase, cause: Handover.Cause) {
        self.phase = TraceWord(phase)
        self.cause = TraceWord(cause)
    }
}

/// What an app had measured of a path when it judged it otherwise than before; the verdict follows.
public struct PathMeasured: TraceForm {
    /// Which path.
    public var path: TraceWord<TransportPath>
    /// For how long something had been due that did not come.
    public var silenceNanoseconds: Int64
    /// The interarrival jitter (RFC 3550, section 6.4.1).
    public var jitterNanoseconds: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 29) }

    /// Its text.
    public static let text = TraceFormText(
        "path.measured",
        .control,
        [.words("path", TransportPath.self), "silence_ns", "jitter_ns"],
        "What an app had measured of a path to the subject when it judged it otherwise than before."
    )

    /// Makes the values of a record.
    @inlinable
    public init(path: TransportPath, silenceNanoseconds: Int64, jitterNanoseconds: Int64) {
        self.path = TraceWord(path)
        self.silenceNanoseconds = silenceNanoseconds
        self.jitterNanoseconds = jitterNanoseconds
    }
}

/// An app judged a path to the subject otherwise than before.
public struct PathJudged: TraceForm {
    /// Which path.
    public var path: TraceWord<TransportPath>
    /// What it thinks of it.
    public var verdict: TraceWord<LinkVerdict>
    /// The share lost of the last two seconds' packets.
    public var lostPartsPerMillion: Int64
    /// The smoothed round trip; 0 while unknown.
    public var roundTripNanoseconds: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 22) }

    /// Its text.
    public static let text = TraceFormText(
        "path.judged",
        .control,
        [
            .words("path", TransportPath.self), .words("verdict", LinkVerdict.self), "lost_ppm",
            "round_trip_ns",
        ],
        "An app judged a path to the subject otherwise than before."
    )

    /// Makes the values of a record.
    @inlinable
    public init(
        path: TransportPath,
        verdict: LinkVerdict,
        lostPartsPerMillion: Int64,
        roundTripNanoseconds: Int64
    ) {
        self.path = TraceWord(path)
        self.verdict = TraceWord(verdict)
        self.lostPartsPerMillion = lostPartsPerMillion
        self.roundTripNanoseconds = roundTripNanoseconds
    }
}

/// A device's screen shows the subject's card, or no longer does.
public struct CardShown: TraceForm {
    /// How the card says that the subject is reached.
    public var connection: TraceWord<CardConnection>
    /// Whether it says that the subject talks.
    public var isTalking: TraceFlag
    /// Whether it says that the subject owns the group.
    public var isOwner: TraceFlag
    /// Whether it says that the subject's microphone is off.
    public var isMuted: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 23) }

    /// Its text.
    public static let text = TraceFormText(
        "card.shown",
        .control,
        [.words("connection", CardConnection.self), "talking", "owner", "muted"],
        "The screen shows the subject's card so, or no longer at all."
    )

    /// Makes the values of a record.
    @inlinable
    public init(
        connection: CardConnection,
        isTalking: Bool,
        isOwner: Bool,
        isMuted: Bool = false
    ) {
        self.connection = TraceWord(connection)
        self.isTalking = TraceFlag(isTalking)
        self.isOwner = TraceFlag(isOwner)
        self.isMuted = TraceFlag(isMuted)
    }
}

/// A device's screen says that the Internet cannot be had, or no longer does.
public struct InternetShown: TraceForm {
    /// Whether it says so.
    public var isUnavailable: TraceFlag

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 24) }

    /// Its text.
    public static let text = TraceFormText(
        "internet.shown",
        .control,
        ["unavailable"],
        "The screen says that the Internet is wanted and cannot be had, or no longer does."
    )

    /// Makes the values of a record.
    @inlinable
    public init(isUnavailable: Bool) {
        self.isUnavailable = TraceFlag(isUnavailable)
    }
}

/// How a card says that a member is reached.
public enum CardConnection: Int64, Sendable, CaseIterable {
    /// There is no card any more.
    case gone
    /// It is this phone's own.
    case own
    /// Not yet, or no longer.
    case connecting
    /// By radio.
    case local
    /// Over the Internet.
    case internet
    /// By both.
    case both
    /// Not at all, of somebody who belongs to the group.
    case searching

    /// Whether somebody else is reached.
    var isReached: Bool {
        switch self {
        case .local, .internet, .both: true
        case .gone, .own, .connecting, .searching: false
        }
    }
}
