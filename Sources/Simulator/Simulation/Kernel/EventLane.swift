/// A ring of events whose instants never fall, for sources that schedule a constant time ahead.
@frozen
@usableFromInline
struct EventLane<Payload: BitwiseCopyable>: BitwiseCopyable {
    @usableFromInline typealias Entry = EventHeap<Payload>.Entry

    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    /// How many entries were taken out and put in; their low bits are places in the ring.
    @usableFromInline var taken = 0
    @usableFromInline var given = 0
    /// The capacity, a power of two, less one.
    @usableFromInline var mask = 15

    @inlinable
    init() {
        entries = .allocate(capacity: mask + 1)
    }

    @inlinable
    var isEmpty: Bool {
        @inline(__always) get { taken == given }
    }

    @inlinable
    var first: Entry {
        @inline(__always) get { entries[taken & mask] }
    }

    @inlinable
    var lastKey: EventKey {
        @inline(__always) get { entries[(given &- 1) & mask].key }
    }

    @inlinable
    @inline(__always)
    mutating func append(_ key: EventKey, _ payload: Payload) {
        if given &- taken > mask { grow() }
        entries[given & mask] = Entry(key: key, payload: payload)
        given &+= 1
    }

    @inlinable
    @inline(never)
    mutating func grow() {
        let old = entries
        let count = mask + 1
        entries = .allocate(capacity: count * 2)
        for place in 0..<count {
            entries[place] = old[(taken + place) & mask]
        }
        old.deallocate()
        taken = 0
        given = count
        mask = count * 2 - 1
    }
}
