import GroupSecurity
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import PeerTransport

/// A phone's radio for phones nearby was switched on or off.
struct PeerRadioSwitched: TraceForm {
    /// Whether it is on from now on.
    var isOn: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 14) }

    /// Its text.
    static let text = TraceFormText(
        "peer_radio.switched",
        .milestone,
        ["on"],
        "A phone's radio for phones nearby was switched on or off."
    )

    /// Makes the values of a record.
    init(isOn: Bool) {
        self.isOn = TraceFlag(isOn)
    }
}

/// A framework connected an app with the subject's.
struct ConnectionUp: TraceForm {
    /// By which path.
    var path: TraceWord<TransportPath>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 15) }

    /// Its text.
    static let text = TraceFormText(
        "connection.up",
        .milestone,
        [.words("path", TransportPath.self)],
        "A framework connected an app with the subject's; who it is remains to be proven."
    )

    /// Makes the values of a record.
    init(path: TransportPath) {
        self.path = TraceWord(path)
    }
}

/// An app's connection to the subject ended, or is known at last to have.
struct ConnectionDown: TraceForm {
    /// Which path.
    var path: TraceWord<TransportPath>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 16) }

    /// Its text.
    static let text = TraceFormText(
        "connection.down",
        .milestone,
        [.words("path", TransportPath.self)],
        "A connection to the subject was closed, or its loss was noticed, soon or late."
    )

    /// Makes the values of a record.
    init(path: TransportPath) {
        self.path = TraceWord(path)
    }
}

/// An app cut a connection to the subject, which sent too much that was refused.
struct ConnectionCut: TraceForm {
    /// What was refused last.
    var refusal: TraceWord<PacketRefusal>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 17) }

    /// Its text.
    static let text = TraceFormText(
        "connection.cut",
        .milestone,
        [.words("refusal", PacketRefusal.self)],
        "An app cut a connection to the subject, from which too much was refused."
    )

    /// Makes the values of a record.
    init(refusal: PacketRefusal) {
        self.refusal = TraceWord(refusal)
    }
}

/// An app let the subject in: it is proven, and of the group.
struct MemberJoined: TraceForm {
    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 18) }

    /// Its text.
    static let text = TraceFormText(
        "member.joined",
        .milestone,
        [],
        "An app let the subject in: it is proven, and of the group."
    )

    /// Makes the values of a record.
    init() {}
}

/// A device's app was not let into its group, and has left it.
struct MemberRefused: TraceForm {
    /// How many may be in.
    var capacity: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 19) }

    /// Its text.
    static let text = TraceFormText(
        "member.refused",
        .milestone,
        ["capacity"],
        "The app was not let in: as many are in the group as may be."
    )

    /// Makes the values of a record.
    init(capacity: Int64) {
        self.capacity = capacity
    }
}

/// The match service threw the subject's data away.
struct MatchRefused: TraceForm {
    /// Why.
    var reason: TraceWord<MatchRefusal>
    /// Its size without headers.
    var bytes: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 20) }

    /// Its text.
    static let text = TraceFormText(
        "match.refused",
        .control,
        [.words("reason", MatchRefusal.self), "bytes"],
        "The match service threw the subject's data away."
    )

    /// Makes the values of a record.
    init(reason: MatchRefusal, bytes: Int64) {
        self.reason = TraceWord(reason)
        self.bytes = bytes
    }
}
