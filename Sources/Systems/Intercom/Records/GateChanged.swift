import KodamaEvidence
import VoiceActivity

/// A device's talk gate changed its state.
struct GateChanged: TraceForm {
    /// The new state.
    var state: TraceWord<TalkGate.Phase>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 5) }

    /// Its text.
    static let text = TraceFormText(
        "gate.changed",
        .control,
        [.words("state", TalkGate.Phase.self)],
        "A talk gate has another state."
    )

    /// Makes the values of a record.
    init(state: TalkGate.Phase) {
        self.state = TraceWord(state)
    }
}
