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
    /// The part.
    var part: TraceWord<SoundPart>
    /// Whether it is to run.
    var isOn: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 60) }

    /// Its text.
    static let text = TraceFormText(
        "sound.ordered",
        .control,
        [.words("part", SoundPart.self), "on"],
        "The app ordered its microphone's track, its renderer or its engine on or off, or was refused the engine."
    )

    /// Makes the values of a record.
    init(part: SoundPart, isOn: Bool) {
        self.part = TraceWord(part)
        self.isOn = TraceFlag(isOn)
    }
}

/// The system took the audio from the app, or gave it back.
struct SoundTaken: TraceForm {
    /// Whether a call or another app has it.
    var isTaken: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 61) }

    /// Its text.
    static let text = TraceFormText(
        "sound.taken",
        .control,
        ["taken"],
        "The app was told that a call or another app has the audio, or has it no more."
    )

    /// Makes the values of a record.
    init(isTaken: Bool) {
        self.isTaken = TraceFlag(isTaken)
    }
}
