/// How an app stands with the microphone that it may not use from its launch on.
public enum MicrophoneState: Int64, Sendable, CaseIterable {
    /// The user refuses it.
    case refused
    /// The system's alert asks the user.
    case asked
    /// The user has allowed it.
    case allowed
    /// The user has not answered, and is not being asked.
    case unasked
}

/// Whether the user lets an app have the microphone, where the app has to wait for that.
///
/// Of an app that may use it when it is launched there is none.
public struct MicrophoneChanged: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 23) }
    /// What it is called.
    public static let text = TraceFormText(
        "microphone.changed",
        .control,
        "An app is launched without the microphone, its user is asked for it, or has answered.",
        .words("state", MicrophoneState.self)
    )
    /// Whether it may use it.
    public var state: TraceWord<MicrophoneState>

    /// Makes the values of a record.
    @inlinable
    public init(state: MicrophoneState) {
        self.state = TraceWord(state)
    }
}
