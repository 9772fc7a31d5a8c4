public import SansIO

/// Runs a machine in real time in an actor of its own: for sockets and media, where a hop costs nothing.
///
/// Effects are performed by a closure inside the actor; it must not wait. Answers come back by `send`.
public actor ActorHost<Machine: StateMachine> {
    /// Performs an effect; events that arise are sent to the host, from within or from anywhere.
    public typealias Perform = @Sendable (Machine.Effect, isolated ActorHost<Machine>) -> Void

    private var runner: MachineRunner<Machine>
    private let line: TimeLine
    private let perform: Perform
    private var alarm: Task<Void, Never>?
    private var alarmAt: Instant?

    /// Starts running a machine; one that has a deadline already is woken once `start` or `send` was called.
    ///
    /// - Parameters:
    ///   - machine: The machine as it is to begin.
    ///   - clock: The clock whose time it lives by; its line starts now.
    ///   - perform: Performs its effects, in order.
    public init(
        _ machine: Machine,
        clock: some Clock<Duration>,
        perform: @escaping Perform
    ) {
        line = TimeLine(clock)
        runner = MachineRunner(machine, at: line.now)
        self.perform = perform
    }

    deinit {
        alarm?.cancel()
    }

    /// The machine as it is.
    public var machine: Machine { runner.machine }

    /// Begins to wake the machine.
    public func start() { setAlarm() }

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
        for effect in runner.wake(at: line.now) { perform(effect, self) }
        drain()
    }

    private func drain() {
        while let effects = runner.next(at: line.now) {
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
            await self?.wake()
        }
    }
}
