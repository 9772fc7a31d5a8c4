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
    /// The order among events at one instant: class in 4 bits, source in 24, counter in 36.
    public let tieOrder: UInt64

    /// Makes a key; `EventSource` is what numbers them.
    @inlinable
    public init(instant: Instant, tieOrder: UInt64) {
        self.instant = instant
        self.tieOrder = tieOrder
    }

    /// Orders keys by instant, then by tie order.
    @inlinable
    @inline(__always)
    public static func < (left: EventKey, right: EventKey) -> Bool {
        left.number < right.number
    }

    /// Both words as one number, which compares by a subtraction with borrow and no branch.
    @inlinable
    var number: Int128 {
        @inline(__always) get { Int128(instant.nanoseconds) << 64 | Int128(tieOrder) }
    }

    /// Both words as 128 bits for `EventWheel`; no event lies before the start of the time line.
    @inlinable
    var bits: UInt128 {
        @inline(__always) get { UInt128(truncatingIfNeeded: number) }
    }

    /// `left` if `condition` holds, else `right`: word by word, which compiles to conditional moves.
    @inlinable
    @inline(__always)
    static func select(_ condition: Bool, _ left: EventKey, _ right: EventKey) -> EventKey {
        let nanoseconds = condition ? left.instant.nanoseconds : right.instant.nanoseconds
        return EventKey(
            instant: Instant(nanoseconds: nanoseconds),
            tieOrder: condition ? left.tieOrder : right.tieOrder
        )
    }

    /// A key behind all events': the queue keeps it where there is none.
    @inlinable
    static var never: EventKey {
        EventKey(instant: Instant(nanoseconds: .max), tieOrder: .max)
    }
}
