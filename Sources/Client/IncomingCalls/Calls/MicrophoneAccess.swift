/// Whether the user lets the app have the microphone (`AVAudioApplication.recordPermission`).
public enum MicrophoneAccess: Sendable, Hashable, CaseIterable {
    /// The user has allowed it.
    case allowed
    /// The user has refused it; only Settings can change that, which ends the process.
    case refused
    /// The user has not been asked, or has not answered.
    case undecided
}

/// What the user is told where a call needs the microphone and does not have it.
///
/// The app says it in front, and by a notice else. The raw value is its number in the trace.
public enum MicrophoneNotice: Int64, Sendable, Hashable, CaseIterable {
    /// The microphone is refused: no call is placed or answered before it is allowed in Settings.
    case refused
    /// A call is answered once the user has opened the app and allowed the microphone there.
    case openApp
}
