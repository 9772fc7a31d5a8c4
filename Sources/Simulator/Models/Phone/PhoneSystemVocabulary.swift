public import RealtimeVoice

/// What happens to a phone.
public enum PhoneSystemEvent: Sendable, Equatable {
    /// The user does something with the phone itself.
    case user(UserAction)
    /// An interface gets an address, loses it, or gets another one.
    case interfaceChanged(NetworkInterface, isUp: Bool, PathNotice)
    /// The app's audio runs or not: with it the app is not suspended in the background.
    case audioRunning(Bool)
    /// The app began or ended a background task (`beginBackgroundTask`), which lengthens its grace.
    case backgroundTask(isRunning: Bool)
}

/// What a user does with the phone.
public enum UserAction: Int64, Sendable, Hashable, CaseIterable {
    /// Brings the app to the front, launching it if need be.
    case openApp
    /// Leaves the app for the home screen.
    case leaveApp
    /// Pulls down Control Centre over the app.
    case openControlCentre
    /// Puts Control Centre away.
    case closeControlCentre
    /// Throws the app out of the app switcher.
    case killApp
    /// A phone call comes in and takes the audio.
    case phoneCallBegins
    /// The phone call ends.
    case phoneCallEnds
}

/// When and how the system speaks of a change of the network.
public struct PathNotice: Sendable, Equatable {
    /// How long after the change the app hears of it; `nil` for never.
    public var delay: Duration?
    /// Whether sockets of the lost address report an error at once; if not, they fall silent.
    public var breaksSockets: Bool

    /// Makes a notice.
    public init(delay: Duration?, breaksSockets: Bool) {
        self.delay = delay
        self.breaksSockets = breaksSockets
    }

    /// The system speaks at once, and sockets break.
    public static let immediate = PathNotice(delay: .zero, breaksSockets: true)
    /// Packets vanish and nobody says so.
    public static let never = PathNotice(delay: nil, breaksSockets: false)
}

/// What a phone's system does.
public enum PhoneSystemEffect: Sendable, Equatable {
    /// Launches the app's process.
    case launchApp
    /// Ends the app's process: its machines are thrown away.
    case terminateApp
    /// Tells the app its scene's phase.
    case scenePhase(ScenePhase)
    /// Tells the app the network path.
    case path(NetworkPath)
    /// Takes the audio session from the app.
    case takeAudio
    /// Gives it back.
    case returnAudio
    /// The app runs no longer: it hears nothing until it is resumed.
    case suspendApp
    /// The app runs again; sockets that died meanwhile report it.
    case resumeApp
    /// The addresses that sockets may use, the favourite first: interface and lease.
    case addresses([InterfaceLease])
    /// Sockets of this lease report an error.
    case breakSockets(InterfaceLease)
}

/// One address that an interface has or had.
@frozen
public struct InterfaceLease: Sendable, Hashable, BitwiseCopyable {
    /// The interface.
    public var interface: NetworkInterface
    /// Counts its addresses.
    public var lease: UInt16

    /// Names an address.
    @inlinable
    public init(_ interface: NetworkInterface, lease: UInt16) {
        self.interface = interface
        self.lease = lease
    }
}
