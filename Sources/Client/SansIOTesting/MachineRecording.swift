public import SansIO

/// All calls that a machine got and what it ordered: enough to run it again, alone.
///
/// A failing run of a whole world becomes a test of one machine this way.
public struct MachineRecording<Machine: StateMachine>: Sendable {
    /// One call and its outcome.
    public struct Call: Sendable {
        /// The event, or `nil` for a wake.
        public var event: Machine.Event?
        /// When the call came.
        public var instant: Instant
        /// What the machine ordered, in order.
        public var effects: [Machine.Effect]
    }

    /// The machine before the first call.
    public let start: Machine
    /// The calls, in order.
    public private(set) var calls: [Call] = []

    /// Begins to record calls of `machine`, as it is now.
    public init(of machine: Machine) {
        start = machine
    }

    /// Notes a call that is about to be made; its effects follow by `noteEffect`.
    ///
    /// - Parameters:
    ///   - event: The event, or `nil` for a wake.
    ///   - instant: When the call comes.
    public mutating func noteCall(_ event: Machine.Event?, at instant: Instant) {
        calls.append(Call(event: event, instant: instant, effects: []))
    }

    /// Notes an effect of the latest call.
    public mutating func noteEffect(_ effect: Machine.Effect) {
        calls[calls.count - 1].effects.append(effect)
    }

    /// Runs the machine again from its start and compares every call.
    ///
    /// - Returns: The machine after the last call.
    /// - Throws: The first call whose effects differ.
    @discardableResult
    public func replay() throws(TranscriptMismatch) -> Machine {
        var machine = start
        for (index, call) in calls.enumerated() {
            let effects = machine.drive(call.event, at: call.instant)
            guard effects == call.effects else {
                throw TranscriptMismatch(
                    call: index + 1,
                    input:
                        "\(call.event.map { "\($0)" } ?? "wake") at \(call.instant.nanoseconds) ns",
                    expected: call.effects.map { "\($0)" },
                    actual: effects.map { "\($0)" }
                )
            }
        }
        return machine
    }
}
