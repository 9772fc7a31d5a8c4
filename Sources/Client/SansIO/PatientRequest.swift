/// A request that is sent again when it has taken too long, while it may still be answered.
///
/// On a path that is there and slow its answer is the first to come, and another request would take
/// as long. So two are in flight at most: one that is waited for, and one that is late. Where only
/// one is taken, whichever comes first, the first of all may stay in flight beside them.
///
/// Whichever is answered first counts, if the answer settles what was asked. One that does not, as
/// from a server that is overloaded, says nothing of the other request, which stays in flight.
public struct PatientRequest: Sendable, Equatable {
    /// A request in flight.
    public struct Sent: Sendable, Equatable {
        /// Its number.
        public let operation: OperationID
        /// When it was sent.
        public let since: Instant
        /// When it has taken too long.
        public var until: Instant
    }

    /// What an answer leads to.
    public enum Outcome: Sendable, Equatable {
        /// Nothing: it is no longer needed, or it is late and settles nothing.
        case ignored
        /// The request that was waited for has failed, and is to be sent again.
        case failed
        /// What was asked at `since` is settled; nothing is in flight any more.
        case settled(since: Instant, isLate: Bool)
    }

    /// The request that is waited for.
    public private(set) var pending: Sent?
    /// The one before, if it has taken too long and may still be answered.
    public private(set) var late: Sent?
    /// One sent before both, if it was left in flight.
    public private(set) var first: Sent?

    /// Makes one with no request in flight.
    public init() {}

    /// A request was sent; none may be waited for.
    ///
    /// - Parameters:
    ///   - operation: Its number.
    ///   - now: When.
    ///   - patience: How long it may take until the next one is tried.
    public mutating func sent(_ operation: OperationID, at now: Instant, patience: Duration) {
        precondition(pending == nil, "a request is waited for")
        pending = Sent(operation: operation, since: now, until: now.advanced(by: patience))
    }

    /// Gives the request that is waited for no longer than `until`.
    public mutating func hurry(until: Instant) {
        guard let present = pending?.until else { return }
        pending?.until = min(present, until)
    }

    /// Waits no longer for a request to try another one, and not at all for those before it.
    ///
    /// - Parameter cancel: Called with each request whose answer is no longer needed.
    public mutating func leaveLate(_ cancel: (OperationID) -> Void) {
        if let first { cancel(first.operation) }
        if let late { cancel(late.operation) }
        first = nil
        late = pending
        pending = nil
    }

    /// Waits no longer for a request to try another one, and goes on waiting for the first of all.
    ///
    /// - Parameter cancel: Called with the request whose answer is no longer needed.
    public mutating func leaveLateButFirst(_ cancel: (OperationID) -> Void) {
        if first == nil {
            first = late
        } else if let late {
            cancel(late.operation)
        }
        late = pending
        pending = nil
    }

    /// Whether a request is the only one in flight.
    ///
    /// - Parameter operation: Its number.
    /// - Returns: Whether it is.
    public func isOnly(_ operation: OperationID) -> Bool {
        [first, late, pending].compactMap { $0?.operation } == [operation]
    }

    /// Gives up every request in flight.
    ///
    /// - Parameter cancel: Called with each request that was in flight, the oldest first.
    public mutating func giveUp(_ cancel: (OperationID) -> Void) {
        if let first { cancel(first.operation) }
        if let late { cancel(late.operation) }
        if let pending { cancel(pending.operation) }
        first = nil
        late = nil
        pending = nil
    }

    /// Takes an answer, which may belong to another request.
    ///
    /// - Parameters:
    ///   - operation: The number of the request that it answers.
    ///   - settles: Whether it settles what was asked.
    ///   - cancel: Called with each other request in flight, if none need be answered any more.
    /// - Returns: What it leads to.
    public mutating func answered(
        _ operation: OperationID,
        settles: Bool,
        _ cancel: (OperationID) -> Void
    ) -> Outcome {
        let answered: Sent
        let isLate: Bool
        if let first, first.operation == operation {
            answered = first
            isLate = true
            self.first = nil
        } else if let late, late.operation == operation {
            answered = late
            isLate = true
            self.late = nil
        } else if let pending, pending.operation == operation {
            answered = pending
            isLate = false
            self.pending = nil
        } else {
            return .ignored
        }
        guard settles else { return isLate ? .ignored : .failed }
        giveUp(cancel)
        return .settled(since: answered.since, isLate: isLate)
    }
}
