public import SansIO

/// Keeps microphone and speaker at work for as long as an app wants them.
///
/// The microphone is asked for first; then the voice engine is started, again when an interruption is
/// over, and after a pause where a start failed. The system may forget to say that an interruption is
/// over ("there is no guarantee that a begin interruption will have a corresponding end interruption",
/// Apple, Handling audio interruptions), so a start is tried now and then while one lasts.
public struct SoundKeeper: StateMachine {
    /// A fact for the keeper.
    public enum Event: Sendable, Equatable {
        /// The app wants sound from now on, or does no more.
        case wanted(Bool)
        /// The system answered about the microphone.
        case microphonePermissionAnswered(OperationID, isGranted: Bool)
        /// The system answered the start of the engine.
        case voiceEngineAnswered(OperationID, isRunning: Bool)
        /// The system refused the start of the engine, since a call has the audio (Apple,
        /// `AVAudioSession.ErrorCode.insufficientPriority`).
        case voiceEngineOutranked(OperationID)
        /// A phone call or another app took the audio; the system has stopped the engine.
        case audioSessionTaken
        /// The audio may be had again.
        case audioSessionReturned
        /// The system has stopped the engine, since microphone or speaker are others now, as when a headset
        /// comes or goes (Apple, `AVAudioEngineConfigurationChange`).
        case engineConfigurationChanged
    }

    /// An order from the keeper.
    public enum Effect: Sendable, Equatable {
        /// Set the audio session's category, mode and options; comes before the first start of the engine.
        case configureAudioSession(AudioSessionConfiguration)
        /// Ask for the microphone.
        case requestMicrophonePermission(OperationID)
        /// Activate the audio session and start the engine.
        case startVoiceEngine(OperationID)
        /// Stop the engine and give the audio session back.
        case stopVoiceEngine
        /// Microphone and speaker work from now on, or do no more.
        case soundChanged(isOn: Bool)
    }

    /// The times between starts.
    public struct Configuration: Sendable, Equatable {
        /// After the first failed start; doubled after each further one.
        public var firstRetryDelay = Duration.milliseconds(500)
        /// The longest time between failed starts.
        public var retryDelayMax = Duration.seconds(8)
        /// The longest time between starts that fail because of a call, if its end won't be announced.
        public var outrankedDelayMax = Duration.seconds(2)
        /// From one try to the next while another app has the audio.
        public var interruptionPatience = Duration.seconds(10)
        /// What the app asks of the audio session.
        public var session = AudioSessionConfiguration()

        /// The default times.
        public init() {}
    }

    enum State: Sendable, Equatable {
        /// No sound is wanted.
        case idle
        /// The user is being asked for the microphone.
        case asking(OperationID)
        /// The user refused it; the system ends the app before it could be allowed.
        case refused
        /// The engine is being started, after this number of failures.
        case starting(OperationID, failures: Int)
        /// The next start is due then.
        case waiting(until: Instant, failures: Int)
        /// Microphone and speaker work.
        case on
    }

    /// The order to stop, and the change that follows from it.
    public static var effectsPerCallMax: Int { 2 }

    /// Sound can always be wanted again.
    public var isFinished: Bool { false }

    private(set) var state = State.idle
    private let configuration: Configuration
    private var operations: UInt32 = 0
    private var isConfigured = false
    /// Whether the app was told that another has the audio: it will be told of the end as well.
    private var isInterrupted = false

    /// Makes a keeper with the sound off.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Whether microphone and speaker work.
    public var isOn: Bool { state == .on }

    /// The next start.
    public var deadline: Deadline? {
        guard case .waiting(let until, _) = state else { return nil }
        return Deadline(until, "engine start")
    }

    /// Takes one fact; answers to what is no longer waited for are ignored.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .wanted(true):
            guard state == .idle else { return }
            let operation = nextOperation()
            state = .asking(operation)
            turn.order(.requestMicrophonePermission(operation))
        case .wanted(false):
            stop(in: &turn)
        case .microphonePermissionAnswered(let operation, let isGranted):
            guard state == .asking(operation) else { return }
            guard isGranted else {
                state = .refused
                return
            }
            start(failures: 0, in: &turn)
        case .voiceEngineAnswered(let operation, let isRunning):
            guard case .starting(operation, let failures) = state else { return }
            guard isRunning else {
                return failed(failures, delayMax: configuration.retryDelayMax, at: turn.now)
            }
            state = .on
            isInterrupted = false
            turn.order(.soundChanged(isOn: true))
        case .voiceEngineOutranked(let operation):
            guard case .starting(operation, let failures) = state else { return }
            let delayMax =
                isInterrupted ? configuration.retryDelayMax : configuration.outrankedDelayMax
            failed(failures, delayMax: delayMax, at: turn.now)
        case .audioSessionTaken:
            isInterrupted = true
            taken(in: &turn)
        case .audioSessionReturned:
            isInterrupted = false
            guard case .waiting = state else { return }
            start(failures: 0, in: &turn)
        case .engineConfigurationChanged:
            guard state == .on else { return }
            turn.order(.soundChanged(isOn: false))
            start(failures: 0, in: &turn)
        }
    }

    /// Starts the engine when it is due.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard case .waiting(let until, let failures) = state, until <= turn.now else { return }
        start(failures: failures, in: &turn)
    }

    private mutating func start(failures: Int, in turn: inout Turn<Effect>) {
        if !isConfigured {
            isConfigured = true
            turn.order(.configureAudioSession(configuration.session))
        }
        let operation = nextOperation()
        state = .starting(operation, failures: failures)
        turn.order(.startVoiceEngine(operation))
    }

    private mutating func failed(_ failures: Int, delayMax: Duration, at now: Instant) {
        let delay = min(configuration.firstRetryDelay * (1 << min(failures, 10)), delayMax)
        state = .waiting(until: now.advanced(by: delay), failures: failures + 1)
    }

    private mutating func taken(in turn: inout Turn<Effect>) {
        let next = State.waiting(
            until: turn.now.advanced(by: configuration.interruptionPatience),
            failures: 0
        )
        switch state {
        case .idle, .asking, .refused:
            return
        case .starting, .waiting:
            state = next
        case .on:
            state = next
            turn.order(.soundChanged(isOn: false))
        }
    }

    private mutating func stop(in turn: inout Turn<Effect>) {
        defer { state = .idle }
        switch state {
        case .idle, .asking, .refused:
            return
        case .starting, .waiting:
            turn.order(.stopVoiceEngine)
        case .on:
            turn.order(.stopVoiceEngine)
            turn.order(.soundChanged(isOn: false))
        }
    }

    private mutating func nextOperation() -> OperationID {
        operations += 1
        return OperationID(number: operations)
    }
}
