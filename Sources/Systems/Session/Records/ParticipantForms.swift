import KodamaEvidence
import KodamaNetwork
import KodamaPhone

/// A device's participant joined at the room server.
struct ParticipantJoined: TraceForm {
    static let kind = TraceKind(.session, 41)
    static let text = TraceFormText(
        "participant.joined",
        .milestone,
        "The subject's participant joined as session `participant`.",
        "participant"
    )
    /// The session's number at the server.
    var participant: Int64
}

/// A device's participant resumed at the room server.
struct ParticipantResumed: TraceForm {
    static let kind = TraceKind(.session, 42)
    static let text = TraceFormText(
        "participant.resumed",
        .control,
        "The subject's participant resumed session `participant`.",
        "participant"
    )
    /// The session's number at the server.
    var participant: Int64
}

/// A device's participant has media at the room server.
struct ParticipantActive: TraceForm {
    static let kind = TraceKind(.session, 43)
    static let text = TraceFormText(
        "participant.active",
        .control,
        "The subject's session `participant` is ACTIVE.",
        "participant"
    )
    /// The session's number at the server.
    var participant: Int64
}

/// A device's participant left the room server.
struct ParticipantLeft: TraceForm {
    static let kind = TraceKind(.session, 44)
    static let text = TraceFormText(
        "participant.left",
        .milestone,
        "The subject's session `participant` was closed for a DisconnectReason.",
        "participant",
        .words("reason", DisconnectReason.self)
    )
    /// The session's number at the server.
    var participant: Int64
    /// Why it was closed.
    var reason: TraceWord<DisconnectReason>
}

/// The room server refused a connection.
struct JoinRefused: TraceForm {
    static let kind = TraceKind(.session, 45)
    static let text = TraceFormText(
        "join.refused",
        .control,
        "The room server refused a connection with an HTTP status.",
        "status"
    )
    /// The HTTP status.
    var status: Int64
}
