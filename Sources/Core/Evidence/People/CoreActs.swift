/// What users do with the phone itself, and with an app as any app.
extension UserAct {
    /// Opens the app, or comes back to it.
    public static let openApp = UserAct("open-app", number: 0, "opens {app}")
    /// Leaves the app for the home screen.
    public static let leaveApp = UserAct(
        "leave-app",
        number: 1,
        "leaves the app",
        takesSound: false
    )
    /// Pulls Control Centre over the app.
    public static let openControlCentre = UserAct(
        "open-control-centre",
        number: 2,
        "pulls Control Centre over the app",
        takesSound: false
    )
    /// Puts Control Centre away.
    public static let closeControlCentre = UserAct(
        "close-control-centre",
        number: 3,
        "puts Control Centre away",
        takesSound: false
    )
    /// Throws the app out of the app switcher.
    public static let killApp = UserAct(
        "kill-app",
        number: 4,
        "throws {app} out of the app switcher"
    )
    /// Is called by phone.
    public static let phoneCallBegins = UserAct(
        "phone-call-begins",
        number: 5,
        "is called by phone"
    )
    /// Ends the phone call.
    public static let phoneCallEnds = UserAct("phone-call-ends", number: 6, "ends the phone call")
    /// Is hung up on in the phone call.
    public static let phoneCallHungUp = UserAct(
        "phone-call-hung-up",
        number: 47,
        "is hung up on in the phone call"
    )
    /// Mutes the microphone.
    public static let mute = UserAct("mute", number: 9, "mutes the microphone", takesSound: false)
    /// Unmutes the microphone.
    public static let unmute = UserAct(
        "unmute",
        number: 10,
        "unmutes the microphone",
        takesSound: false
    )
    /// Taps a notification of the app.
    public static let tapNotification = UserAct(
        "tap-notification",
        number: 11,
        "taps a notification of {app}"
    )
    /// Unlocks the phone for the first time since its restart.
    public static let unlock = UserAct(
        "unlock",
        number: 14,
        "unlocks the phone for the first time since its restart",
        takesSound: false
    )
    /// Allows the app the microphone in Settings.
    public static let allowMicrophone = UserAct(
        "allow-microphone",
        number: 15,
        "allows {app} the microphone"
    )
    /// Refuses it.
    public static let refuseMicrophone = UserAct(
        "refuse-microphone",
        number: 16,
        "refuses {app} the microphone"
    )
    /// Locks the phone.
    public static let lock = UserAct("lock", number: 17, "locks the phone", takesSound: false)
    /// Answers the call that rings.
    public static let answerCall = UserAct("answer-call", number: 19, "answers the call")
    /// Answers it and ends the one that is going on.
    public static let endAndAnswerCall = UserAct(
        "end-and-answer-call",
        number: 20,
        "ends the call that goes on and answers the one that rings"
    )
    /// Declines the call that rings.
    public static let declineCall = UserAct("decline-call", number: 21, "declines the call")
    /// Ends the call that is going on.
    public static let endCall = UserAct("end-call", number: 22, "ends the call")
    /// Mutes it.
    public static let muteCall = UserAct(
        "mute-call",
        number: 23,
        "mutes the call",
        takesSound: false
    )
    /// Unmutes it.
    public static let unmuteCall = UserAct(
        "unmute-call",
        number: 24,
        "unmutes the call",
        takesSound: false
    )
    /// Puts it on hold.
    public static let holdCall = UserAct("hold-call", number: 25, "puts the call on hold")
    /// Takes it back.
    public static let unholdCall = UserAct(
        "unhold-call",
        number: 26,
        "takes the call back from hold"
    )
    /// Starts music in another app.
    public static let playMusic = UserAct("play-music", number: 27, "starts music in another app")
    /// Stops it.
    public static let stopMusic = UserAct("stop-music", number: 28, "stops the music")
    /// Connects a headset with a cable.
    public static let plugHeadset = UserAct("plug-headset", number: 29, "plugs a headset in")
    /// Takes it off.
    public static let unplugHeadset = UserAct("unplug-headset", number: 30, "unplugs the headset")
    /// Switches a Bluetooth headset on.
    public static let connectBluetooth = UserAct(
        "connect-bluetooth",
        number: 31,
        "switches a Bluetooth headset on"
    )
    /// Switches it off.
    public static let disconnectBluetooth = UserAct(
        "disconnect-bluetooth",
        number: 32,
        "switches the Bluetooth headset off"
    )
    /// Lets the app through Do Not Disturb.
    public static let allowInFocus = UserAct(
        "allow-in-focus",
        number: 35,
        "lets {app} through Do Not Disturb",
        takesSound: false
    )
    /// Lets it through no more.
    public static let silenceInFocus = UserAct(
        "silence-in-focus",
        number: 36,
        "lets {app} through Do Not Disturb no more",
        takesSound: false
    )
    /// Is called by phone, and has not answered.
    public static let phoneCallRings = UserAct(
        "phone-call-rings",
        number: 43,
        "is called by phone, and does not answer"
    )
    /// Declines that call.
    public static let declinePhoneCall = UserAct(
        "decline-phone-call",
        number: 44,
        "declines the phone call"
    )
    /// An alarm of the system's own rings.
    public static let alarmRings = UserAct("alarm-rings", number: 45, "hears an alarm")
    /// Stops it.
    public static let stopAlarm = UserAct("stop-alarm", number: 46, "stops the alarm")

    /// All of these.
    static let core: [UserAct] = [
        .openApp, .leaveApp, .openControlCentre, .closeControlCentre, .killApp,
        .phoneCallBegins, .phoneCallEnds, .phoneCallHungUp, .mute, .unmute, .tapNotification,
        .unlock,
        .allowMicrophone, .refuseMicrophone, .lock, .answerCall, .endAndAnswerCall,
        .declineCall, .endCall, .muteCall, .unmuteCall, .holdCall, .unholdCall,
        .playMusic, .stopMusic, .plugHeadset, .unplugHeadset, .connectBluetooth,
        .disconnectBluetooth, .allowInFocus, .silenceInFocus, .phoneCallRings,
        .declinePhoneCall, .alarmRings, .stopAlarm,
    ]
}
