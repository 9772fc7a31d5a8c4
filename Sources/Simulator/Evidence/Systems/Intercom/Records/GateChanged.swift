public import VoiceActivity

/// A device's talk gate changed its state.
public struct GateChanged: TraceForm {
    /// The new state.
    public var state: TraceWord<TalkGate.Phase>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 5) }

    /// Its text.
    public static let text = TraceFormText(
        "gate.changed",
        .control,
        [.words("state", TalkGate.Phase.self)],
        "A talk gate has another state."
    )

    /// Makes the values of a record.
    @inlinable
    public init(state: TalkGate.Phase) {
        self.state = TraceWord(state)
    }
}
