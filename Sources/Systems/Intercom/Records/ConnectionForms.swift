import GroupSecurity
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import PeerTransport

struct PeerRadioSwitched: TraceForm {
    static let kind = TraceKind(.intercom, 14)
    static let text = TraceFormText(
        "peer_radio.switched",
        .milestone,
        "A phone's radio for phones nearby was switched on or off.",
        "on"
    )
    /// Whether it is on from now on.
    var isOn: TraceFlag
}

/// A framework connected an app with the subject's.
struct ConnectionUp: TraceForm {
    static let kind = TraceKind(.intercom, 15)
    static let text = TraceFormText(
        "connection.up",
        .milestone,
        "A framework connected an app with the subject's; who it is remains to be proven.",
        .words("path", TransportPath.self)
    )
    var path: TraceWord<TransportPath>
}

/// An app's connection to the subject ended, or is known at last to have.
struct ConnectionDown: TraceForm {
    static let kind = TraceKind(.intercom, 16)
    static let text = TraceFormText(
        "connection.down",
        .milestone,
        "A connection to the subject was closed, or its loss was noticed, soon or late.",
        .words("path", TransportPath.self)
    )
    var path: TraceWord<TransportPath>
}

/// An app cut a connection to the subject, which sent too much that was refused.
struct ConnectionCut: TraceForm {
    static let kind = TraceKind(.intercom, 17)
    static let text = TraceFormText(
        "connection.cut",
        .milestone,
        "An app cut a connection to the subject, from which too much was refused.",
        .words("refusal", PacketRefusal.self)
    )
    /// What was refused last.
    var refusal: TraceWord<PacketRefusal>
}

struct MemberJoined: TraceForm {
    static let kind = TraceKind(.intercom, 18)
    static let text = TraceFormText(
        "member.joined",
        .milestone,
        "An app let the subject in: it is proven, and of the group."
    )
}

/// A device's app was not let into its group, and has left it.
struct MemberRefused: TraceForm {
    static let kind = TraceKind(.intercom, 19)
    static let text = TraceFormText(
        "member.refused",
        .milestone,
        "The app was not let in: as many are in the group as may be.",
        "capacity"
    )
    /// How many may be in.
    var capacity: Int64
}

struct MatchRefused: TraceForm {
    static let kind = TraceKind(.intercom, 20)
    static let text = TraceFormText(
        "match.refused",
        .control,
        "The match service threw the subject's data away.",
        .words("reason", MatchRefusal.self),
        "bytes"
    )
    /// Why.
    var reason: TraceWord<MatchRefusal>
    /// Its size without headers.
    var bytes: Int64
}
