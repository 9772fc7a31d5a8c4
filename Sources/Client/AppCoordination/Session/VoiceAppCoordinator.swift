public import RealtimeVoice
public import SansIO

/// The voice app: the walk from launch to a live conversation, and what moves it afterwards.
///
/// A machine made of machines: login, device identity and session. Their orders leave as they are or
/// meet another of them here. At launch the status walks through login (if there is one), device
/// identity, microphone permission, voice engine and connection; a step that fails says so and stops
/// there (RS-08), until the user asks again.
///
/// The voice engine runs exactly while a conversation is wanted and no other app has the audio
/// (RS-15, AN-20): when the session leaves its room the microphone is closed and the system may
/// suspend the app; when it comes back the engine starts beside the connect.
public struct VoiceAppCoordinator: StateMachine {
    /// A fact for the app.
    public typealias Event = VoiceAppEvent
    /// An order from the app.
    public typealias Effect = VoiceAppEffect

    /// What the app is at.
    enum Step: Sendable, Equatable {
        /// No conversation is wanted at this point of the walk.
        case idle
        /// The user has to sign in (RS-12).
        case signingIn
        /// The device's identity is read or made (RS-03).
        case identifying
        /// The microphone's permission is asked for.
        case askingForMicrophone(OperationID)
        /// The voice engine starts.
        case startingEngine
        /// The session has the word.
        case live
        /// A step failed.
        case stopped
    }

    /// What the voice engine does.
    enum Engine: Sendable, Equatable {
        case stopped
        case starting(OperationID)
        case running
        /// It did not start; tried again at `retryAt`, or once another's audio is free.
        case failed(retryAt: Instant?)
    }

    /// How long a conversation waits for an engine that did not start: right after a call the audio session
    /// may not be had yet.
    static let engineRetryDelay = Duration.seconds(1)
    /// The same from the third failure in a row on, of which the user reads.
    static let engineSlowRetryDelay = Duration.seconds(5)
    static let engineFailuresMax = 3
    /// How long after a failed start the app may hear that another took the audio.
    static let audioNewsTime = Duration.seconds(1)
    /// From one start to the next while a call has the audio that the app was not told of.
    static let outrankedRetryDelay = Duration.seconds(2)

    /// Each inner machine may end one thing and begin another, and the session twice.
    public static var effectsPerCallMax: Int {
        2 * RealtimeSession.effectsPerCallMax + LoginSession.effectsPerCallMax
            + 2 * AudioAdapter.effectsPerCallMax + 8
    }

    /// An app ends with its process.
    public var isFinished: Bool { false }

    let configuration: VoiceAppConfiguration
    var operations: OperationCounter
    var store: DeviceIdentityStore
    var login: LoginSession
    var session: RealtimeSession
    /// Fits the published audio to phone and link; `nil` in an app that publishes at one rate.
    var audio: AudioAdapter?

    var step = Step.idle
    var engine = Engine.stopped
    /// How often in a row it did not start.
    var engineFailures = 0
    /// When a start that failed ended the walk, if that is what ended it.
    var engineFailedAt: Instant?
    /// Whether the engine is left alone until somebody has reason to think that the audio is free.
    var isAudioTaken = false
    /// Whether another had the audio when the app was told last, and no engine has run since.
    var isAudioElsewhere = false
    /// Whether the app knows that from a refused start, so that nobody will tell it of the end.
    var isOutranked = false
    /// Whether the walk's engine is the first since a call: it may not be had at once.
    var followsCall = false
    var bearer: String?
    var deviceID: String?
    /// Whether the walk ended because the keychain failed: it may be read later, as once the phone
    /// is unlocked for the first time.
    var isIdentityUnread = false
    /// The identity that the server refused this user; a second one in a row is not replaced.
    var refusedDeviceID: String?
    /// Whether the user asked for this walk, so that it connects whatever the phase.
    var isAskedFor = false
    /// The scene's phase, once it was told.
    var phase: ScenePhase?
    /// Until when an app that was asked for out of sight has to come to the front.
    var frontDue: Instant?
    var shown: SessionStatus?

    /// Makes an app that was not launched yet.
    ///
    /// - Parameters:
    ///   - configuration: What can be tuned.
    ///   - seed: The entropy of its identity and its jitter.
    public init(configuration: VoiceAppConfiguration, seed: UInt64) {
        self.configuration = configuration
        var seeds = SeededGenerator(seed: seed)
        operations = OperationCounter(lane: 0, of: 4)
        store = DeviceIdentityStore(
            seed: seeds.next(),
            operations: OperationCounter(lane: 1, of: 4)
        )
        login = LoginSession(seed: ~seed, operations: OperationCounter(lane: 2, of: 4))
        session = RealtimeSession(
            configuration: configuration.session,
            seed: seeds.next(),
            audio: .starting,
            operations: OperationCounter(lane: 3, of: 4)
        )
        audio = configuration.audio.isEnabled ? AudioAdapter(configuration.audio) : nil
    }

    /// What the app shows, if anything yet.
    public var status: SessionStatus? { shown }

    /// The earliest of the inner machines' deadlines.
    public var deadline: Deadline? {
        var earliest = Deadline.earliest(login.deadline, session.deadline)
        if case .failed(let retryAt?) = engine {
            earliest = .earliest(earliest, Deadline(retryAt, "voice engine"))
        }
        return .earliest(earliest, frontDue.map { Deadline($0, "front") })
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .launched: launched(in: &turn)
        case .connectTapped, .notificationTapped:
            reclaimAudio()
            asked(in: &turn)
        case .disconnectTapped: disconnectTapped(in: &turn)
        case .logoutTapped: logoutTapped(in: &turn)
        case .signedIn(let proof): tellLogin(proof.loginEvent, in: &turn)
        case .scenePhaseChanged(let phase):
            if phase == .active { reclaimAudio() }
            phaseChanged(phase, in: &turn)
        case .pathChanged(let path): pathChanged(path, in: &turn)
        case .reservesChanged(let reserves): tellAudio(.reservesChanged(reserves), in: &turn)
        case .clockChanged(let time): tellSession(.clockChanged(time), in: &turn)
        case .muteTapped(let isMuted):
            tellSession(.muteChanged(isMuted: isMuted), in: &turn)
        case .audioSessionTaken: audioTaken(at: turn.now)
        case .audioSessionReturned: audioReturned()
        case .secureStorageRead(let operation, let answer):
            // The keychain's answer is for whoever asked; the other ignores it (law L6).
            tellLogin(.secureStorageRead(operation, answer), in: &turn)
            tellStore(.secureStorageRead(operation, answer), in: &turn)
        case .secureStorageWritten(let operation, let isKept):
            tellLogin(.secureStorageWritten(operation, isKept: isKept), in: &turn)
            tellStore(.secureStorageWritten(operation, isKept: isKept), in: &turn)
        case .microphonePermissionAnswered(let operation, let isGranted):
            permissionAnswered(operation, isGranted, in: &turn)
        case .voiceEngineAnswered(let operation, let isRunning):
            engineAnswered(operation, isRunning, in: &turn)
        case .voiceEngineStopped:
            if engine == .running { engineFailed(in: &turn) }
        case .voiceEngineOutranked(let operation):
            engineOutranked(operation, in: &turn)
        case .apiAnswered(let operation, let answer):
            tellLogin(.apiAnswered(operation, answer), in: &turn)
            tellSession(.apiAnswered(operation, answer), in: &turn)
        case .probeAnswered(let operation):
            tellSession(.probeAnswered(operation), in: &turn)
        case .room(let room, let callback):
            tellAudio(of: callback, from: room, in: &turn)
            tellSession(.room(room, callback), in: &turn)
        }
        settleEngine(in: &turn)
    }

    /// Wakes the inner machines; each ignores a wake before its own deadline (law L2).
    public mutating func wake(in turn: inout Turn<Effect>) {
        tellLogin(nil, in: &turn)
        tellSession(nil, in: &turn)
        if case .failed(let retryAt?) = engine, turn.now >= retryAt {
            startEngine(in: &turn)
        }
        if let frontDue, turn.now >= frontDue { stayedAway(in: &turn) }
        settleEngine(in: &turn)
    }
}
