/// Everything that acts: a value that turns events into effects and says when it wants to be woken.
///
/// A machine reads no clock, draws no randomness, does no I/O and starts no thread. Its driver MUST
/// keep `now` from going back, perform effects in order after the call has returned, queue events
/// that arise meanwhile, and read `deadline` again after every call. In return the machine keeps these
/// laws. `SansIOTesting.checkLaws` checks all but L10, which each machine's own tests show:
///
/// - L1 same start and inputs, same effects and state
/// - L2 a wake before `deadline` changes nothing
/// - L3 after a wake at `t` the deadline is `nil` or later than `t`
/// - L4 a wake may come late; the machine catches up without a burst
/// - L5 every event is accepted in every state
/// - L6 an answer with an unknown `OperationID` has no effect
/// - L7 after its end a machine emits nothing
/// - L8 a copy is a checkpoint
/// - L9 at most `effectsPerCallMax` effects per call
/// - L10 what must be immediate appears in the call of its cause
/// - L11 every `FrameHandle` given to a machine leaves it exactly once
public protocol StateMachine: Sendable, Equatable {
    /// A fact given to the machine; named in the past tense.
    associatedtype Event: Sendable
    /// An order from the machine; named in the imperative.
    associatedtype Effect: Sendable, Equatable

    /// The most effects that one call may emit.
    static var effectsPerCallMax: Int { get }

    /// Whether the machine has ended and will emit nothing more.
    var isFinished: Bool { get }

    /// When the machine wants to be woken next, and why; `nil` if only an event can move it.
    var deadline: Deadline? { get }

    /// Takes one fact.
    mutating func handle(_ event: Event, in turn: inout Turn<Effect>)

    /// Lets the machine act on a deadline that has passed.
    mutating func wake(in turn: inout Turn<Effect>)
}

extension StateMachine {
    /// Takes one fact or, without one, wakes.
    @inlinable
    public mutating func drive(_ event: Event?, in turn: inout Turn<Effect>) {
        if let event {
            handle(event, in: &turn)
        } else {
            wake(in: &turn)
        }
    }

    /// Takes one fact or, without one, wakes, in a turn of its own.
    ///
    /// A machine made of machines drives the inner ones with it and follows what each orders:
    ///
    /// ```swift
    /// for effect in gate.drive(event, at: turn.now) { … }
    /// ```
    ///
    /// - Returns: What the machine orders, in the order in which it is to be performed.
    @inlinable
    public mutating func drive(_ event: Event?, at now: Instant) -> [Effect] {
        var turn = Turn<Effect>(at: now)
        drive(event, in: &turn)
        return turn.effects
    }

    /// The same, in memory that is used again once `reclaim` has it back.
    ///
    /// - Parameters:
    ///   - event: The fact, or `nil` for a wake.
    ///   - now: The present.
    ///   - memory: What the outer machine keeps for this one.
    /// - Returns: What the machine orders, in the order in which it is to be performed.
    @inlinable
    public mutating func drive(
        _ event: Event?,
        at now: Instant,
        reusing memory: inout EffectMemory<Effect>
    ) -> [Effect] {
        var turn = Turn<Effect>(at: now)
        swap(&turn.effects, &memory.effects)
        drive(event, in: &turn)
        return turn.effects
    }
}
