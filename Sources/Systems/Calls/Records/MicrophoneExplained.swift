import IncomingCalls
import KodamaEvidence

/// The app tells its user that a call needs the microphone (AN-06).
struct MicrophoneExplained: TraceForm {
    /// What it says.
    var notice: TraceWord<MicrophoneNotice>

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.calls, 20) }

    /// Its text.
    static let text = TraceFormText(
        "microphone.explained",
        .milestone,
        [.words("notice", MicrophoneNotice.self)],
        "The app tells its user that a call needs the microphone: it is refused, or the app is to be opened."
    )

    /// Makes the values of a record.
    init(notice: MicrophoneNotice) {
        self.notice = TraceWord(notice)
    }
}
