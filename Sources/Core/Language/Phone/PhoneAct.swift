public import KodamaNetwork
public import KodamaPhone
public import SansIO

/// What can be done to a phone.
public enum PhoneAct: SystemAct {
    /// Packets of one kind of traffic, or all, vanish on one radio, or all, for a while, both ways or
    /// one; nobody says so.
    case block(NetworkInterface?, TrafficClass?, LinkWays = .both, lasting: Duration)
    /// An interface goes down or up; it gets another address when it comes up.
    case radio(NetworkInterface, isUp: Bool, PathNotice)
    /// The keychain answers so from now on.
    case secureStorage(StorageCondition)
    /// The disk is full from now on, or has room again; no app is told.
    case disk(isFull: Bool)
    /// The voice engines start so from now on.
    case engine(EngineCondition)
    /// The clock is so much later than true from now on; negative for earlier.
    case clock(offset: Duration)
    /// The user brings an app to the front, or opens it.
    case openApp(String)
    /// The user leaves the app in front for the home screen.
    case leaveApp
    /// The user throws an app out of the app switcher.
    case killApp(String)
    /// The user taps a notification of an app's.
    case tapNotification(String)
    /// The user pulls Control Centre over the app in front.
    case openControlCentre
    /// The user puts Control Centre away.
    case closeControlCentre
    /// The user is called by phone.
    case phoneCallBegins
    /// The user ends the phone call.
    case phoneCallEnds
    /// The other side ends the phone call.
    case phoneCallHungUp
    /// A phone call rings, and is declined.
    case phoneCallRings(isOn: Bool)
    /// An alarm of the system's own rings, and is stopped.
    case alarmRings(isOn: Bool)
    /// The user locks the phone.
    case lock
    /// The user starts music in another app, or stops it.
    case music(isOn: Bool)
    /// A headset with a cable is plugged in or out.
    case headset(isAttached: Bool)
    /// A Bluetooth headset is switched on or off.
    case bluetooth(isAttached: Bool)
    /// The user does something on the call screen.
    case call(CallScreenAct)
    /// Do Not Disturb is turned on or off.
    case focus(isOn: Bool)
    /// The user lets an app through Do Not Disturb, or does not any more.
    case allowInFocus(String, isAllowed: Bool)
    /// The user unlocks the phone for the first time since its restart.
    case unlock
    /// Something on the way of all its radios keeps everything from its servers for a while.
    case wall(Wall, lasting: Duration)
    /// The user turns an app's switch for the microphone in Settings.
    case setMicrophone(String, isGranted: Bool)
    /// The system takes an app's push token back, and asks for another only so much later.
    case withdrawPushToken(String, lasting: Duration)
}

/// What keeps a phone from the servers and answers connects in their name.
public enum Wall: Sendable, Equatable {
    /// A captive portal takes connections and says nothing on them.
    case portal
    /// A firewall resets them.
    case firewall
}
