import SansIO

/// What both hosts do alike: drives a machine run to completion, and says when it is to be woken.
///
/// Events that arise while an effect is performed are queued and handled before `send` returns, in order.
struct MachineRunner<Machine: StateMachine> {
    private var driver: MachineDriver<Machine>
    private var waiting: [Machine.Event] = []
    private var isRunning = false

    init(_ machine: Machine, at now: Instant) {
        driver = MachineDriver(machine, at: now)
    }

    var machine: Machine { driver.machine }
    var deadline: Instant? { driver.deadline?.instant }

    /// Queues an event; returns whether the caller is to run the machine, and not somebody further out.
    mutating func enqueue(_ event: Machine.Event) -> Bool {
        waiting.append(event)
        return begin()
    }

    /// Claims the run; `false` if one is going on.
    mutating func begin() -> Bool {
        guard !isRunning else { return false }
        isRunning = true
        return true
    }

    mutating func finish() { isRunning = false }

    /// Handles the event that has waited longest, if one waits, and hands out what it orders.
    mutating func next(at now: Instant) -> [Machine.Effect]? {
        guard !waiting.isEmpty else { return nil }
        return driver.effects(of: waiting.removeFirst(), at: now)
    }

    /// Wakes the machine if it is due.
    mutating func wake(at now: Instant) -> [Machine.Effect] {
        guard let deadline, deadline <= now else { return [] }
        return driver.effects(of: nil, at: now)
    }
}
