import KodamaEvidence
import KodamaNetwork
import KodamaPhone

/// A device's participant joined at the room server.
struct ParticipantJoined: TraceForm {
    /// The session's number at the server.
    var participant: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 41) }

    /// Its text.
    static let text = TraceFormText(
        "participant.joined",
        .milestone,
        ["participant"],
        "The subject's participant joined as session `participant`."
    )

    /// Makes the values of a record.
    init(participant: Int64) {
        self.participant = participant
    }
}

/// A device's participant resumed at the room server.
struct ParticipantResumed: TraceForm {
    /// The session's number at the server.
    var participant: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 42) }

    /// Its text.
    static let text = TraceFormText(
        "participant.resumed",
        .control,
        ["participant"],
        "The subject's participant resumed session `participant`."
    )

    /// Makes the values of a record.
    init(participant: Int64) {
        self.participant = participant
    }
}

/// A device's participant has media at the room server.
struct ParticipantActive: TraceForm {
    /// The session's number at the server.
    var participant: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 43) }

    /// Its text.
    static let text = TraceFormText(
        "participant.active",
        .control,
        ["participant"],
        "The subject's session `participant` is ACTIVE."
    )

    /// Makes the values of a record.
    init(participant: Int64) {
        self.participant = participant
    }
}

/// A device's participant left the room server.
struct ParticipantLeft: TraceForm {
    /// The session's number at the server.
    var participant: Int64
    /// Why it was closed.
    var reason: TraceWord<DisconnectReason>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 44) }

    /// Its text.
    static let text = TraceFormText(
        "participant.left",
        .milestone,
        ["participant", .words("reason", DisconnectReason.self)],
        "The subject's session `participant` was closed for a DisconnectReason."
    )

    /// Makes the values of a record.
    init(participant: Int64, reason: DisconnectReason) {
        self.participant = participant
        self.reason = TraceWord(reason)
    }
}

/// The room server refused a connection.
struct JoinRefused: TraceForm {
    /// The HTTP status.
    var status: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 45) }

    /// Its text.
    static let text = TraceFormText(
        "join.refused",
        .control,
        ["status"],
        "The room server refused a connection with an HTTP status."
    )

    /// Makes the values of a record.
    init(status: Int64) {
        self.status = status
    }
}
