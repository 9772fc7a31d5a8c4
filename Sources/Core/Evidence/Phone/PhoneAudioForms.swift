/// What becomes of the music that the user plays in another app.
public struct MusicChanged: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 20) }
    /// What it is called.
    public static let text = TraceFormText(
        "music.changed",
        .control,
        "Music that the user wants to hear from another app plays or does not.",
        "wanted",
        "playing",
        "call"
    )
    /// Whether the user wants it.
    public var isWanted: TraceFlag
    /// Whether it sounds.
    public var isPlaying: TraceFlag
    /// Whether a call has the audio.
    public var isTakenByCall: TraceFlag

    /// Makes the values of a record.
    @inlinable
    public init(isWanted: Bool, isPlaying: Bool, isTakenByCall: Bool) {
        self.isWanted = TraceFlag(isWanted)
        self.isPlaying = TraceFlag(isPlaying)
        self.isTakenByCall = TraceFlag(isTakenByCall)
    }
}

/// By which way sound goes on a phone that has a headset.
public struct AudioRouted: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.phone, 21) }
    /// What it is called.
    public static let text = TraceFormText(
        "audio.routed",
        .control,
        "On a phone with a headset, sound goes by it or not, or an app's engine runs or not.",
        "attached",
        "used",
        "running"
    )
    /// Whether a headset is connected.
    public var isAttached: TraceFlag
    /// Whether the one that came last is used.
    public var isUsed: TraceFlag
    /// Whether an app's microphone and speaker work.
    public var isRunning: TraceFlag

    /// Makes the values of a record.
    @inlinable
    public init(isAttached: Bool, isUsed: Bool, isRunning: Bool) {
        self.isAttached = TraceFlag(isAttached)
        self.isUsed = TraceFlag(isUsed)
        self.isRunning = TraceFlag(isRunning)
    }
}
