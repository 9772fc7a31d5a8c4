import SansIO

/// One machine that the world drives, among others of its kind.
///
/// A class, so that the list it stands in may change while the machine's effects are performed.
final class Hosted<Machine: StateMachine> {
    var driver: MachineDriver<Machine>

    init(_ machine: Machine, at now: Instant) {
        driver = MachineDriver(machine, at: now)
    }
}
