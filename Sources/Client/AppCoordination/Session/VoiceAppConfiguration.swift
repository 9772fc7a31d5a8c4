public import RealtimeVoice

/// The configuration of the voice app and all its machines.
public struct VoiceAppConfiguration: Sendable, Equatable {
    /// How the session connects, comes back and gives up.
    public var session = RealtimeSessionConfiguration()
    /// When and to what the published audio is lowered (AN-12).
    public var audio = AudioAdaptation()
    /// The condition for connecting (RS-12).
    public var login = LoginRule.deviceIdentity

    /// The default preset: the one that meets K-01.
    public init() {}

    /// The source design's figures (D-07).
    public static var asSpecified: VoiceAppConfiguration {
        var configuration = VoiceAppConfiguration()
        configuration.session = .asSpecified
        return configuration
    }
}

/// The condition for connecting (RS-12).
public enum LoginRule: String, Sendable, Hashable, CaseIterable {
    /// The device's identity suffices.
    case deviceIdentity
    /// The user must have signed in.
    case signedIn
}
