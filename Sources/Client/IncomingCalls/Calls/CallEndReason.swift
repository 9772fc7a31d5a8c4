public import SansIO

/// Why a call ended; the raw value is the reason's name on the wire.
public enum CallEndReason: String, Sendable, Hashable, CaseIterable {
    /// The caller gave up before an answer.
    case cancelled
    /// There was no answer in time.
    case unanswered
    /// The callee declined.
    case declined
    /// Another device of the user's answered.
    case answeredElsewhere
    /// Another device of the user's declined.
    case declinedElsewhere
    /// The callee was in other calls.
    case busy
    /// Both sides called each other, and this call gave way to the other.
    case crossed
    /// One side ended the conversation.
    case hungUp
    /// Something broke.
    case failed
    /// The system did not let the call ring: Do Not Disturb, a blocked caller, a restriction.
    case filtered
    /// The push came after the call's time, or the server has forgotten the call.
    case expired
    /// The push could not be read; there never was a call.
    case unusable
    /// The user has signed out on the device.
    case signedOut
    /// The user answered, and the app had no credentials for its server: the phone was not unlocked since
    /// its restart, or no user is signed in.
    case notReady

    /// What the system is told (CallKit, `CXCallEndedReason`).
    public var system: SystemEndReason {
        switch self {
        case .cancelled, .declined, .crossed, .hungUp: .remoteEnded
        case .unanswered, .expired, .busy: .unanswered
        case .answeredElsewhere: .answeredElsewhere
        case .declinedElsewhere: .declinedElsewhere
        case .failed, .filtered, .unusable, .signedOut, .notReady: .failed
        }
    }
}
