public import SansIO

/// The pending events of one world, popped in the order of their keys.
///
/// Events are plain values. Up to about 250 lie in a 4-ary heap. If there are more, those from a horizon
/// on lie in a wheel, and come from it as short runs that are sorted. The next event is the heap's or the
/// run's; the heap has what is scheduled before the horizon. Two events with one key and an event in the
/// past are errors of the caller and trap.
@frozen
public struct EventQueue<Payload: BitwiseCopyable>: ~Copyable {
    /// What was scheduled before the horizon.
    @usableFromInline var heap = EventHeap<Payload>()
    /// What came from the wheel, in order; all before the horizon.
    @usableFromInline var run = EventRun<Payload>()
    /// All events from the horizon on.
    @usableFromInline var wheel = EventWheel<Payload>()
    /// Where the wheel's keys begin; behind all keys while it is not used.
    @usableFromInline var horizon = UInt128.max
    /// The key popped last; at first one behind all of the first instant's.
    @usableFromInline var latest = EventKey(instant: .zero, tieOrder: .max)
    /// What the tie orders are scrambled with, or zero to leave them alone.
    @usableFromInline let scramble: UInt64

    /// Makes an empty queue that stands at the start of the time line.
    ///
    /// - Parameter tieShuffleSeed: If given, events at one instant come in an order drawn by this
    ///   seed instead of that of class, source and counter, to find code that leans on the order.
    @inlinable
    public init(tieShuffleSeed: UInt64? = nil) {
        scramble = tieShuffleSeed.map { RandomStream.finalize($0) | 1 } ?? 0
    }

    /// The instant of the event popped last.
    @inlinable
    public var now: Instant { latest.instant }

    /// Whether no event is pending.
    @inlinable
    public var isEmpty: Bool { count == 0 }

    /// How many events are pending.
    @inlinable
    public var count: Int { heap.count + run.count + wheel.count }

    /// How much memory one pending event takes: 16 bytes of key, and the payload.
    @inlinable
    public static var bytesPerEvent: Int { MemoryLayout<EventHeap<Payload>.Entry>.stride }

    /// Schedules an event.
    @inlinable
    @inline(__always)
    public mutating func push(_ payload: Payload, at key: EventKey) {
        let key = admit(key)
        if heap.isFull { makeRoom() }
        if key.bits < horizon {
            heap.push(key, payload)
        } else {
            wheel.put(EventHeap.Entry(key: key, payload: payload))
        }
    }

    /// Removes and returns the next event, unless it comes after `limit`.
    @inlinable
    @inline(__always)
    public mutating func pop(
        through limit: Instant = Instant(nanoseconds: .max - 1)
    ) -> (instant: Instant, payload: Payload)? {
        let least = heap.least
        guard least.key.instant <= limit, least.key < run.next.pointee.key else {
            return popRun(through: limit)
        }
        advance(to: least.key)
        heap.removeLeast()
        return (least.key.instant, least.payload)
    }

    /// Pops the run's next event; on its own, which keeps the heap's path in the caller short.
    @inlinable
    @inline(never)
    mutating func popRun(through limit: Instant) -> (instant: Instant, payload: Payload)? {
        let next = run.next.pointee
        // The key behind all is no event's, whatever the limit.
        guard next.key.instant <= limit, next.key < .never, !(heap.least.key < next.key) else {
            return popRefilled(through: limit)
        }
        advance(to: next.key)
        run.removeFirst(from: &wheel.chunks)
        return (next.key.instant, next.payload)
    }

    /// Pops what comes from the wheel if heap and run are empty.
    @inlinable
    @inline(never)
    mutating func popRefilled(through limit: Instant) -> (instant: Instant, payload: Payload)? {
        let isEmpty = run.next.pointee.key == .never && heap.least.key == .never
        return isEmpty && refill() ? pop(through: limit) : nil
    }

    /// The key as this queue orders it, checked to lie in the present or the future.
    ///
    /// Mutating, though it changes nothing: to lend itself the queue would be copied.
    @inlinable
    @inline(__always)
    mutating func admit(_ key: EventKey) -> EventKey {
        precondition(
            key.instant >= latest.instant && key.instant.nanoseconds < .max,
            "an event lies before the present or at the end of time"
        )
        return scramble == 0 ? key : shuffled(key)
    }

    @inlinable
    @inline(__always)
    mutating func advance(to key: EventKey) {
        precondition(key != latest, "two events have the same key")
        latest = key
    }

    /// The key with its source in a place that is drawn for the instant; keys stay different, and each
    /// source's events in the order in which it made them: a link that never reorders relies on that.
    @inlinable
    @inline(never)
    mutating func shuffled(_ key: EventKey) -> EventKey {
        let draw = RandomStream.finalize(UInt64(bitPattern: key.instant.nanoseconds) ^ scramble)
        let source = Self.permuted(key.tieOrder >> EventSource.counterBits, by: draw)
        let number = key.tieOrder & EventSource.counterMask
        return EventKey(
            instant: key.instant,
            tieOrder: source << EventSource.counterBits | number
        )
    }

    /// A bijection of the 28 bits of class and component: a Feistel network of two halves of 14 bits.
    @inlinable
    static func permuted(_ source: UInt64, by draw: UInt64) -> UInt64 {
        let mask: UInt64 = 1 << 14 - 1
        var (left, right) = (source >> 14, source & mask)
        for round in 0..<4 as Range<UInt64> {
            let mixed = RandomStream.finalize((draw &+ round) ^ right << 48) & mask
            (left, right) = (right, left ^ mixed)
        }
        return left << 14 | right
    }
}
