import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import SansIO

/// An agent joined a device's room.
struct AgentJoined: TraceForm {
    static let kind = TraceKind(.session, 46)
    static let text = TraceFormText(
        "agent.joined",
        .milestone,
        "An agent joined the subject's room."
    )
}

/// An agent closed its session.
struct AgentClosed: TraceForm {
    static let kind = TraceKind(.session, 47)
    static let text = TraceFormText(
        "agent.closed",
        .milestone,
        "The agent of the subject's room closed its session for a DisconnectReason.",
        .words("reason", DisconnectReason.self)
    )
    /// Why it closed it.
    var reason: TraceWord<DisconnectReason>
}

/// An agent begins to answer.
struct AnswerBegan: TraceForm {
    static let kind = TraceKind(.session, 48)
    static let text = TraceFormText(
        "answer.began",
        .milestone,
        "The agent of the subject's room begins answer `turn`.",
        "turn"
    )
    /// The answer's number, from 1.
    var turn: Int64
}

/// An agent ends an answer.
struct AnswerEnded: TraceForm {
    static let kind = TraceKind(.session, 49)
    static let text = TraceFormText(
        "answer.ended",
        .control,
        "The agent of the subject's room ended answer `turn`, interrupted (1) or not (0).",
        "turn",
        "interrupted"
    )
    /// The answer's number, from 1.
    var turn: Int64
    /// Whether the user interrupted it.
    var interrupted: TraceFlag
}

/// The first sample of an answer leaves a device's speaker.
struct AnswerHeard: TraceForm {
    static let kind = TraceKind(.session, 50)
    static let text = TraceFormText(
        "answer.heard",
        .milestone,
        "The first sample of answer `turn` is heard at heard_ns.",
        "turn",
        "heard_ns"
    )
    /// The answer's number, from 1.
    var turn: Int64
    /// When its first sample leaves the speaker.
    var heard: Instant
}
