import RealtimeVoice
import SansIO

/// The walk from launch to live: login, identity, microphone, engine (RS-08).
extension VoiceAppCoordinator {
    mutating func launched(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch step {
        case .idle, .stopped: walk(at: now, into: &effects)
        case .signingIn, .identifying, .askingForMicrophone, .startingEngine, .live: return
        }
    }

    /// The user wants to talk, by a tap in the app or on a notification (RS-13).
    mutating func asked(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        isAskedFor = true
        switch step {
        case .idle, .stopped: walk(at: now, into: &effects)
        case .signingIn: tellLogin(.requested, at: now, into: &effects)
        case .identifying, .askingForMicrophone, .startingEngine: return
        case .live: connect(at: now, into: &effects)
        }
    }

    /// Ends the conversation, or a walk that would lead to one.
    mutating func disconnectTapped(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        isAskedFor = false
        switch step {
        case .idle, .stopped:
            return
        case .signingIn where shown == SessionStatus(.signedOut):
            // Who is asked to sign in still is, and then talks only if they ask for it.
            step = .idle
        case .signingIn, .identifying, .askingForMicrophone, .startingEngine:
            step = .idle
            show(SessionStatus(.disconnected), into: &effects)
        case .live:
            tell(.disconnectRequested, at: now, into: &effects)
        }
    }

    /// Takes the user back to the login, where there is one (RS-12).
    mutating func logoutTapped(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard configuration.login == .signedIn else { return }
        tellLogin(.loggedOut, at: now, into: &effects)
    }

    mutating func signedIn(
        by proof: SignIn,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch proof {
        case .passkey(let assertion):
            tellLogin(.passkeyAsserted(assertion), at: now, into: &effects)
        case .apple(let identityToken):
            tellLogin(.appleSignedIn(identityToken: identityToken), at: now, into: &effects)
        }
    }

    /// Begins the walk.
    mutating func walk(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch configuration.login {
        case .deviceIdentity:
            identify(at: now, into: &effects)
        case .signedIn:
            step = .signingIn
            tellLogin(.requested, at: now, into: &effects)
        }
    }

    mutating func identify(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        step = .identifying
        show(SessionStatus(.preparingDevice), into: &effects)
        tellStore(.requested, at: now, into: &effects)
    }

    /// Gives this user an identity of their own where the server has the phone's for another user's, and goes
    /// the rest of the walk again.
    mutating func identifyAnew(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let deviceID, refusedDeviceID == nil || refusedDeviceID == deviceID else {
            return stop(.deviceIdentityFailed, into: &effects)
        }
        refusedDeviceID = deviceID
        step = .identifying
        show(SessionStatus(.preparingDevice), into: &effects)
        tellStore(.refused(deviceID), at: now, into: &effects)
    }

    mutating func askForMicrophone(into effects: inout EffectBuffer<Effect>) {
        let operation = operations.next()
        step = .askingForMicrophone(operation)
        show(SessionStatus(.askingForMicrophone), into: &effects)
        effects.append(.requestMicrophonePermission(operation))
    }

    mutating func permissionAnswered(
        _ operation: OperationID,
        _ isGranted: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard step == .askingForMicrophone(operation) else { return }
        guard isGranted else { return stop(.microphoneRefused, into: &effects) }
        step = .startingEngine
        show(SessionStatus(.startingEngine), into: &effects)
        if engine == .running { goLive(at: now, into: &effects) }
    }

    /// Starts or stops the engine where it is not as it should be, and tells the session.
    mutating func settleEngine(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch (engine, wantsEngine) {
        case (.stopped, true):
            startEngine(into: &effects)
        case (.starting, false), (.running, false):
            engine = .stopped
            effects.append(.stopVoiceEngine)
        case (.failed, false):
            engine = .stopped
        case (.stopped, false), (.starting, true), (.running, true), (.failed, true):
            break
        }
        guard audioAccess != session.audio else { return }
        tell(.audioAccessChanged(audioAccess), at: now, into: &effects)
    }

    mutating func startEngine(into effects: inout EffectBuffer<Effect>) {
        let operation = operations.next()
        engine = .starting(operation)
        effects.append(.startVoiceEngine(operation))
    }

    /// Whoever had the audio may be done: the system need not say so (an interruption's end is not
    /// guaranteed to be told), so that the user's return or wish is reason enough to try.
    mutating func reclaimAudio() {
        isAudioTaken = false
        if case .failed = engine { engine = .stopped }
        engineFailures = 0
    }

    private var wantsEngine: Bool {
        guard !isAudioTaken else { return false }
        return switch step {
        case .idle, .signingIn, .identifying, .askingForMicrophone, .stopped: false
        case .startingEngine: true
        case .live: session.isActive
        }
    }

    private var audioAccess: AudioAccess {
        if isAudioTaken { return .taken }
        return switch engine {
        case .running: .available
        case .stopped, .starting: .starting
        case .failed(let retryAt): retryAt == nil ? .taken : .starting
        }
    }

    mutating func engineAnswered(
        _ operation: OperationID,
        _ isRunning: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard engine == .starting(operation) else { return }
        guard isRunning else { return engineFailed(at: now, into: &effects) }
        engine = .running
        engineFailures = 0
        if step == .startingEngine { goLive(at: now, into: &effects) }
    }

    /// A walk ends there; a conversation goes on without sound, since to leave would end it for good.
    private mutating func engineFailed(
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch step {
        case .live:
            engineFailures += 1
            let isTriedAgain = engineFailures < Self.engineFailuresMax
            engine = .failed(
                retryAt: isTriedAgain ? now.advanced(by: Self.engineRetryDelay) : nil
            )
        case .idle, .signingIn, .identifying, .askingForMicrophone, .startingEngine, .stopped:
            engine = .stopped
            stop(.engineFailed, into: &effects)
        }
    }

    private mutating func goLive(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        step = .live
        connect(at: now, into: &effects)
    }

    /// Connects: at once if the user asked, else as the phase allows (RS-07).
    private mutating func connect(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let deviceID else { return }
        let identity = SessionIdentity(deviceID: deviceID, bearer: bearer)
        tell(
            isAskedFor ? .connectRequested(identity) : .becameReady(identity),
            at: now,
            into: &effects
        )
        isAskedFor = false
        if !session.isActive { show(session.status, into: &effects) }
    }

    mutating func stop(_ stage: SessionStage, into effects: inout EffectBuffer<Effect>) {
        isAskedFor = false
        step = .stopped
        show(SessionStatus(stage), into: &effects)
    }

    mutating func show(_ status: SessionStatus, into effects: inout EffectBuffer<Effect>) {
        guard status != shown else { return }
        shown = status
        effects.append(.show(status))
    }
}
