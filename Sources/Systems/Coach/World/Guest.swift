import KodamaPhone
import KodamaWorld
import SansIO

/// Joins one of the machines around a coach to the world: a facility of its phone, its user, or a machine
/// of its process.
final class Guest<Machine: StateMachine>: Host {
    @exclusivity(unchecked) var seat: Seat<Machine>
    private unowned(unsafe) let app: CoachApp
    private let word: CoachApp.Word
    private let livesInProcess: Bool
    private let binding: (CoachApp, Machine.Effect, inout Stage) -> Void
    /// Reads the oldest unread event by code for this machine: a generic class's conformance has code for any,
    /// which copies machines out and in.
    private let reading: (Guest, inout Stage) -> Void
    /// Whether its process has not ended.
    var isAlive = true

    /// Seats a machine.
    ///
    /// - Parameters:
    ///   - machine: The machine.
    ///   - app: The coach that it belongs to.
    ///   - word: The delivery that wakes it.
    ///   - livesInProcess: Whether it hears something only while the app's process runs.
    ///   - now: The present.
    ///   - binding: Performs an effect.
    init(
        _ machine: Machine,
        of app: CoachApp,
        _ word: CoachApp.Word,
        livesInProcess: Bool = false,
        at now: Instant = .zero,
        _ binding: @escaping (CoachApp, Machine.Effect, inout Stage) -> Void
    ) {
        seat = Seat(machine, at: now)
        self.app = app
        self.word = word
        self.livesInProcess = livesInProcess
        self.binding = binding
        reading = { $0.readOldestMail(on: &$1) }
    }

    var isAwake: Bool { isAlive && (!livesInProcess || app.phase == .running) }

    func readMail(on stage: inout Stage) { reading(self, &stage) }

    func perform(_ effect: Machine.Effect, on stage: inout Stage) { binding(app, effect, &stage) }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        app.scheduleWake(word, at: instant, on: &stage)
    }
}
