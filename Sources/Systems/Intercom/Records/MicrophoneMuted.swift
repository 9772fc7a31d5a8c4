import KodamaEvidence

/// The user of an intercom app turned its microphone off or on, or its process ended.
struct MicrophoneMuted: TraceForm {
    /// Whether it is off from now on.
    var isMuted: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.intercom, 32) }

    /// Its text.
    static let text = TraceFormText(
        "microphone.muted",
        .milestone,
        ["muted"],
        "A user turned the microphone off or on, or the process ended for which it was off."
    )

    /// Makes the values of a record.
    init(isMuted: Bool) {
        self.isMuted = TraceFlag(isMuted)
    }
}
