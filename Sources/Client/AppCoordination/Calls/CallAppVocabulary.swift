public import IncomingCalls
public import RealtimeVoice
public import SansIO

/// One of the two slots for a call's media; each has room objects of its own.
@frozen
public struct CallLine: Sendable, Hashable, BitwiseCopyable {
    /// The line's index, 0 or 1.
    public var index: UInt8

    /// Names line `index`.
    @inlinable
    public init(index: UInt8) {
        self.index = index
    }
}

/// What the world tells the calling app.
public enum CallAppEvent: Sendable, Equatable {
    /// The app was launched, by the user or for a push.
    case launched
    /// The scene's phase changed.
    case scenePhaseChanged(ScenePhase)
    /// The system's idea of the network changed; may come late or never.
    case pathChanged(NetworkPath)
    /// The user's clock was set.
    case clockChanged(WallTime)
    /// PushKit gave a token for VoIP pushes.
    case pushTokenReceived([UInt8])
    /// PushKit took it back.
    case pushTokenInvalidated
    /// A VoIP push came; its report leaves in this call.
    case pushReceived(PushID, PayloadValue)
    /// A message came by another way that a call is over.
    case endSignalReceived(PayloadValue)
    /// The system took a report, or did not.
    case reportFinished(OperationID, SystemReportError?)
    /// The system took what the app asked of it, or did not.
    case requestFinished(OperationID, isAccepted: Bool)
    /// The system asks for something, for the user.
    case actionRequested(ActionID, SystemCallAction)
    /// The system waits no longer for an action.
    case actionTimedOut(ActionID)
    /// The system activated the audio session.
    case audioActivated
    /// The system took it back.
    case audioDeactivated
    /// The system dropped all calls.
    case providerReset
    /// The user places a call in the app.
    case dialled(contactId: String, name: String, hasVideo: Bool)
    /// The user does something to a call, in the app.
    case actionChosen(SystemCallAction)
    /// The user signs in (RS-12).
    case signedIn(SignIn)
    /// The user logs out (RS-12).
    case logoutTapped
    /// The keychain answered a read.
    case secureStorageRead(OperationID, SecureAnswer)
    /// The keychain answered a write.
    case secureStorageWritten(OperationID, isKept: Bool)
    /// The user answered the alert for the microphone.
    case microphonePermissionAnswered(OperationID, isGranted: Bool)
    /// The voice engine runs, or does not.
    case voiceEngineAnswered(OperationID, isRunning: Bool)
    /// The voice engine ran and does not any more: the SDK could not start it anew for another microphone.
    ///
    /// Where headphones come or go the system stops the engine, and the SDK starts it by itself (Apple,
    /// `AVAudioEngineConfigurationChange`); a binding MUST tell where that fails, since nothing else does.
    case voiceEngineStopped
    /// The app's own server answered a request for a token or a login.
    case apiAnswered(OperationID, APIAnswer)
    /// The app's own server answered about calls.
    case callAnswered(OperationID, CallAnswer)
    /// The system suspends the app at once; a task that goes on costs it its process
    /// (`beginBackgroundTask(expirationHandler:)`).
    case backgroundTimeExpired
    /// A probe of a line's was answered.
    case probeAnswered(CallLine, OperationID)
    /// A room object of a line spoke.
    case room(CallLine, RoomID, RoomCallback)
}

/// What the calling app orders.
public enum CallAppEffect: Sendable, Equatable {
    /// An order to the system's call UI.
    case system(SystemCallCommand)
    /// Calls a push's completion handler.
    case completePush(PushID)
    /// Sets the audio session's category, in the one place that does (RS-15), without activating it.
    case configureAudio
    /// Starts the voice engine on the session that the system has activated.
    case startVoiceEngine(OperationID)
    /// Stops it.
    case stopVoiceEngine
    /// An order to a room object of a line.
    case room(CallLine, RoomID, RoomCommand)
    /// Sends one datagram for a line to a host that answers it, as `VoiceAppEffect.probe` does.
    case probe(CallLine, OperationID, ProbeHost)
    /// A request for a token or a login to the app's own server.
    case callAPI(OperationID, APIRequest)
    /// A request about calls to the app's own server.
    case callServer(OperationID, CallRequest, CallCredentials)
    /// Cancels a request; its answer is no longer needed.
    case cancelAPI(OperationID)
    /// Reads from the keychain.
    case readSecureStorage(OperationID, SecureKey)
    /// Writes to the keychain; `nil` removes.
    case writeSecureStorage(OperationID, SecureKey, String?)
    /// Asks for the microphone, in front only.
    case requestMicrophonePermission(OperationID)
    /// Tells the user that a call needs the microphone.
    case explainMicrophone(MicrophoneNotice)
    /// Asks the system for time in the background (`beginBackgroundTask`); the app has one task at a time.
    case beginBackgroundTask
    /// Needs it no longer (`endBackgroundTask`).
    case endBackgroundTask
    /// Writes to the app's storage.
    case writeStorage(CallStorageKey, String)
    /// Something the app may want to show (VP-08).
    case announce(CallEvent)
    /// How a call's media are (RS-08).
    case show(UniqueID, SessionStatus)
    /// A notice of a missed call; the call's id is the notice's, so that a second one replaces it.
    case notify(MissedCall)
    /// Asks the user to sign in (RS-12).
    case showSignIn(challenge: String?)
    /// A line of the calls' log.
    case writeCallLog(CallLogEntry)
    /// A line of the sessions' log.
    case writeLog(SessionLogEntry)
}
