/// What an app hears of its audio session.
public enum AudioNews: Sendable, Equatable {
    /// A call or another app has taken it.
    case interruptionBegan
    /// It may be activated again.
    case interruptionEnded(shouldResume: Bool)
    /// Sound comes and goes by another way.
    case routeChanged(AudioRoute)
    /// Its engine was stopped, for its microphone and speaker are others now.
    case engineConfigurationChanged
}

/// What a session's sound is for (`AVAudioSession.Mode`).
///
/// That the chat modes allow a Bluetooth headset by themselves is not modelled: an app says what it wants.
public enum AudioMode: Sendable, Hashable {
    /// Nothing in particular (`default`).
    case standard
    /// Two people who talk (`voiceChat`).
    case voiceChat
    /// Two people who see each other as well (`videoChat`).
    case videoChat
}

/// What an app asks of its session; as Apple's default, nothing (`AVAudioSession.CategoryOptions`).
public struct AudioSessionOptions: Sendable, Hashable {
    /// What its sound is for.
    public var mode = AudioMode.standard
    /// Whether others' sound goes on beside its own (`mixWithOthers`).
    public var mixesWithOthers = false
    /// Whether a Bluetooth headset is used (`allowBluetooth`).
    public var allowsBluetooth = false

    /// None of them.
    public init() {}

    /// What a voice SDK sets by itself: LiveKit's `playAndRecord` configurations allow Bluetooth and mix, and
    /// the one for the loudspeaker is for video (client-sdk-swift, `AudioSessionConfiguration`).
    public static var voiceSDK: AudioSessionOptions {
        var options = AudioSessionOptions()
        options.mode = .videoChat
        options.mixesWithOthers = true
        options.allowsBluetooth = true
        return options
    }
}

/// What becomes of the music of another app.
public struct MusicState: Sendable, Equatable {
    /// Whether the user wants it.
    public var isWanted = false
    /// Whether it sounds.
    public var isPlaying = false
    /// Whether a call has the audio.
    public var isTakenByCall = false

    /// No music.
    public init() {}
}

/// By which way sound goes, and by which it could.
public struct AudioRouting: Sendable, Equatable {
    /// The headset that was connected last.
    public var attached: AudioRoute?
    /// What is used.
    public var used = AudioRoute.speaker
    /// Whether an app's microphone and speaker work.
    public var isRunning = false

    /// The phone's own microphone and loudspeaker, at rest.
    public init() {}
}

/// By which way sound comes and goes (`AVAudioSession.Port`).
public enum AudioRoute: Sendable, Hashable {
    /// The phone's own microphone and loudspeaker.
    case speaker
    /// A headset with a cable.
    case headset
    /// A headset by Bluetooth, in its hands-free profile.
    case bluetooth
}

/// How voice engines start on a phone.
public struct EngineCondition: Sendable, Equatable {
    /// How long a start takes; zero, so that what is measured is the app's own doing.
    public var delay: Duration = .zero
    /// How many starts fail from now on; `Int.max` for all.
    public var failures = 0

    /// Engines that start at once.
    public init() {}
}

/// How a start of a voice engine ended.
public enum EngineStart: Sendable, Equatable {
    /// The engine runs.
    case running
    /// It does not.
    case failed(AudioError)
}

/// Why a voice engine did not start; the raw value is Apple's (`AVAudioSession.ErrorCode`).
public enum AudioError: Int64, Sendable, Hashable, CaseIterable {
    /// A call has the audio (Apple developer forums, thread 749202).
    case insufficientPriority = 561_017_449
    /// An app in the background can't take the audio from another.
    case cannotInterruptOthers = 560_557_684
    /// Recording can't begin.
    case cannotStartRecording = 561_145_187
}
