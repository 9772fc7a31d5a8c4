public import RealtimeVoice

/// The app shows another status.
public struct StatusShown: TraceForm {
    /// The stage shown.
    public var stage: TraceWord<SessionStage>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.session, 18) }

    /// Its text.
    public static let text = TraceFormText(
        "status.shown",
        .milestone,
        [.words("stage", SessionStage.self)],
        "The app shows another stage of its session (SessionStage)."
    )

    /// Makes the values of a record.
    @inlinable
    public init(stage: SessionStage) {
        self.stage = TraceWord(stage)
    }
}

extension StatusShown {
    /// Whether the stage of this word is shown as a warning (RS-08).
    public static func isWarning(_ word: String) -> Bool {
        SessionStage.allCases.contains {
            Hyphenation.words(of: "\($0)") == word && SessionStatus($0).isWarning
        }
    }

    /// Whether the stage promises a live conversation.
    var promisesConversation: Bool { stage.value.map { SessionStatus($0).isConnected } ?? false }
}
