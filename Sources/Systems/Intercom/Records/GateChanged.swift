import KodamaEvidence
import VoiceActivity

/// A device's talk gate changed its state.
struct GateChanged: TraceForm {
    static let kind = TraceKind(.intercom, 5)
    static let text = TraceFormText(
        "gate.changed",
        .control,
        "A talk gate has another state.",
        .words("state", TalkGate.Phase.self)
    )
    /// The new state.
    var state: TraceWord<TalkGate.Phase>
}
