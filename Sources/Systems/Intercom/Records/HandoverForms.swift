import KodamaEvidence
import PeerTransport

struct HandoverMoved: TraceForm {
    static let kind = TraceKind(.intercom, 21)
    static let text = TraceFormText(
        "handover.moved",
        .control,
        "An app's way to the subject stands elsewhere between radio and Internet.",
        .words("phase", Handover.Phase.self),
        .words("cause", Handover.Cause.self)
    )
    /// Where.
    var phase: TraceWord<Handover.Phase>
    /// Why.
    var cause: TraceWord<Handover.Cause>
}

/// What an app had measured of a path when it judged it otherwise than before; the verdict follows.
struct PathMeasured: TraceForm {
    static let kind = TraceKind(.intercom, 29)
    static let text = TraceFormText(
        "path.measured",
        .control,
        "What an app had measured of a path to the subject when it judged it otherwise than before.",
        .words("path", TransportPath.self),
        "silence_ns",
        "jitter_ns"
    )
    var path: TraceWord<TransportPath>
    /// For how long something had been due that did not come.
    var silenceNanoseconds: Int64
    /// The interarrival jitter (RFC 3550, section 6.4.1).
    var jitterNanoseconds: Int64
}

struct PathJudged: TraceForm {
    static let kind = TraceKind(.intercom, 22)
    static let text = TraceFormText(
        "path.judged",
        .control,
        "An app judged a path to the subject otherwise than before.",
        .words("path", TransportPath.self),
        .words("verdict", LinkVerdict.self),
        "lost_ppm",
        "round_trip_ns"
    )
    var path: TraceWord<TransportPath>
    /// What it thinks of it.
    var verdict: TraceWord<LinkVerdict>
    /// The share lost of the last two seconds' packets.
    var lostPartsPerMillion: Int64
    /// The smoothed round trip; 0 while unknown.
    var roundTripNanoseconds: Int64
}

/// A device's screen shows the subject's card, or no longer does.
struct CardShown: TraceForm {
    static let kind = TraceKind(.intercom, 23)
    static let text = TraceFormText(
        "card.shown",
        .control,
        "The screen shows the subject's card so, or no longer at all.",
        .words("connection", CardConnection.self),
        "talking",
        "owner",
        "muted"
    )
    /// How the card says that the subject is reached.
    var connection: TraceWord<CardConnection>
    /// Whether it says that the subject talks.
    var isTalking: TraceFlag
    /// Whether it says that the subject owns the group.
    var isOwner: TraceFlag
    /// Whether it says that the subject's microphone is off.
    var isMuted: TraceFlag
    init(
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
struct InternetShown: TraceForm {
    static let kind = TraceKind(.intercom, 24)
    static let text = TraceFormText(
        "internet.shown",
        .control,
        "The screen says that the Internet is wanted and cannot be had, or no longer does.",
        "unavailable"
    )
    /// Whether it says so.
    var isUnavailable: TraceFlag
}

/// How a card says that a member is reached.
enum CardConnection: Int64, Sendable, CaseIterable {
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
