public import SansIO

/// An event's place in the order of all events: 128 bits, compared as one number.
///
/// Time comes first. Ties are ordered by class, then by the source component, then by that source's
/// own counter, so that adding a component does not reorder the others, as in Shadow (Jansen, Newsome
/// and Wails, USENIX ATC 2022).
@frozen
public struct EventKey: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// When the event happens; not before the start of the time line.
    public let instant: Instant
    /// The order among events at one instant: class in 6 bits, source in 18, counter in 40.
    public let tieOrder: UInt64

    /// Makes a key; `EventSource` is what numbers them.
    @inlinable
    public init(instant: Instant, tieOrder: UInt64) {
        self.instant = instant
        self.tieOrder = tieOrder
    }

    /// Orders keys by instant, then by tie order.
    ///
    /// The lower words' borrow goes into the upper words: a subtraction of 128 bits, without a branch
    /// and without `Int128`, which Apple's systems of 2023 lack.
    @inlinable
    @inline(__always)
    public static func < (left: EventKey, right: EventKey) -> Bool {
        let borrow: Int64 = left.tieOrder < right.tieOrder ? 1 : 0
        return left.instant.nanoseconds &- borrow < right.instant.nanoseconds
    }

    /// A key behind all events': the queue keeps it where there is none.
    @inlinable
    static var never: EventKey {
        EventKey(instant: Instant(nanoseconds: .max), tieOrder: .max)
    }
}
