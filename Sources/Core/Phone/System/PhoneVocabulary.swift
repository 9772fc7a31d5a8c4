public import SansIO

/// What happens to a phone.
public enum PhoneEvent: Sendable, Equatable {
    /// An app was opened before the story begins: it runs in front, without a launch that could be
    /// waited for.
    case foundOpen(AppID)
    /// The user does something with the phone itself.
    case user(UserAction)
    /// An app orders something of the system.
    case ordered(AppID, SystemOrder)
    /// An app's handler for news that carried this duty has returned, and all that the app ordered
    /// meanwhile has been done.
    case handlerReturned(AppID, OperationID)
    /// An interface gets an address, loses it, or gets another one.
    case interfaceChanged(NetworkInterface, isUp: Bool, PathNotice)
    /// Sound comes and goes by another way.
    case accessoryChanged(AudioRoute, isAttached: Bool)
    /// Voice engines start otherwise from now on.
    case engineConditionChanged(EngineCondition)
    /// The keychain answers otherwise from now on.
    case storageConditionChanged(StorageCondition)
    /// The phone's clock is set to so much later than true; negative for earlier.
    case clockSet(offset: Duration)
    /// Do Not Disturb begins or ends.
    case focusChanged(isOn: Bool)
    /// The push service gave an app a token.
    case pushTokenIssued(AppID, [UInt8])
    /// The push service took an app's token back.
    case pushTokenWithdrawn(AppID)
    /// A VoIP push came for an app.
    case pushArrived(AppID, payload: String)
    /// The system runs an app in the background, as long as for a push: for a background task, or for the
    /// intent of a button that it shows for the app.
    case ranInBackground(AppID)
}

/// What a user does with the phone.
public enum UserAction: Sendable, Equatable {
    /// Brings an app to the front, launching it if need be.
    case openApp(AppID)
    /// Taps a notification of an app's, which opens it.
    case tapNotification(AppID)
    /// Leaves the app in front for the home screen.
    case leaveApp
    /// Throws an app out of the app switcher.
    case killApp(AppID)
    /// Pulls down Control Centre over the app in front.
    case openControlCentre
    /// Puts Control Centre away.
    case closeControlCentre
    /// A phone call comes in and takes the audio.
    case phoneCallBegins
    /// The user ends the phone call.
    case phoneCallEnds
    /// The other side ends the phone call.
    case phoneCallHungUp
    /// Something of the system's own rings that nobody has answered, a phone call or an alarm, or rings no
    /// more: it lies over the app in front and takes the audio from all but a call's app.
    case ring(isOn: Bool)
    /// Starts music in another app, or stops it.
    case music(isOn: Bool)
    /// Turns an app's switch for the microphone in Settings.
    case setMicrophone(AppID, isGranted: Bool)
    /// Lets an app through Do Not Disturb, or does not any more.
    case allowInFocus(AppID, isAllowed: Bool)
    /// Unlocks the phone, which opens its keychain.
    case unlock
    /// Locks the phone; the app in front goes to the background.
    case lock
    /// Does something on the call screen.
    case call(CallScreenAct)
}

/// What an app orders of the system.
public enum SystemOrder: Sendable, Equatable {
    /// Reads from the keychain.
    case readSecureStorage(OperationID, key: String)
    /// Writes to the keychain; `nil` removes.
    case writeSecureStorage(OperationID, key: String, value: String?)
    /// Asks for the microphone.
    case requestMicrophonePermission(OperationID)
    /// Activates the audio session and starts the voice engine.
    case startVoiceEngine(OperationID)
    /// Sets the audio session's options.
    case configureAudioSession(AudioSessionOptions)
    /// Stops the engine and gives the audio session back.
    case stopVoiceEngine
    /// Begins a background task (`beginBackgroundTask`), which lengthens the app's grace.
    case beginBackgroundTask(OperationID)
    /// Ends the background task of this number.
    case endBackgroundTask(OperationID)
    /// Takes a lock on a file, or gives the last one back.
    case changeFileLock(isHeld: Bool)
    /// Registers for VoIP pushes.
    case registerForPushes
    /// Orders something of the call screen.
    case call(SystemCallCommand)
}

/// What a phone's system does.
public enum PhoneEffect: Sendable, Equatable {
    /// Makes an app's process.
    case launch(AppID)
    /// Ends an app's process: its machines are thrown away.
    case kill(AppID, KillReason)
    /// Holds an app's process: nothing in it runs until it is resumed.
    case suspend(AppID)
    /// Lets an app's process run again; sockets that died meanwhile report it.
    case resume(AppID)
    /// Tells an app something.
    case inform(AppID, SystemNews)
    /// Sockets may use these addresses from now on, the favourite first.
    case addresses([InterfaceLease])
    /// An app's sockets of this lease report an error.
    case breakSockets(AppID, InterfaceLease)
    /// Music that the user wants plays, or does not.
    case musicChanged(MusicState)
    /// With a headset connected, sound goes another way than before.
    case routed(AudioRouting)
    /// The user answered a call or took one back during a phone call, which is put on hold, or ended.
    case phoneCallHeld
    /// The push service is to give an app a token.
    case requestPushToken(AppID)
    /// An app has broken the rule that a push is reported; it is killed for it.
    case pushUnreported(AppID, PushRuleBreach)
    /// Pushes for an app are dropped from now on.
    case pushesBlocked(AppID)
    /// A call of an app's begins to ring.
    case ringBegan(AppID, UniqueID)
    /// It rings no more.
    case ringEnded(AppID, UniqueID, RingEnd)
}

/// What the system tells an app.
public enum SystemNews: Sendable, Equatable {
    /// The app's first line of code runs.
    case launched(LaunchReason)
    /// Its scene has this phase.
    case scene(ScenePhase)
    /// The network path, as the system believes it.
    case path(NetworkPath)
    /// What becomes of its audio session.
    case audio(AudioNews)
    /// What the phone's clock shows now; at launch, and when it has jumped.
    case clock(WallTime)
    /// The user tapped one of its notifications.
    case notificationTapped
    /// Its background time is up: a task that is open when the handler returns ends the process.
    ///
    /// When it has, the app's host tells the phone by `PhoneEvent.handlerReturned`, behind all that the app
    /// ordered.
    case backgroundTimeExpired(OperationID)
    /// PushKit has a token or a push for it; the handler for a push returns in the same manner.
    case push(PushNews)
    /// The call screen answers or asks something.
    case call(CallNews)
    /// The answer to what it ordered.
    case answer(OperationID, SystemAnswer)
}

/// How the system answers what an app ordered.
public enum SystemAnswer: Sendable, Equatable {
    /// The keychain was read.
    case secureStorageRead(StorageAnswer)
    /// The keychain was written.
    case secureStorageWritten(isKept: Bool)
    /// The microphone's permission was asked for.
    case microphonePermission(isGranted: Bool)
    /// The voice engine was started.
    case voiceEngine(EngineStart)
}
