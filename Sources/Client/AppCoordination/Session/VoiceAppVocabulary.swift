public import RealtimeVoice
public import SansIO

/// What the world tells the voice app.
public enum VoiceAppEvent: Sendable, Equatable {
    /// The app was launched by the user.
    case launched
    /// The scene's phase changed (RS-07).
    case scenePhaseChanged(ScenePhase)
    /// The system's idea of the network changed; may come late or never.
    case pathChanged(NetworkPath)
    /// What the phone can spare changed; told at launch too.
    case reservesChanged(PhoneReserves)
    /// The phone's clock shows this now: at launch, and when it has jumped.
    case clockChanged(WallTime)
    /// A notification of the app's was tapped (RS-13).
    case notificationTapped
    /// The user asks for the conversation.
    case connectTapped
    /// The user ends the conversation (RS-05).
    case disconnectTapped
    /// The user mutes or unmutes the microphone.
    case muteTapped(isMuted: Bool)
    /// The user signs in; the assertion or identity token comes from the system's sheet (RS-12).
    case signedIn(SignIn)
    /// The user logs out (RS-12).
    case logoutTapped
    /// A call or another app takes the audio session (RS-15).
    case audioSessionTaken
    /// The audio session may be used again (RS-15).
    case audioSessionReturned
    /// The keychain answered a read.
    case secureStorageRead(OperationID, SecureAnswer)
    /// The keychain answered a write.
    case secureStorageWritten(OperationID, isKept: Bool)
    /// The user answered the microphone's permission sheet, or had before.
    case microphonePermissionAnswered(OperationID, isGranted: Bool)
    /// The voice engine runs, or does not.
    case voiceEngineAnswered(OperationID, isRunning: Bool)
    /// The voice engine does not run, since a call has the audio (Apple,
    /// `AVAudioSession.ErrorCode.insufficientPriority`).
    case voiceEngineOutranked(OperationID)
    /// The voice engine ran and does not any more: the SDK could not start it anew for another microphone.
    ///
    /// Where headphones come or go the system stops the engine, and the SDK starts it by itself (Apple,
    /// `AVAudioEngineConfigurationChange`); a binding MUST tell where that fails, since nothing else does.
    case voiceEngineStopped
    /// The app's own server answered, or did not.
    case apiAnswered(OperationID, APIAnswer)
    /// A probe was answered.
    case probeAnswered(OperationID)
    /// A room object spoke; one that was let go of is not listened to.
    case room(RoomID, RoomCallback)
}

/// How the user proves their identity.
public enum SignIn: Sendable, Equatable {
    /// The authenticator's assertion to the challenge.
    case passkey(assertion: String)
    /// Apple's identity token.
    case apple(identityToken: String)
}

extension SignIn {
    /// What the login hears of it.
    var loginEvent: LoginSession.Event {
        switch self {
        case .passkey(let assertion): .passkeyAsserted(assertion)
        case .apple(let identityToken): .appleSignedIn(identityToken: identityToken)
        }
    }
}

/// What the voice app orders.
public enum VoiceAppEffect: Sendable, Equatable {
    /// An order to a room object of the SDK.
    case room(RoomID, RoomCommand)
    /// A request to the app's own server; the answer may never come.
    case callAPI(OperationID, APIRequest)
    /// Cancels a request; its answer is no longer needed.
    case cancelAPI(OperationID)
    /// Sends one datagram to a host that answers it: a binding request of STUN (RFC 8489), never
    /// repeated.
    ///
    /// LiveKit's own TURN server answers one at port 3478 of the room server's host; the other host
    /// needs a STUN server of its own.
    case probe(OperationID, ProbeHost)
    /// Reads from the keychain.
    case readSecureStorage(OperationID, SecureKey)
    /// Writes to the keychain; `nil` removes.
    case writeSecureStorage(OperationID, SecureKey, String?)
    /// Asks for the microphone.
    case requestMicrophonePermission(OperationID)
    /// Publishes the microphone so from now on, also in rooms to come; only with `AudioAdaptation.isEnabled`
    /// (AN-12).
    ///
    /// The rate is `RTCRtpEncodingParameters.maxBitrateBps` of the track's sender, the sample rate
    /// `AVAudioSession.setPreferredSampleRate(_:)` before the engine starts. The SDK keeps its sender to itself
    /// (client-sdk-swift, `Track/Track.swift`): a binding needs a patched SDK, or publishes the track anew with
    /// other `AudioPublishOptions`.
    case publish(PublishedAudio)
    /// Configures the audio session, in the one place that does (RS-15), and starts the engine.
    case startVoiceEngine(OperationID)
    /// Stops the engine and releases the audio session.
    case stopVoiceEngine
    /// Shows a status (RS-08).
    case show(SessionStatus)
    /// Asks the user to sign in (RS-12); a prompt that is already shown goes on with this challenge.
    case showSignIn(challenge: String?)
    /// The link is lost for now: the offline guide takes over (AN-05).
    case handOverOffline
    /// The link is back: the conversation is live again.
    case takeBackOnline
    /// The conversation ended without a link: the offline guide stops.
    case endOffline
    /// A line of the log, under `RTC` (RS-10).
    case writeLog(SessionLogEntry)
}
