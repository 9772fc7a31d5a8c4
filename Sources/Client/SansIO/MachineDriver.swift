/// Calls a machine and hands its effects to a closure, run to completion.
///
/// Apps and the simulator drive machines through this one type, so both keep the driver's duties in
/// the same way.
public struct MachineDriver<Machine: StateMachine> {
    @usableFromInline var driven: Machine
    @usableFromInline var turn: Turn<Machine.Effect>

    /// Starts driving `machine` at `now`.
    public init(_ machine: Machine, at now: Instant = .zero) {
        driven = machine
        turn = Turn(at: now)
    }

    /// The driven machine; copying it is a checkpoint.
    @inlinable
    public var machine: Machine { driven }

    /// The instant of the latest call.
    @inlinable
    public var now: Instant { turn.now }

    /// When the machine wants to be woken next.
    @inlinable
    public var deadline: Deadline? { driven.deadline }

    /// Gives the machine one event and performs what it orders.
    ///
    /// - Parameters:
    ///   - event: The fact.
    ///   - now: The present; MUST NOT lie before the previous call's.
    ///   - perform: Called for each effect in order, after the machine has returned.
    @inlinable
    public mutating func send(
        _ event: Machine.Event,
        at now: Instant,
        perform: (Machine.Effect) -> Void
    ) {
        begin(at: now)
        driven.handle(event, in: &turn)
        drain(perform)
    }

    /// Wakes the machine and performs what it orders.
    ///
    /// - Parameters:
    ///   - now: The present; MUST NOT lie before the previous call's.
    ///   - perform: Called for each effect in order, after the machine has returned.
    @inlinable
    public mutating func wake(at now: Instant, perform: (Machine.Effect) -> Void) {
        begin(at: now)
        driven.wake(in: &turn)
        drain(perform)
    }

    /// Gives the machine one event, or wakes it, and hands out what it orders.
    ///
    /// While the caller performs the effects it may ask the machine; it MUST perform all of them before it
    /// gives the machine anything else. Handed back by `reclaim`, their memory is used again.
    ///
    /// - Parameters:
    ///   - event: The fact, or `nil` for a wake.
    ///   - now: The present; MUST NOT lie before the previous call's.
    /// - Returns: The effects, in the order in which they are to be performed.
    @inlinable
    public mutating func effects(of event: Machine.Event?, at now: Instant) -> [Machine.Effect] {
        begin(at: now)
        driven.drive(event, in: &turn)
        checkCount()
        var handedOut: [Machine.Effect] = []
        swap(&handedOut, &turn.effects)
        return handedOut
    }

    /// Takes performed effects back, to use their memory again.
    @inlinable
    public mutating func reclaim(_ performed: consuming [Machine.Effect]) {
        performed.removeAll(keepingCapacity: true)
        turn.effects = performed
    }

    /// Changes the machine beside its events, with what needs no answer: a frame of voice that passed.
    ///
    /// - Parameter change: MUST NOT move the machine's deadline to before the latest call.
    /// - Returns: What `change` returns.
    @inlinable
    public mutating func update<Result>(_ change: (inout Machine) -> Result) -> Result {
        change(&driven)
    }

    @inlinable
    mutating func begin(at now: Instant) {
        precondition(
            now >= turn.now,
            "time went back from \(turn.now.nanoseconds) to \(now.nanoseconds) ns"
        )
        turn.present = now
    }

    @inlinable
    func checkCount() {
        precondition(
            turn.effects.count <= Machine.effectsPerCallMax,
            "\(Machine.self) emitted \(turn.effects.count) effects in one call (law L9)"
        )
    }

    @inlinable
    mutating func drain(_ perform: (Machine.Effect) -> Void) {
        checkCount()
        for effect in turn.effects {
            perform(effect)
        }
        turn.effects.removeAll(keepingCapacity: true)
    }
}
