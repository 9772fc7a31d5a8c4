/// When a machine wants to be woken, and why.
///
/// A deadline is state: it is computed from the machine's value, never registered anywhere.
@frozen
public struct Deadline: Sendable, Equatable {
    /// The instant at or after which the driver calls `wake`.
    public var instant: Instant
    /// One or two words for the trace, such as `"keepalive"`.
    public var reason: StaticString

    /// Makes a deadline.
    @inlinable
    public init(_ instant: Instant, _ reason: StaticString) {
        self.instant = instant
        self.reason = reason
    }

    /// Deadlines are equal when their instants are: the reason is for people.
    @inlinable
    public static func == (left: Deadline, right: Deadline) -> Bool {
        left.instant == right.instant
    }

    /// The earlier of two deadlines, where either may be missing.
    @inlinable
    public static func earliest(_ left: Deadline?, _ right: Deadline?) -> Deadline? {
        guard let left else { return right }
        guard let right else { return left }
        return right.instant < left.instant ? right : left
    }
}
