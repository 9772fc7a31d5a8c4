import KodamaEvidence
import RealtimeVoice

/// The app shows another status.
struct StatusShown: TraceForm {
    static let kind = TraceKind(.session, 18)
    static let text = TraceFormText(
        "status.shown",
        .milestone,
        "The app shows another stage of its session (SessionStage).",
        .words("stage", SessionStage.self)
    )
    /// The stage shown.
    var stage: TraceWord<SessionStage>
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
