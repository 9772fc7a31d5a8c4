import KodamaEvidence

/// A step of the onboarding is shown, or it is over (AN-14).
struct OnboardingShown: TraceForm {
    static let kind = TraceKind(.coach, 90)
    static let text = TraceFormText(
        "onboarding.shown",
        .milestone,
        "A step of the onboarding is shown, or after the last one the app itself.",
        "step",
        "kept"
    )
    /// The step, from 1; 8 after the last one.
    var step: Int64
    /// How many steps the store has as ended.
    var kept: Int64
}

/// The user ends a step; what they chose may be lost until the store has it.
struct OnboardingAnswered: TraceForm {
    static let kind = TraceKind(.coach, 91)
    static let text = TraceFormText(
        "onboarding.answered",
        .milestone,
        "The user ends a step of the onboarding.",
        "step"
    )
    var step: Int64
}

/// Where the phone's sound goes, seen from others in the room.
enum PhraseOutput: Int64, Sendable, CaseIterable {
    /// Headphones in the ears, or beside them: nobody else hears.
    case worn, beside
    /// A loudspeaker.
    case aloud
}

/// The phone sees the trigger of self-talk (AN-16).
struct TriggerSeen: TraceForm {
    static let kind = TraceKind(.coach, 92)
    static let text = TraceFormText(
        "selftalk.trigger",
        .milestone,
        "The phone sees the trigger of self-talk, and its app has phrases or none.",
        .words("output", PhraseOutput.self),
        "phrases"
    )
    var output: TraceWord<PhraseOutput>
    var phrases: Int64
}

/// A phrase sounds by an output from now on, or no more.
struct PhraseSounded: TraceForm {
    static let kind = TraceKind(.coach, 93)
    static let text = TraceFormText(
        "selftalk.sounds",
        .milestone,
        "A phrase in the user's own voice sounds from now on, or no more.",
        .words("output", PhraseOutput.self, orNone: true)
    )
    /// By which output; none once it is over.
    var output: TraceWord<PhraseOutput>
}
