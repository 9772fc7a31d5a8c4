/// Everything that acts: a value that turns events into effects and says when it wants to be woken.
///
/// A machine reads no clock, draws no randomness, does no I/O and starts no thread. Its driver MUST
/// keep `now` from going back, perform effects in order after the call has returned, queue events
/// that arise meanwhile, and read `deadline` again after every call. In return the machine keeps these
/// laws. `SansIOTesting.checkLaws` checks all but L6 and L10, which each machine's own tests show:
///
/// - L1 same start and inputs, same effects and state
/// - L2 a wake before `deadline` changes nothing
/// - L3 after `wake(at: t)` the deadline is `nil` or later than `t`
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
    mutating func handle(_ event: Event, at now: Instant, into effects: inout EffectBuffer<Effect>)

    /// Lets the machine act on a deadline that has passed.
    mutating func wake(at now: Instant, into effects: inout EffectBuffer<Effect>)
}

extension StateMachine {
    /// Takes one fact or, without one, wakes.
    ///
    /// A machine made of machines has one function for each of them: it drives the inner machine and
    /// follows what that orders.
    @inlinable
    public mutating func drive(
        _ event: Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        if let event {
            handle(event, at: now, into: &effects)
        } else {
            wake(at: now, into: &effects)
        }
    }
}
