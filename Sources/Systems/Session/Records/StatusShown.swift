import KodamaEvidence
import RealtimeVoice

/// The app shows another status.
struct StatusShown: TraceForm {
    /// The stage shown.
    var stage: TraceWord<SessionStage>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 18) }

    /// Its text.
    static let text = TraceFormText(
        "status.shown",
        .milestone,
        [.words("stage", SessionStage.self)],
        "The app shows another stage of its session (SessionStage)."
    )

    /// Makes the values of a record.
    init(stage: SessionStage) {
        self.stage = TraceWord(stage)
    }
}

extension StatusShown {
    /// The words of the stages that are shown as warnings (RS-08).
    static var warnings: [String] {
        SessionStage.allCases.filter { SessionStatus($0).isWarning }
            .map { Hyphenation.words(of: "\($0)") }
    }

    /// Whether the stage promises a live conversation.
    var promisesConversation: Bool { stage.value.map { SessionStatus($0).isConnected } ?? false }
}
