package import KodamaEvidence
package import SansIO

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

/// A listener begins to decode a voice: with a new jitter buffer and decoder.
package struct SoundOpened: TraceForm {
    package static let kind = TraceKind(.session, 64)
    package static let text = TraceFormText(
        "sound.opened",
        .control,
        "The subject's voice is decoded from a track on, with a new jitter buffer and decoder.",
        .words("direction", VoiceDirection.self),
        "track"
    )
    /// Which way it comes.
    package var direction: TraceWord<VoiceDirection>
    /// The track's number at the room server.
    package var track: Int64
}

/// Sound was made up in the place of frames that did not come in time.
package struct SoundMadeUp: TraceForm {
    package static let kind = TraceKind(.session, 65)
    package static let text = TraceFormText(
        "sound.made-up",
        .media,
        "Sound of the subject's voice was extrapolated, the first of it heard at heard_ns.",
        .words("direction", VoiceDirection.self),
        "samples",
        "heard_ns"
    )
    /// Which way the voice comes.
    package var direction: TraceWord<VoiceDirection>
    /// How many samples at 48 kHz.
    package var samples: Int64
    /// When the first of them leaves the speaker.
    package var heard: Instant
}
