public import IncomingCalls
import RealtimeVoice
public import SansIO

/// The calling app: pushes, calls and their media, joined.
///
/// A machine made of machines: the registry of calls, the token's registration, the inbox of missed
/// calls, login and device identity, and a session for each of two lines. A call that both sides agreed
/// on takes a line, whose session joins the call's room; a call that ends leaves it. Whatever is not
/// known yet is waited for by the machine that needs it, so that a push to a killed app is reported and
/// even answered before the keychain has been read.
///
/// Sound starts only when the system has activated the audio session (RS-15): until then a session
/// connects with its microphone closed and its renderer off, which costs no time later. A call on hold
/// stays in its room, silent. No call is placed or answered before the user allows the microphone.
public struct CallAppCoordinator: StateMachine {
    /// A fact for the app.
    public typealias Event = CallAppEvent
    /// An order from the app.
    public typealias Effect = CallAppEffect

    /// A slot for a call's media.
    struct Line: Sendable, Equatable {
        var session: RealtimeSession
        /// The call that has the line.
        var uuid: UniqueID?
        var isHeld = false
        /// Whether the registry knows that the media are joined.
        var isConnected = false
        /// Whether it knows that the other side was heard.
        var isHeard = false
        /// Whether joined media are lost for now, and whether the registry knows.
        var isApart = false
        var isKnownApart = false
    }

    /// What the voice engine does.
    enum Engine: Sendable, Equatable {
        case stopped
        case starting(OperationID)
        case running
        /// It did not start, and is tried again then.
        case failed(retryAt: Instant)
    }

    /// How many lines there are: as many as calls at a time.
    public static let linesMax = 2
    /// How long after a failed start the engine is started again.
    static let engineRetryDelay = Duration.seconds(1)
    /// The same from the third failure in a row on, for as long as there is a call to be heard.
    static let engineSlowRetryDelay = Duration.seconds(5)
    static let engineFailuresMax = 3
    /// How often a locked keychain is read again while there is a call; an assumption.
    static let keychainInterval = Duration.seconds(2)
    /// How often a device without an identity asks for one while nobody calls; an assumption.
    static let identityInterval = Duration.seconds(60)

    /// All calls end, and each line's session with them.
    public static var effectsPerCallMax: Int {
        CallRegistry.effectsPerCallMax + 4 * RealtimeSession.effectsPerCallMax
            + MissedCallInbox.effectsPerCallMax + 20
    }

    /// An app ends with its process.
    public var isFinished: Bool { false }

    var operations = OperationCounter(lane: 0, of: 8)
    var store: DeviceIdentityStore
    var login: LoginSession
    var registry: CallRegistry
    var registration: PushTokenRegistration
    var inbox: MissedCallInbox
    var lines: [Line]

    let noticesMissedCalls: Bool
    var engine = Engine.stopped
    /// How often in a row it did not start.
    var engineFailures = 0
    var bearer: String?
    var deviceID: String?
    /// Whether that is refused, and the keychain has not kept another one.
    var lacksSuccessor = false
    /// Who has logged out, for what the server is still to be told in their name.
    var formerCredentials: CallCredentials?
    /// Whether the user logs out as soon as the app knows who they are.
    var isLeaving = false
    /// When a locked keychain is read again, if a call waits for it.
    var readsAgainAt: Instant?
    /// Whether the user lets the app have the microphone.
    var microphone: MicrophoneAccess
    /// The question for it that the user has not answered.
    var microphoneRequest: OperationID?
    /// Whom the user has called, until they have decided about the microphone.
    var pendingDial: Dial?
    /// Whether the user was told that a call waits for them to open the app.
    var hasBeenToldToOpen = false
    /// The scene's phase, once it was told.
    var phase: ScenePhase?
    /// Whether the app has asked for time in the background.
    var hasAskedForTime = false
    /// Whether the system gives no more of it until it wakes the app for something else.
    var isOutOfTime = false

    /// Makes an app that was not launched yet.
    ///
    /// - Parameters:
    ///   - configuration: What can be tuned; at most two calls at a time.
    ///   - storage: What the app's storage kept.
    ///   - clock: The user's clock.
    ///   - microphone: Whether the user lets the app have the microphone
    ///     (`AVAudioApplication.recordPermission`).
    ///   - seed: The entropy of its identities and its jitter.
    public init(
        configuration: CallAppConfiguration,
        restoring storage: CallAppStorage,
        clock: WallClock,
        microphone: MicrophoneAccess,
        seed: UInt64
    ) {
        precondition(
            (1...Self.linesMax).contains(configuration.calls.callsMax),
            "\(configuration.calls.callsMax) calls at a time do not fit \(Self.linesMax) lines"
        )
        var seeds = SeededGenerator(seed: seed)
        var waits = SeededGenerator(seed: ~seed)
        noticesMissedCalls = configuration.calls.noticesMissedCalls
        self.microphone = microphone
        store = DeviceIdentityStore(
            seed: seeds.next(),
            operations: OperationCounter(lane: 1, of: 8)
        )
        registry = CallRegistry(
            configuration: configuration.calls,
            restoring: storage.callMemory,
            clock: clock,
            microphone: microphone,
            seed: seeds.next(),
            operations: OperationCounter(lane: 3, of: 8)
        )
        registration = PushTokenRegistration(
            bundleId: configuration.bundleId,
            followsPath: configuration.calls.registersOnPath,
            seed: waits.next(),
            operations: OperationCounter(lane: 4, of: 8)
        )
        inbox = MissedCallInbox(
            restoring: storage.missedCalls,
            every: configuration.calls.missedCallInterval,
            seed: waits.next(),
            operations: OperationCounter(lane: 5, of: 8)
        )
        login = LoginSession(seed: waits.next(), operations: OperationCounter(lane: 2, of: 8))
        lines = []
        for lane in 6..<8 as Range<UInt32> {
            let session = RealtimeSession(
                configuration: configuration.session,
                seed: seeds.next(),
                audio: .starting,
                operations: OperationCounter(lane: lane, of: 8)
            )
            lines.append(Line(session: session))
        }
    }

    /// The calls that are going on, in the order in which they came.
    public var calls: [CallDescription] { registry.descriptions }

    /// The earliest of the inner machines' deadlines.
    public var deadline: Deadline? {
        var earliest = Deadline.earliest(login.deadline, registry.deadline)
        earliest = .earliest(earliest, registration.deadline)
        earliest = .earliest(earliest, inbox.deadline)
        for line in lines { earliest = .earliest(earliest, line.session.deadline) }
        if case .failed(let retryAt) = engine {
            earliest = .earliest(earliest, Deadline(retryAt, "voice engine"))
        }
        if let readsAgainAt {
            earliest = .earliest(earliest, Deadline(readsAgainAt, "locked keychain"))
        }
        return earliest
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .launched, .scenePhaseChanged, .pushReceived, .actionRequested: isOutOfTime = false
        case .backgroundTimeExpired: isOutOfTime = true
        // Who signs in wants to stay.
        case .signedIn: isLeaving = false
        default: break
        }
        // Another activation is another chance for an engine that did not start.
        if event == .audioActivated, case .failed = engine { engine = .stopped }
        if let fact = event.registryFact {
            tellRegistry(fact, in: &turn)
            if event.comesFromOutside { readAgain(in: &turn) }
        } else {
            handleOther(event, in: &turn)
            if isLeaving { logoutTapped(in: &turn) }
        }
        settle(in: &turn)
    }

    /// Wakes the inner machines; each ignores a wake before its own deadline (law L2).
    public mutating func wake(in turn: inout Turn<Effect>) {
        tellRegistry(nil, in: &turn)
        tellLogin(nil, in: &turn)
        tellRegistration(nil, in: &turn)
        tellInbox(nil, in: &turn)
        tellSessions(nil, in: &turn)
        if case .failed(let retryAt) = engine, turn.now >= retryAt { engine = .stopped }
        if let readsAgainAt, turn.now >= readsAgainAt {
            self.readsAgainAt = nil
            readAgain(in: &turn)
        }
        settle(in: &turn)
    }
}
