import RealtimeVoice
import SansIO

/// The walk from launch to live: login, identity, microphone, engine (RS-08).
extension VoiceAppCoordinator {
    mutating func launched(in turn: inout Turn<Effect>) {
        switch step {
        case .idle, .stopped: walk(in: &turn)
        case .signingIn, .identifying, .askingForMicrophone, .startingEngine, .live: return
        }
    }

    /// The user wants to talk, by a tap in the app or on a notification (RS-13).
    mutating func asked(in turn: inout Turn<Effect>) {
        isAskedFor = true
        expectFront(at: turn.now)
        switch step {
        case .idle, .stopped: walk(in: &turn)
        case .signingIn: tellLogin(.requested, in: &turn)
        case .identifying, .askingForMicrophone, .startingEngine: return
        case .live: connect(in: &turn)
        }
    }

    /// Ends the conversation, or a walk that would lead to one.
    mutating func disconnectTapped(in turn: inout Turn<Effect>) {
        forgetWalk()
        switch step {
        case .idle, .stopped:
            return
        case .signingIn where shown == SessionStatus(.signedOut):
            // Who is asked to sign in still is, and then talks only if they ask for it.
            step = .idle
        case .signingIn, .identifying, .askingForMicrophone, .startingEngine:
            step = .idle
            show(SessionStatus(.disconnected), in: &turn)
        case .live:
            tellSession(.disconnectRequested, in: &turn)
        }
    }

    /// Takes the user back to the login, where there is one (RS-12).
    mutating func logoutTapped(in turn: inout Turn<Effect>) {
        guard configuration.login == .signedIn else { return }
        tellLogin(.loggedOut, in: &turn)
    }

    /// Begins the walk.
    mutating func walk(in turn: inout Turn<Effect>) {
        switch configuration.login {
        case .deviceIdentity:
            identify(in: &turn)
        case .signedIn:
            step = .signingIn
            tellLogin(.requested, in: &turn)
        }
    }

    mutating func identify(in turn: inout Turn<Effect>) {
        step = .identifying
        show(SessionStatus(.preparingDevice), in: &turn)
        tellStore(.requested, in: &turn)
    }

    /// Gives this user an identity of their own where the server has the phone's for another user's, and goes
    /// the rest of the walk again.
    mutating func identifyAnew(in turn: inout Turn<Effect>) {
        guard let deviceID, refusedDeviceID == nil || refusedDeviceID == deviceID else {
            return stop(.deviceIdentityFailed, in: &turn)
        }
        refusedDeviceID = deviceID
        step = .identifying
        show(SessionStatus(.preparingDevice), in: &turn)
        tellStore(.refused(deviceID), in: &turn)
    }

    mutating func askForMicrophone(in turn: inout Turn<Effect>) {
        let operation = operations.next()
        step = .askingForMicrophone(operation)
        show(SessionStatus(.askingForMicrophone), in: &turn)
        turn.order(.requestMicrophonePermission(operation))
    }

    mutating func permissionAnswered(
        _ operation: OperationID,
        _ isGranted: Bool,
        in turn: inout Turn<Effect>
    ) {
        guard step == .askingForMicrophone(operation) else { return }
        guard isGranted else { return stop(.microphoneRefused, in: &turn) }
        step = .startingEngine
        showEngine(in: &turn)
        if engine == .running { goLive(in: &turn) }
    }

    /// Starts or stops the engine where it is not as it should be, and tells the session.
    mutating func settleEngine(in turn: inout Turn<Effect>) {
        if !wantsEngine { forgetOutranking() }
        showEngine(in: &turn)
        switch (engine, wantsEngine) {
        case (.stopped, true):
            startEngine(in: &turn)
        case (.starting, false), (.running, false):
            engine = .stopped
            engineFailures = 0
            turn.order(.stopVoiceEngine)
        case (.failed, false):
            engine = .stopped
            engineFailures = 0
        case (.stopped, false), (.starting, true), (.running, true), (.failed, true):
            break
        }
        if audioAccess != session.audio {
            tellSession(.audioAccessChanged(audioAccess), in: &turn)
        }
        // Why there is no sound may have changed, of which the session knows nothing.
        if step == .live, session.status.stage == .audioTaken {
            show(worded(session.status), in: &turn)
        }
    }

    /// Shows what the walk's last step waits for: the engine, or the end of a call.
    private mutating func showEngine(in turn: inout Turn<Effect>) {
        guard step == .startingEngine else { return }
        show(SessionStatus(isAudioElsewhere ? .audioTaken : .startingEngine), in: &turn)
    }

    /// The session's status as it is shown.
    ///
    /// The session takes an engine that cannot be started for another's audio, and holds on to a call's
    /// for a moment after it.
    func worded(_ status: SessionStatus) -> SessionStatus {
        guard status.stage == .audioTaken, !isAudioElsewhere else { return status }
        let failed = SessionStatus(.engineFailed)
        return isEngineBroken || shown == failed ? failed : status
    }

    mutating func startEngine(in turn: inout Turn<Effect>) {
        let operation = operations.next()
        engine = .starting(operation)
        tellAudio(.engineStarts, in: &turn)
        turn.order(.startVoiceEngine(operation))
    }

    /// Another has the audio; a start that failed a moment ago did so for that.
    mutating func audioTaken(at now: Instant) {
        isAudioTaken = true
        isAudioElsewhere = true
        isOutranked = false
        guard step == .stopped, let failedAt = engineFailedAt,
            now <= failedAt.advanced(by: Self.audioNewsTime)
        else { return }
        step = .startingEngine
    }

    /// The audio is free again.
    mutating func audioReturned() {
        isAudioElsewhere = false
        isOutranked = false
        followsCall = step == .startingEngine
        reclaimAudio()
    }

    /// Whoever had the audio may be done: the system need not say so (an interruption's end is not
    /// guaranteed to be told), so that the user's return or wish is reason enough to try.
    ///
    /// Until an engine runs the user reads that another has it.
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
        if isAudioElsewhere { return .taken }
        return switch engine {
        // Nobody is heard from out of sight.
        case .running: frontDue == nil ? .available : .starting
        // The session promises nothing of an engine that was not to be had three times.
        case .stopped, .starting, .failed: isEngineBroken ? .taken : .starting
        }
    }

    /// Whether the engine has failed so often that the user reads of it.
    private var isEngineBroken: Bool { engineFailures >= Self.engineFailuresMax }

    mutating func engineAnswered(
        _ operation: OperationID,
        _ isRunning: Bool,
        in turn: inout Turn<Effect>
    ) {
        guard engine == .starting(operation) else { return }
        guard isRunning else { return engineFailed(in: &turn) }
        engine = .running
        engineFailures = 0
        isAudioElsewhere = false
        isOutranked = false
        followsCall = false
        if step == .startingEngine { goLive(in: &turn) }
    }

    /// A walk ends there, unless another has the audio, or had it a moment ago.
    ///
    /// A conversation goes on without sound, since to leave would end it for good.
    mutating func engineFailed(in turn: inout Turn<Effect>) {
        if isOutranked {
            // The call is over, and the engine fails for another reason.
            forgetOutranking()
            followsCall = step == .startingEngine
        }
        engineFailures += 1
        let isTriedAgain = engineFailures < Self.engineFailuresMax
        let isWaitedFor = isAudioElsewhere || followsCall && isTriedAgain
        guard step == .live || step == .startingEngine && isWaitedFor else {
            engine = .stopped
            engineFailures = 0
            stop(.engineFailed, in: &turn)
            engineFailedAt = turn.now
            return
        }
        let delay = isTriedAgain ? Self.engineRetryDelay : Self.engineSlowRetryDelay
        // Of the end of another's audio the system tells, or the user's return does.
        let isTimed = isTriedAgain || !isAudioElsewhere
        engine = .failed(retryAt: isTimed ? turn.now.advanced(by: delay) : nil)
    }

    /// Who talks, once the device's identity is known.
    var identity: SessionIdentity? {
        deviceID.map { SessionIdentity(deviceID: $0, bearer: bearer) }
    }

    private mutating func goLive(in turn: inout Turn<Effect>) {
        step = .live
        connect(in: &turn)
    }

    /// Connects: at once if the user asked, else as the phase allows (RS-07).
    private mutating func connect(in turn: inout Turn<Effect>) {
        guard let identity else { return }
        tellSession(isAskedFor ? .connectRequested(identity) : .becameReady(identity), in: &turn)
        isAskedFor = false
        if !session.isActive { show(session.status, in: &turn) }
    }

    /// A walk is over: what it waited for says nothing of the next one.
    private mutating func forgetWalk() {
        isAskedFor = false
        isIdentityUnread = false
        engineFailedAt = nil
        followsCall = false
    }

    mutating func stop(_ stage: SessionStage, in turn: inout Turn<Effect>) {
        forgetWalk()
        step = .stopped
        show(SessionStatus(stage), in: &turn)
    }

    mutating func show(_ status: SessionStatus, in turn: inout Turn<Effect>) {
        guard status != shown else { return }
        shown = status
        turn.order(.show(status))
    }
}
