public import KodamaSimulation
public import SansIO

/// An app's process: launched, running, suspended in the background, ended.
///
/// A process in the background runs on while its sound does, and else for a grace, which background
/// tasks lengthen. When their time is up the app's expiration handler is called; if it returns with a
/// task still open the process is ended, and suspended otherwise (Apple, `UIApplication`,
/// `beginBackgroundTask(expirationHandler:)`: "Failure to end the task explicitly will result in the
/// termination of the app"). Pushes, calls and the end of a call that took its audio let a suspended
/// process run again, for a grace at least.
///
/// A process that would be suspended while it holds a lock on a file, as in the middle of a transaction of
/// SQLite's, is ended instead.
public struct AppProcess: StateMachine {
    /// A fact for the process.
    public enum Event: Sendable, Equatable {
        /// The app is wanted in front: it is launched or resumed if need be.
        case opened(LaunchReason)
        /// It was opened before the story begins, and runs.
        case foundOpen
        /// A VoIP push came for it: it is launched or resumed in the background if need be.
        case wokenForPush
        /// A background task or the intent of a button is its to run: likewise.
        case wokenForTask
        /// The call screen asks something of it: it is resumed if need be.
        case wokenForCall
        /// A call that had taken its audio is over: it is resumed if need be.
        case wokenForAudio
        /// How its calls stand has changed.
        case callsChanged(CallActivity)
        /// Its scene went to the background, or came back from there.
        case movedToBackground(Bool)
        /// Its microphone and speaker work, or do not.
        case soundChanged(isOn: Bool)
        /// It began a background task.
        case backgroundTaskBegan(OperationID)
        /// It ended one.
        case backgroundTaskEnded(OperationID)
        /// It holds a lock on a file from now on, or none.
        case fileLockChanged(isHeld: Bool)
        /// Its handler for this duty has returned, and all that it ordered has been done.
        case handlerReturned(OperationID)
        /// It is ended from outside.
        case killed(KillReason)
    }

    /// An order from the process.
    public enum Effect: Sendable, Equatable {
        /// The process is made.
        case launch
        /// Its first line of code runs.
        case launched(LaunchReason)
        /// Nothing in it runs any more.
        case suspend
        /// It runs again after so long.
        case resume(asleep: Duration)
        /// Its background time is up; whether it is ended is decided when its handler returns.
        case expireBackgroundTime(OperationID)
        /// The process is gone.
        case kill(KillReason)
    }

    enum State: Sendable, Equatable {
        case notRunning
        case launching(until: Instant, LaunchReason)
        case running
        /// Waits for the expiration handler.
        case expiring(OperationID)
        case suspended(since: Instant)
    }

    /// An app that is found open is made and runs in one call; otherwise one change per call.
    public static var effectsPerCallMax: Int { 2 }

    /// An app can always be launched again.
    public var isFinished: Bool { false }

    let configuration: PhoneSystemConfiguration
    private(set) var state = State.notRunning
    /// How often the app was launched.
    public private(set) var launchCount: UInt32 = 0
    private var launches: RandomStream
    private var isInBackground = false
    private var hasSound = false
    private var calls = CallActivity.none
    /// When the latest push or task woke it.
    private var pushedAt: Instant?
    private var backgroundTasks: [OperationID] = []
    private var holdsFileLock = false
    /// Since when it has had no reason to run on in the background.
    private var graceBegan: Instant?
    private var duties: UInt32 = 0

    /// Makes a process that does not run.
    ///
    /// - Parameters:
    ///   - launches: What the launch times are drawn from.
    ///   - configuration: How the system treats apps.
    public init(launches: RandomStream, configuration: PhoneSystemConfiguration) {
        self.launches = launches
        self.configuration = configuration
    }

    /// What the process does, as seen from outside.
    public var phase: ProcessPhase {
        switch state {
        case .notRunning: .notRunning
        case .launching: .launching
        case .running, .expiring: .running
        case .suspended: .suspended
        }
    }

    /// The end of the launch, or of the grace.
    public var deadline: Deadline? {
        switch state {
        case .notRunning, .expiring, .suspended: nil
        case .launching(let until, _): Deadline(until, "launch")
        case .running: graceEnd.map { Deadline($0, "suspension") }
        }
    }

    private var graceEnd: Instant? {
        guard let graceBegan else { return nil }
        let end = graceBegan.advanced(
            by: backgroundTasks.isEmpty
                ? configuration.suspensionGrace : configuration.backgroundTaskGrace
        )
        guard let pushedAt else { return end }
        return max(end, pushedAt.advanced(by: configuration.pushGrace))
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .opened(let reason): open(reason, in: &turn)
        case .foundOpen:
            guard state == .notRunning else { return }
            launchCount += 1
            state = .running
            turn.order(.launch)
            turn.order(.launched(.user))
        case .wokenForPush:
            pushedAt = turn.now
            wake(orLaunchedFor: .push, in: &turn)
        case .wokenForTask:
            pushedAt = turn.now
            wake(orLaunchedFor: .task, in: &turn)
        case .wokenForCall:
            wake(orLaunchedFor: nil, in: &turn)
        case .wokenForAudio:
            guard configuration.resumesAfterCalls else { return }
            wake(orLaunchedFor: nil, in: &turn)
        case .callsChanged(let activity):
            calls = activity
            beginOrEndGrace(at: turn.now)
        case .movedToBackground(let isInBackground):
            self.isInBackground = isInBackground
            beginOrEndGrace(at: turn.now)
        case .soundChanged(let isOn):
            hasSound = isOn
            beginOrEndGrace(at: turn.now)
        case .backgroundTaskBegan(let task):
            guard phase == .running, !backgroundTasks.contains(task) else { return }
            backgroundTasks.append(task)
        case .backgroundTaskEnded(let task):
            backgroundTasks.removeAll { $0 == task }
        case .fileLockChanged(let isHeld):
            holdsFileLock = isHeld && phase == .running
        case .handlerReturned(let duty):
            guard state == .expiring(duty) else { return }
            if backgroundTasks.isEmpty {
                suspend(in: &turn)
            } else {
                kill(.backgroundTaskOverrun, in: &turn)
            }
        case .killed(let reason):
            kill(reason, in: &turn)
        }
    }

    /// Runs the first line of code, or ends the grace.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        switch state {
        case .launching(_, let reason):
            state = .running
            beginOrEndGrace(at: turn.now)
            turn.order(.launched(reason))
        case .running where backgroundTasks.isEmpty:
            suspend(in: &turn)
        case .running:
            duties += 1
            let duty = OperationID(number: duties)
            state = .expiring(duty)
            turn.order(.expireBackgroundTime(duty))
        case .notRunning, .expiring, .suspended:
            return
        }
    }

    private mutating func open(_ reason: LaunchReason, in turn: inout Turn<Effect>) {
        isInBackground = false
        graceBegan = nil
        switch state {
        case .notRunning:
            launchCount += 1
            state = .launching(until: turn.now.advanced(by: launchTime), reason)
            turn.order(.launch)
        case .launching(let until, .user), .launching(let until, .push),
            .launching(let until, .task):
            state = .launching(until: until, reason)
        case .suspended(let since):
            state = .running
            turn.order(.resume(asleep: since.duration(to: turn.now)))
        case .expiring:
            state = .running
        case .launching(_, .notification), .launching(_, .call), .running:
            return
        }
    }

    /// Lets the process run in the background: resumed, or launched if there is a reason to.
    private mutating func wake(orLaunchedFor reason: LaunchReason?, in turn: inout Turn<Effect>) {
        switch state {
        case .notRunning:
            guard let reason else { return }
            launchCount += 1
            isInBackground = true
            state = .launching(until: turn.now.advanced(by: launchTime), reason)
            turn.order(.launch)
        case .suspended(let since):
            state = .running
            beginOrEndGrace(at: turn.now)
            turn.order(.resume(asleep: since.duration(to: turn.now)))
        case .expiring, .running:
            // What it is woken for it has its time for, however little was left.
            state = .running
            graceBegan = graceBegan.map { _ in turn.now }
        case .launching:
            return
        }
    }

    private var launchTime: Duration {
        var random = launches
        random.index = UInt64(launchCount)
        return random.latency(configuration.launch)
    }

    /// The grace counts from when the last reason to run on went.
    private mutating func beginOrEndGrace(at now: Instant) {
        guard phase == .running, isInBackground, !hasSound, !isKeptByCalls else {
            graceBegan = nil
            if case .expiring = state { state = .running }
            return
        }
        graceBegan = graceBegan ?? now
    }

    private var isKeptByCalls: Bool {
        switch calls {
        case .none: false
        case .ringing: configuration.ringingKeepsAppAwake
        case .going: true
        }
    }

    private mutating func suspend(in turn: inout Turn<Effect>) {
        guard !holdsFileLock else { return kill(.fileLockHeld, in: &turn) }
        state = .suspended(since: turn.now)
        graceBegan = nil
        turn.order(.suspend)
    }

    private mutating func kill(_ reason: KillReason, in turn: inout Turn<Effect>) {
        isInBackground = false
        hasSound = false
        calls = .none
        pushedAt = nil
        backgroundTasks.removeAll()
        holdsFileLock = false
        graceBegan = nil
        guard state != .notRunning else { return }
        state = .notRunning
        turn.order(.kill(reason))
    }
}
