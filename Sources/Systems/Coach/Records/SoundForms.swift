import KodamaEvidence

/// A line of the agent's is over, as sound at the sleeper's ear.
struct LineSounded: TraceForm {
    static let kind = TraceKind(.coach, 80)
    static let text = TraceFormText(
        "coach.line-sounded",
        .control,
        "A line of the agent's, which came in frames, is over or broken off.",
        "frames",
        "concealed"
    )
    /// How many frames of 20 ms were due at the ear.
    var frames: Int64
    /// How many of them had not come by then.
    var concealed: Int64
}

/// The app has the microphone published at another rate.
struct AudioPublished: TraceForm {
    static let kind = TraceKind(.coach, 82)
    static let text = TraceFormText(
        "coach.audio-rate",
        .control,
        "The app has the microphone sampled and its track encoded so from now on.",
        "rate",
        "sample_rate"
    )
    /// Opus's rate, in bits a second.
    var bitsPerSecond: Int64
    /// The microphone's, in hertz.
    var sampleRateHertz: Int64
}

/// The agent's recogniser has listened to an answer.
struct WordHeard: TraceForm {
    static let kind = TraceKind(.coach, 81)
    static let text = TraceFormText(
        "coach.word-heard",
        .control,
        "The agent's recogniser has listened to what the user said.",
        "right",
        "frames",
        "lost"
    )
    /// Whether it takes it for what was said.
    var isRight: TraceFlag
    var frames: Int64
    /// How many frames had not come by then.
    var lost: Int64
}
