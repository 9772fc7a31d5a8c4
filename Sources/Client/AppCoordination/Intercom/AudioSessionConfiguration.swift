/// What an app that talks asks of the audio session (S-AUD-001): Apple's category `playAndRecord`, in this
/// mode and with these options.
public struct AudioSessionConfiguration: Sendable, Hashable {
    /// What the session's sound is for.
    public enum Mode: Sendable, Hashable {
        /// Nothing in particular (`AVAudioSession.Mode.default`).
        case standard
        /// A conversation of two people (`AVAudioSession.Mode.voiceChat`): the system shapes the sound for voice and
        /// offers only the routes that suit it.
        case voiceChat
    }

    /// What the sound is for.
    public var mode = Mode.voiceChat
    /// Whether others' music goes on beside the voices (`AVAudioSession.CategoryOptions.mixWithOthers`);
    /// without it the activation stops the music (A-F-001).
    public var mixesWithOthers = true
    /// Whether a Bluetooth headset's microphone and speaker are used (`allowBluetooth`, the hands-free
    /// profile); without it the phone's own are (A-F-002).
    public var allowsBluetooth = true

    /// Makes the configuration of an intercom.
    public init() {}
}
