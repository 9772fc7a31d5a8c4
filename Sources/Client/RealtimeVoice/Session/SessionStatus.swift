/// What the app shows of its session (RS-08).
public struct SessionStatus: Sendable, Equatable {
    /// What is going on.
    public var stage: SessionStage
    /// Why something failed, as it is shown behind the stage's text; empty if there is nothing to say.
    public var cause: String

    /// Makes a status.
    public init(_ stage: SessionStage, cause: String = "") {
        self.stage = stage
        self.cause = cause
    }
}

/// The stages of a session as the user sees them.
///
/// The raw value is the stage's number in the trace.
public enum SessionStage: Int64, Sendable, Hashable, CaseIterable {
    /// Nothing goes on.
    case disconnected
    /// The device's identity is read or made.
    case preparingDevice
    /// It cannot be had; nothing goes on.
    case deviceIdentityFailed
    /// The user is asked to sign in.
    case signedOut
    /// The microphone's permission is asked for.
    case askingForMicrophone
    /// It was refused; nothing goes on.
    case microphoneRefused
    /// The voice engine starts.
    case startingEngine
    /// It cannot be started; nothing goes on, or the conversation does without sound.
    case engineFailed
    /// A token is fetched.
    case fetchingToken
    /// It could not be fetched (RS-02).
    case tokenFailed
    /// The room is being joined.
    case connecting
    /// Both sides hear each other.
    case connected
    /// The link is lost and being restored.
    case reconnecting
    /// The link was restored a moment ago.
    case reconnected
    /// The fast attempts are used up; slow ones go on (RS-09, D-19).
    case couldNotConnect
    /// Another device took the session's place, or the session was removed; it ends (D-08).
    case takenOver
    /// A call or another app has the audio (RS-15).
    case audioTaken
}
