import KodamaEvidence

/// A part of an app that makes the phone hear or be heard.
enum SoundPart: Int64, Sendable, CaseIterable {
    /// The microphone's track of a room object.
    case microphone
    /// The renderer of the remote track.
    case renderer
    /// The voice engine.
    case engine
}

/// The app orders a part of its sound on or off.
struct SoundOrdered: TraceForm {
    static let kind = TraceKind(.session, 60)
    static let text = TraceFormText(
        "sound.ordered",
        .control,
        "The app ordered its microphone's track, its renderer or its engine on or off, or was refused the engine.",
        .words("part", SoundPart.self),
        "on"
    )
    var part: TraceWord<SoundPart>
    /// Whether it is to run.
    var isOn: TraceFlag
}

/// The system took the audio from the app, or gave it back.
struct SoundTaken: TraceForm {
    static let kind = TraceKind(.session, 61)
    static let text = TraceFormText(
        "sound.taken",
        .control,
        "The app was told that a call or another app has the audio, or has it no more.",
        "taken"
    )
    /// Whether a call or another app has it.
    var isTaken: TraceFlag
}
