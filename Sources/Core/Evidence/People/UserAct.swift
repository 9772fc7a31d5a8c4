/// What the user of a phone does; the raw value is its number in the trace.
public enum UserAct: Int64, Sendable, CaseIterable {
    /// Opens the app, or comes back to it.
    case openApp
    /// Leaves the app for the home screen.
    case leaveApp
    /// Pulls Control Centre over the app.
    case openControlCentre
    /// Puts Control Centre away.
    case closeControlCentre
    /// Throws the app out of the app switcher.
    case killApp
    /// Is called by phone.
    case phoneCallBegins
    /// Ends the phone call.
    case phoneCallEnds
    /// Asks for the conversation.
    case connect
    /// Ends the conversation.
    case disconnect
    /// Mutes the microphone.
    case mute
    /// Unmutes the microphone.
    case unmute
    /// Taps a notification of the app.
    case tapNotification
    /// Signs in.
    case signIn
    /// Logs out.
    case logOut
    /// Unlocks the phone for the first time since its restart.
    case unlock
    /// Allows the app the microphone in Settings.
    case allowMicrophone
    /// Refuses it.
    case refuseMicrophone
    /// Locks the phone.
    case lock
    /// Calls somebody.
    case dial
    /// Answers the call that rings.
    case answerCall
    /// Answers it and ends the one that is going on.
    case endAndAnswerCall
    /// Declines the call that rings.
    case declineCall
    /// Ends the call that is going on.
    case endCall
    /// Mutes it.
    case muteCall
    /// Unmutes it.
    case unmuteCall
    /// Puts it on hold.
    case holdCall
    /// Takes it back.
    case unholdCall
    /// Starts music in another app.
    case playMusic
    /// Stops it.
    case stopMusic
    /// Connects a headset with a cable.
    case plugHeadset
    /// Takes it off.
    case unplugHeadset
    /// Switches a Bluetooth headset on.
    case connectBluetooth
    /// Switches it off.
    case disconnectBluetooth
    /// Logs out of the calling app.
    case logOutOfCalls
    /// Signs in to the calling app.
    case signInToCalls
    /// Lets the app through Do Not Disturb.
    case allowInFocus
    /// Lets it through no more.
    case silenceInFocus
    /// Writes in the app that has a replica.
    case writeReplica
    /// Looks at the rows in it.
    case readReplica
    /// Asks it for what the primary has.
    case syncReplica
    /// Signs out of it.
    case signOutOfReplica
    /// Signs in to it.
    case signInToReplica
    /// Gets another version of it.
    case updateReplicaApp
    /// Is called by phone, and has not answered.
    case phoneCallRings
    /// Declines that call.
    case declinePhoneCall
    /// An alarm of the system's own rings.
    case alarmRings
    /// Stops it.
    case stopAlarm
}
