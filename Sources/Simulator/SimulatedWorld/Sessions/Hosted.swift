import SansIO

/// One machine that the world drives.
///
/// A class, so that the list it stands in may change while the machine's effects are performed, and so
/// that a question does not copy the machine.
final class Hosted<Machine: StateMachine> {
    private var driver: MachineDriver<Machine>

    init(_ machine: Machine, at now: Instant) {
        driver = MachineDriver(machine, at: now)
    }

    /// Gives the machine an event, or wakes it, and performs what it orders.
    func drive(_ event: Machine.Event?, at now: Instant, perform: (Machine.Effect) -> Void) {
        if let event {
            driver.send(event, at: now, perform: perform)
        } else {
            driver.wake(at: now, perform: perform)
        }
    }

    /// Asks the machine something, or feeds it what needs no answer.
    @inline(__always)
    func ask<Result>(_ question: (inout Machine) -> Result) -> Result {
        driver.update(question)
    }

    /// When the machine wants to be woken next.
    var deadline: Instant? { driver.update { $0.deadline?.instant } }

    /// Whether the machine wants to be woken by now.
    func isDue(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }
}

/// The earlier of two instants, where either may be missing.
func min(_ left: Instant?, _ right: Instant?) -> Instant? {
    guard let left else { return right }
    guard let right else { return left }
    return Swift.min(left, right)
}
