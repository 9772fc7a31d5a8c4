public import SansIO

extension StateMachine {
    /// Gives the machine one fact, in a turn of its own.
    ///
    /// - Returns: What the machine orders, in order.
    @discardableResult
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        drive(event, at: now)
    }

    /// Wakes the machine, in a turn of its own.
    ///
    /// - Returns: What the machine orders, in order.
    @discardableResult
    public mutating func wake(at now: Instant) -> [Effect] {
        drive(nil, at: now)
    }
}
