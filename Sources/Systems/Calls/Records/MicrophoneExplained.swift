import IncomingCalls
import KodamaEvidence

/// The app tells its user that a call needs the microphone (AN-06).
struct MicrophoneExplained: TraceForm {
    static let kind = TraceKind(.calls, 20)
    static let text = TraceFormText(
        "microphone.explained",
        .milestone,
        "The app tells its user that a call needs the microphone: it is refused, or the app is to be opened.",
        .words("notice", MicrophoneNotice.self)
    )
    /// What it says.
    var notice: TraceWord<MicrophoneNotice>
}
