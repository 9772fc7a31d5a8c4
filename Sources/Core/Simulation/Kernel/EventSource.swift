public import SansIO

/// One component's hand on the queue: what numbers the events that it schedules.
///
/// The component owns its source and counts for itself, so its events keep their order among each
/// other (first in, first out at ties) whatever other components do. Copying a source and scheduling
/// from both copies repeats keys, and the queue traps on the second.
@frozen
public struct EventSource: Sendable, Hashable, BitwiseCopyable {
    /// Class in 4 bits, component in 24, the next event's number in 36.
    @usableFromInline var nextTieOrder: UInt64

    /// Makes the source of one component's events of one class.
    ///
    /// - Parameters:
    ///   - rank: The class's rank from 0 to 15; at one instant lower ranks go first.
    ///   - component: The component's number from 0 to 16,777,215; lower numbers go first in a class.
    @inlinable
    public init(rank: Int = 0, component: Int) {
        precondition((0..<16).contains(rank), "a class rank of \(rank) lies outside 0..<16")
        precondition(
            (0..<1 << 24).contains(component),
            "a component number of \(component) lies outside 0..<16777216"
        )
        nextTieOrder = UInt64(rank) << 60 | UInt64(component) << 36
    }

    /// The rank of the class.
    @inlinable
    public var rank: Int { Int(nextTieOrder >> 60) }

    /// The number of the component.
    @inlinable
    public var component: Int { Int(nextTieOrder >> 36 & 0xFF_FFFF) }

    /// How many events were numbered.
    @inlinable
    public var count: Int { Int(nextTieOrder & Self.counterMask) }

    /// Numbers the next event, which happens at `instant`.
    ///
    /// A source numbers 2³⁶ − 1 events, half an hour of the fastest queue's work for one source alone,
    /// and then traps.
    @inlinable
    @inline(__always)
    public mutating func key(at instant: Instant) -> EventKey {
        let key = EventKey(instant: instant, tieOrder: nextTieOrder)
        nextTieOrder &+= 1
        precondition(nextTieOrder & Self.counterMask != 0, "a source ran out of event numbers")
        return key
    }

    /// How many of the lowest bits number a source's events.
    @inlinable
    static var counterBits: UInt64 { 36 }

    @inlinable
    static var counterMask: UInt64 { 1 << 36 - 1 }
}
