import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

/// An agent joined a device's room.
struct AgentJoined: TraceForm {
    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 46) }

    /// Its text.
    static let text = TraceFormText(
        "agent.joined",
        .milestone,
        [],
        "An agent joined the subject's room."
    )

    /// Makes the values of a record.
    init() {}
}

/// An agent closed its session.
struct AgentClosed: TraceForm {
    /// Why it closed it.
    var reason: TraceWord<DisconnectReason>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 47) }

    /// Its text.
    static let text = TraceFormText(
        "agent.closed",
        .milestone,
        [.words("reason", DisconnectReason.self)],
        "The agent of the subject's room closed its session for a DisconnectReason."
    )

    /// Makes the values of a record.
    init(reason: DisconnectReason) {
        self.reason = TraceWord(reason)
    }
}

/// An agent begins to answer.
struct AnswerBegan: TraceForm {
    /// The answer's number, from 1.
    var turn: Int64

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 48) }

    /// Its text.
    static let text = TraceFormText(
        "answer.began",
        .milestone,
        ["turn"],
        "The agent of the subject's room begins answer `turn`."
    )

    /// Makes the values of a record.
    init(turn: Int64) {
        self.turn = turn
    }
}

/// An agent ends an answer.
struct AnswerEnded: TraceForm {
    /// The answer's number, from 1.
    var turn: Int64
    /// Whether the user interrupted it.
    var interrupted: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 49) }

    /// Its text.
    static let text = TraceFormText(
        "answer.ended",
        .control,
        ["turn", "interrupted"],
        "The agent of the subject's room ended answer `turn`, interrupted (1) or not (0)."
    )

    /// Makes the values of a record.
    init(turn: Int64, interrupted: Bool) {
        self.turn = turn
        self.interrupted = TraceFlag(interrupted)
    }
}

/// The first sample of an answer leaves a device's speaker.
struct AnswerHeard: TraceForm {
    /// The answer's number, from 1.
    var turn: Int64
    /// When its first sample leaves the speaker.
    var heard: Instant

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 50) }

    /// Its text.
    static let text = TraceFormText(
        "answer.heard",
        .milestone,
        ["turn", "heard_ns"],
        "The first sample of answer `turn` is heard at heard_ns."
    )

    /// Makes the values of a record.
    init(turn: Int64, heard: Instant) {
        self.turn = turn
        self.heard = heard
    }
}
