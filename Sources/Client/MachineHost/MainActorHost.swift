public import SansIO

/// Runs a machine in real time on the main actor, synchronously.
///
/// PushKit looks, at the moment its delegate method returns, whether a call was reported (Apple developer
/// forum, thread 817976): an `await` in between would end the app. So `send` handles the event and
/// performs everything that follows from it before it returns.
///
/// ```swift
/// let host = MainActorHost(registry, clock: ContinuousClock()) { effect, host in
///     switch effect {
///     case .system(.reportIncoming(let operation, let uuid, let update)):
///         provider.reportNewIncomingCall(with: uuid.foundation, update: update.callKit) { error in
///             MainActor.assumeIsolated { host.send(.reportFinished(operation, error?.reportError)) }
///         }
///     …
/// }
/// ```
@MainActor
public final class MainActorHost<Machine: StateMachine> {
    /// Performs an effect; may send events, which are handled when the present effects are done.
    public typealias Perform = @MainActor (Machine.Effect, MainActorHost<Machine>) -> Void

    private var runner: MachineRunner<Machine>
    private let line: TimeLine
    private let perform: Perform
    private var alarm: Task<Void, Never>?
    private var alarmAt: Instant?

    /// Starts running a machine.
    ///
    /// - Parameters:
    ///   - machine: The machine as it is to begin.
    ///   - clock: The clock whose time it lives by; its line starts now.
    ///   - perform: Performs its effects, in order; called on the main actor.
    public init(
        _ machine: Machine,
        clock: some Clock<Duration>,
        perform: @escaping Perform
    ) {
        line = TimeLine(clock)
        runner = MachineRunner(machine, at: line.now)
        self.perform = perform
        setAlarm()
    }

    deinit {
        alarm?.cancel()
    }

    /// The machine as it is.
    public var machine: Machine { runner.machine }

    /// The present on the machine's time line.
    public var now: Instant { line.now }

    /// Gives the machine an event; everything that comes of it is done when this returns.
    ///
    /// Called while an effect is performed, it queues the event and returns at once.
    public func send(_ event: Machine.Event) {
        guard runner.enqueue(event) else { return }
        drain()
    }

    private func wake() {
        alarmAt = nil
        guard runner.begin() else { return }
        for effect in runner.wake(at: now) { perform(effect, self) }
        drain()
    }

    private func drain() {
        while let effects = runner.next(at: now) {
            for effect in effects { perform(effect, self) }
        }
        runner.finish()
        setAlarm()
    }

    /// Keeps one alarm, for the machine's deadline.
    private func setAlarm() {
        guard runner.deadline != alarmAt || alarm == nil else { return }
        alarm?.cancel()
        alarm = nil
        alarmAt = runner.deadline
        guard let deadline = alarmAt else { return }
        let line = line
        alarm = Task { [weak self] in
            try? await line.sleep(until: deadline)
            guard !Task.isCancelled else { return }
            self?.wake()
        }
    }
}
