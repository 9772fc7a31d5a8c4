public import SansIO

/// Whose microphone and speaker it is: one owner at a time among the apps and the phone call.
///
/// Activating a session that does not mix interrupts the owner's, which is told when it may go on. A
/// phone call outranks every app: during one an activation fails. The system stops the engine of an
/// interrupted session; the app has to start it anew (Apple, "Handling audio interruptions"). What an
/// app hears of the call without a session of its own, it hears from `CXCallObserver`.
///
/// An app in the background that a call silences is suspended before long, and runs again to be told
/// that the call is over (`PhoneSystemConfiguration.resumesAfterCalls`), unless it gave its session
/// back, as the voice app does, which stops its engine when it hears of the call.
///
/// The microphone is one app's at a time, whether its session mixes or not. Music needs none: it plays on
/// beside a session that mixes (`mixWithOthers`), is stopped by one that does not, and goes on after it.
public struct AudioSession: StateMachine {
    /// A fact for the session.
    public enum Event: Sendable, Equatable {
        /// An app activates its session and starts its engine.
        case engineStartOrdered(AppID, OperationID, isInBackground: Bool)
        /// An app stops its engine and gives the session back.
        case engineStopOrdered(AppID)
        /// A phone call takes the audio, or is over.
        case phoneCall(isOn: Bool)
        /// Something of the system's own rings, or does no more.
        case ring(isOn: Bool)
        /// The call screen activates an app's session for its call, or takes it back.
        case callAudio(AppID, isTaken: Bool)
        /// The call screen takes it from an app's call for another call of the same app.
        case callAudioPaused(AppID)
        /// An app sets its session's options.
        case configured(AppID, AudioSessionOptions)
        /// A headset is connected or taken away; the one that came last is used.
        case accessoryChanged(AudioRoute, isAttached: Bool)
        /// The user starts music in an app that does nothing else, or stops it.
        case musicWanted(Bool)
        /// Engines start otherwise from now on.
        case engineConditionChanged(EngineCondition)
        /// An app was launched or resumed.
        case appListens(AppID)
        /// An app's process is held.
        case appSuspended(AppID)
        /// An app's process is gone.
        case appEnded(AppID)
    }

    /// An order from the session.
    public enum Effect: Sendable, Equatable {
        /// An app's start of its engine is answered.
        case engineAnswered(AppID, OperationID, EngineStart)
        /// An app's microphone and speaker work, or do not.
        case soundChanged(AppID, isOn: Bool)
        /// An app is told something.
        case news(AppID, AudioNews)
        /// An app that is suspended is to be told something.
        case wake(AppID)
        /// Music that the user wants plays, or does not.
        case musicChanged(MusicState)
        /// With a headset connected, sound goes another way than before.
        case routed(AudioRouting)
    }

    /// One app's session.
    struct Client: Sendable, Equatable {
        enum Engine: Sendable, Equatable {
            case stopped
            case starting(OperationID, until: Instant, fails: Bool)
            case running
        }

        var engine = Engine.stopped
        var options = AudioSessionOptions()
        var isListening = false
        /// Whether another app interrupted it and has not finished.
        var wasInterrupted = false
        /// Whether a call took the audio from its engine, and it has not had it since.
        var wasSilencedByCall = false
        /// Whether it was told last that it is interrupted.
        var wasTold = false
    }

    /// One session ends, another begins, and every app is told.
    public static var effectsPerCallMax: Int { 9 + PhoneSystem.appsMax }

    /// A phone never ends.
    public var isFinished: Bool { false }

    var clients: [Client]
    private var condition: EngineCondition
    var owner: AppID?
    /// The app that has it for a call.
    var callOwner: AppID?
    var callIsOn = false
    /// Whether that is only because something rings that nobody has answered.
    var isRinging = false
    /// The headsets that are connected, the latest last.
    var accessories: [AudioRoute] = []
    var routing = AudioRouting()
    var music = MusicState()
    /// What was told of it last.
    var told = MusicState()

    /// Makes a phone on which nothing sounds.
    ///
    /// - Parameters:
    ///   - appCount: How many apps are installed.
    ///   - condition: How engines start.
    public init(appCount: Int, condition: EngineCondition) {
        clients = Array(repeating: Client(), count: appCount)
        self.condition = condition
    }

    /// Whether an app's microphone and speaker work.
    public func soundIsOn(for app: AppID) -> Bool { clients[app.index].engine == .running }

    /// The app whose microphone and speaker work, if any.
    public var soundOwner: AppID? { owner.flatMap { soundIsOn(for: $0) ? $0 : nil } }

    /// What the sound of that app is for.
    public var soundMode: AudioMode? { soundOwner.map { clients[$0.index].options.mode } }

    /// The next engine that starts late.
    public var deadline: Deadline? {
        clients.reduce(nil) { earliest, client in
            guard case .starting(_, let until, _) = client.engine else { return earliest }
            return .earliest(earliest, Deadline(until, "engine start"))
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .engineStartOrdered(let app, let operation, let isInBackground):
            start(app, operation, isInBackground: isInBackground, in: &turn)
        case .engineStopOrdered(let app):
            clients[app.index].wasSilencedByCall = false
            stopEngine(of: app, in: &turn)
            release(app, in: &turn)
        case .phoneCall(let isOn):
            isRinging = false
            phoneCall(isOn: isOn, in: &turn)
        case .ring(let isOn): ring(isOn: isOn, in: &turn)
        case .callAudio(let app, let isTaken):
            callAudio(app, isTaken: isTaken, in: &turn)
        case .callAudioPaused(let app): stopEngine(of: app, in: &turn)
        case .configured(let app, let options): clients[app.index].options = options
        case .accessoryChanged(let accessory, let isAttached):
            change(accessory, isAttached: isAttached, in: &turn)
        case .musicWanted(let isWanted): want(music: isWanted, in: &turn)
        case .engineConditionChanged(let condition):
            self.condition = condition
        case .appListens(let app):
            clients[app.index].isListening = true
            inform(app, in: &turn)
        case .appSuspended(let app):
            clients[app.index].isListening = false
            stopEngine(of: app, answering: .cannotStartRecording, in: &turn)
            release(app, in: &turn)
        case .appEnded(let app):
            stopEngine(of: app, in: &turn)
            clients[app.index] = Client()
            if callOwner == app { callOwner = nil }
            release(app, in: &turn)
        }
        settleRouting(stopsEngine: false, in: &turn)
        settleMusic(in: &turn)
    }

    /// Lets engines that start late run or fail.
    public mutating func wake(in turn: inout Turn<Effect>) {
        for index in clients.indices {
            finishStart(of: AppID(index), in: &turn)
        }
        settleRouting(stopsEngine: false, in: &turn)
        settleMusic(in: &turn)
    }

    private mutating func start(
        _ app: AppID,
        _ operation: OperationID,
        isInBackground: Bool,
        in turn: inout Turn<Effect>
    ) {
        guard !callIsOn, callOwner == nil || callOwner == app else {
            turn.order(.engineAnswered(app, operation, .failed(.insufficientPriority)))
            return
        }
        if let owner, owner != app {
            guard !isInBackground else {
                turn.order(.engineAnswered(app, operation, .failed(.cannotInterruptOthers)))
                return
            }
            interrupt(owner, in: &turn)
        }
        owner = app
        clients[app.index].wasInterrupted = false
        clients[app.index].wasSilencedByCall = false
        clients[app.index].wasTold = false
        guard clients[app.index].engine != .running else {
            turn.order(.engineAnswered(app, operation, .running))
            return
        }
        clients[app.index].engine = .starting(
            operation,
            until: turn.now.advanced(by: condition.delay),
            fails: condition.failures > 0
        )
        condition.failures = max(0, condition.failures - 1)
        finishStart(of: app, in: &turn)
    }

    private mutating func finishStart(of app: AppID, in turn: inout Turn<Effect>) {
        guard case .starting(let operation, let until, let fails) = clients[app.index].engine,
            until <= turn.now
        else { return }
        guard !fails else {
            stopEngine(of: app, answering: .cannotStartRecording, in: &turn)
            return release(app, in: &turn)
        }
        clients[app.index].engine = .running
        turn.order(.soundChanged(app, isOn: true))
        turn.order(.engineAnswered(app, operation, .running))
    }

    /// Stops an engine; a start that is under way is answered only if the app did not stop it itself.
    mutating func stopEngine(
        of app: AppID,
        answering error: AudioError? = nil,
        in turn: inout Turn<Effect>
    ) {
        defer { clients[app.index].engine = .stopped }
        switch clients[app.index].engine {
        case .stopped:
            return
        case .running:
            turn.order(.soundChanged(app, isOn: false))
        case .starting(let operation, _, _):
            if let error { turn.order(.engineAnswered(app, operation, .failed(error))) }
        }
    }

    mutating func interrupt(_ app: AppID, in turn: inout Turn<Effect>) {
        stopEngine(of: app, answering: .insufficientPriority, in: &turn)
        clients[app.index].wasInterrupted = true
        inform(app, in: &turn)
    }

    /// Gives the session back; whoever was interrupted may go on
    /// (`AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation`).
    ///
    /// A session that the call screen gave only the call screen takes back.
    mutating func release(_ app: AppID, in turn: inout Turn<Effect>) {
        guard owner == app, callOwner != app else { return }
        owner = nil
        endInterruptions(in: &turn)
    }

    mutating func endInterruptions(in turn: inout Turn<Effect>) {
        for index in clients.indices {
            clients[index].wasInterrupted = false
            inform(AppID(index), in: &turn)
            guard clients[index].wasSilencedByCall, !callIsOn, callOwner == nil else { continue }
            clients[index].wasSilencedByCall = false
            if !clients[index].isListening { turn.order(.wake(AppID(index))) }
        }
    }

    /// Tells a running app whether it is interrupted, if it does not know.
    mutating func inform(_ app: AppID, in turn: inout Turn<Effect>) {
        let isInterrupted = callIsOn || clients[app.index].wasInterrupted
        guard clients[app.index].isListening, clients[app.index].wasTold != isInterrupted else {
            return
        }
        clients[app.index].wasTold = isInterrupted
        turn.order(
            .news(
                app,
                isInterrupted ? .interruptionBegan : .interruptionEnded(shouldResume: true)
            )
        )
    }
}
