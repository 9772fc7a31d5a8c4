public import SansIO

/// A phone's system as its apps meet it: a machine made of one machine per facility of iOS.
///
/// Each facility knows its own rules and no other; what one orders, another may have to hear of, and
/// that is routed here: a launched app is told the path, a suspended one loses its audio session. An
/// app that does not run hears nothing. One that is resumed or launched is told the present state of
/// each facility only, and of what came while it was suspended, the answers and what PushKit and CallKit said.
public struct PhoneSystem: StateMachine {
    /// How many apps a phone takes.
    public static let appsMax = 8

    /// News that wait for their app to be resumed.
    struct HeldNews: Sendable, Equatable {
        var app: AppID
        var news: SystemNews
    }

    var processes: [AppProcess]
    var scenes: SceneManager
    var network: NetworkMonitor
    var audio: AudioSession
    var microphones: [MicrophonePermission]
    var storage: SecureStorage
    var clock: PhoneClock
    var pushes: PushInbox
    var calls: CallScreen
    /// Whether it is locked; one that was unlocked once opens its keychain nevertheless.
    public internal(set) var isLocked = false
    var held: [HeldNews] = []
    /// The earliest deadline of all facilities; kept, since it is asked for far more often than it moves.
    public private(set) var deadline: Deadline?

    /// Makes a phone that is switched on, with no app running.
    ///
    /// - Parameters:
    ///   - apps: The apps that are installed, at most `appsMax`.
    ///   - interfaces: The phone's ways to the Internet and whether they have an address.
    ///   - start: The true time at the start of the time line.
    ///   - condition: What the phone grants and refuses.
    ///   - configuration: How the system treats apps.
    public init(
        apps: [InstalledApp],
        interfaces: [(NetworkInterface, isUp: Bool)],
        start: WallTime = WallTime(nanosecondsSince1970: 0),
        condition: PhoneCondition = PhoneCondition(),
        configuration: PhoneSystemConfiguration = PhoneSystemConfiguration()
    ) {
        precondition(apps.count <= Self.appsMax, "a phone takes \(Self.appsMax) apps")
        processes = apps.map {
            AppProcess(launches: $0.launches, configuration: configuration)
        }
        scenes = SceneManager(
            appCount: apps.count,
            transitionTime: configuration.transitionTime
        )
        network = NetworkMonitor(
            interfaces: interfaces,
            appCount: apps.count,
            suspendedSocketLife: configuration.suspendedSocketLife
        )
        audio = AudioSession(appCount: apps.count, condition: condition.engine)
        microphones = apps.map { MicrophonePermission($0.microphone) }
        storage = SecureStorage(
            condition.secureStorage,
            answerTime: configuration.keychainTime
        )
        clock = PhoneClock(start: start, offset: condition.clockOffset, appCount: apps.count)
        pushes = PushInbox(appCount: apps.count, configuration: configuration)
        calls = CallScreen(
            appCount: apps.count,
            focusIsOn: condition.focusIsOn,
            configuration: configuration
        )
    }

    /// Every app gets news of several facilities and those that waited for it.
    public static var effectsPerCallMax: Int {
        16 * appsMax + CallScreen.effectsPerCallMax + PushInbox.effectsPerCallMax
    }

    /// A phone never ends.
    public var isFinished: Bool { false }

    /// What an app's process does.
    public func process(of app: AppID) -> ProcessPhase { processes[app.index].phase }

    /// The app that the user opened last and has not left; it may still be launching.
    public var front: AppID? { scenes.front }

    /// Whether an app is in front.
    public func isInFront(_ app: AppID) -> Bool {
        let phase = scenes.phase(of: app)
        return phase == .active || phase == .inactive
    }

    /// How often an app was launched.
    public func launchCount(of app: AppID) -> UInt32 { processes[app.index].launchCount }

    /// Whether the user lets an app have the microphone.
    public func microphone(of app: AppID) -> PermissionCondition.Status {
        microphones[app.index].status
    }

    /// Whether the system's alert asks the user for an app's microphone, where they see it.
    public func isAskingForMicrophone(of app: AppID) -> Bool { microphones[app.index].isAsking }

    /// Whether an app's microphone and speaker work.
    public func soundIsOn(for app: AppID) -> Bool { audio.soundIsOn(for: app) }

    /// The app that has microphone and speaker, and whose engine runs.
    public var soundOwner: AppID? { audio.soundOwner }

    /// What the sound of that app is for.
    public var soundMode: AudioMode? { audio.soundMode }

    /// The addresses that sockets may use now, the favourite first.
    public var addresses: [InterfaceLease] { network.addresses }

    /// What an app keeps in the keychain, whether it could read it now or not.
    public func stored(_ key: String, for app: AppID) -> String? {
        storage.value(of: key, for: app)
    }

    /// Puts something into an app's keychain that was kept there before the story begins.
    public mutating func keep(_ value: String, under key: String, for app: AppID) {
        storage.keep(value, under: key, for: app)
    }

    /// What the phone's clock shows.
    public func wallTime(at now: Instant) -> WallTime { clock.reading(at: now) }

    /// Takes one fact.
    public mutating func handle(_ event: PhoneEvent, in turn: inout Turn<PhoneEffect>) {
        switch event {
        case .foundOpen(let app):
            findOpen(app, in: &turn)
        case .user(let action):
            act(action, in: &turn)
        case .ordered(let app, let order):
            perform(order, of: app, in: &turn)
        case .handlerReturned(let app, let duty):
            guard processes.indices.contains(app.index) else { return }
            tellProcess(of: app, .handlerReturned(duty), in: &turn)
            let isExempt = isExemptFromReporting(app)
            let returned = PushInbox.Event.handlerReturned(app, duty, isExempt: isExempt)
            tellPushes(returned, in: &turn)
        case .interfaceChanged(let kind, let isUp, let notice):
            tellNetwork(.interfaceChanged(kind, isUp: isUp, notice), in: &turn)
        case .accessoryChanged(let accessory, let isAttached):
            let event = AudioSession.Event.accessoryChanged(accessory, isAttached: isAttached)
            tellAudio(event, in: &turn)
        case .engineConditionChanged(let condition):
            tellAudio(.engineConditionChanged(condition), in: &turn)
        case .storageConditionChanged(let condition):
            tellStorage(.conditionChanged(condition), in: &turn)
        case .clockSet(let offset):
            tellClock(.set(offset: offset), in: &turn)
        case .focusChanged(let isOn):
            tellCalls(.focus(isOn: isOn), in: &turn)
        case .pushTokenIssued(let app, let token):
            guard processes.indices.contains(app.index) else { return }
            tellPushes(.tokenIssued(app, token), in: &turn)
        case .pushTokenWithdrawn(let app):
            guard processes.indices.contains(app.index) else { return }
            tellPushes(.tokenWithdrawn(app), in: &turn)
        case .pushArrived(let app, let payload):
            guard processes.indices.contains(app.index) else { return }
            let isRunning = process(of: app) == .running
            let arrived = PushInbox.Event.arrived(app, payload: payload, isRunning: isRunning)
            tellPushes(arrived, in: &turn)
        case .ranInBackground(let app):
            guard processes.indices.contains(app.index) else { return }
            tellProcess(of: app, .wokenForTask, in: &turn)
        }
        deadline = nextDeadline
    }

    /// Wakes the facilities; each ignores a wake before its own deadline (law L2).
    public mutating func wake(in turn: inout Turn<PhoneEffect>) {
        tellNetwork(nil, in: &turn)
        tellScenes(nil, in: &turn)
        tellAudio(nil, in: &turn)
        tellPushes(nil, in: &turn)
        tellCalls(nil, in: &turn)
        tellStorage(nil, in: &turn)
        for app in apps {
            tellMicrophone(of: app, nil, in: &turn)
            tellProcess(of: app, nil, in: &turn)
        }
        deadline = nextDeadline
    }

    private var nextDeadline: Deadline? {
        var earliest = Deadline.earliest(network.deadline, scenes.deadline)
        earliest = .earliest(earliest, audio.deadline)
        earliest = .earliest(earliest, pushes.deadline)
        earliest = .earliest(earliest, calls.deadline)
        earliest = .earliest(earliest, storage.deadline)
        for microphone in microphones { earliest = .earliest(earliest, microphone.deadline) }
        for process in processes { earliest = .earliest(earliest, process.deadline) }
        return earliest
    }

    /// The apps in the order of their indices.
    var apps: [AppID] { processes.indices.map(AppID.init) }
}
