/// A 4-ary heap with the payload in its nodes, the least key at the root.
///
/// Wider than binary, because four children of 24 bytes lie in two cache lines: half the levels for
/// the same lines. Unused slots hold `EventKey.never`, so that four children can be compared without
/// asking how many there are, and an empty heap's root comes after every event.
@frozen
@usableFromInline
struct EventHeap<Payload: BitwiseCopyable>: ~Copyable {
    @frozen
    @usableFromInline
    struct Entry: BitwiseCopyable {
        @usableFromInline var key: EventKey
        @usableFromInline var payload: Payload

        @inlinable
        @inline(__always)
        init(key: EventKey, payload: Payload) {
            self.key = key
            self.payload = payload
        }
    }

    /// The root; the children of entry `i` are `4i + 1` to `4i + 4`.
    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    @usableFromInline var count = 0
    /// How many entries fit: whole families of four, and the root.
    @usableFromInline var capacity: Int

    @inlinable
    init() {
        capacity = 65
        entries = Self.allocate(capacity)
        markUnused(0..<capacity)
    }

    @inlinable
    deinit {
        Self.deallocate(entries)
    }

    @inlinable
    var least: Entry {
        @inline(__always) get { entries[0] }
    }

    @inlinable
    @inline(__always)
    mutating func push(_ key: EventKey, _ payload: Payload) {
        if count == capacity { grow() }
        var hole = count
        count &+= 1
        while hole > 0 {
            let parent = (hole &- 1) >> 2
            guard key < entries[parent].key else { break }
            entries[hole] = entries[parent]
            hole = parent
        }
        entries[hole] = Entry(key: key, payload: payload)
    }

    /// Takes the least entry away; the heap MUST NOT be empty.
    @inlinable
    @inline(__always)
    mutating func removeLeast() {
        count &-= 1
        let last = entries[count]
        entries[count].key = .never
        if count > 0 { sink(last) }
    }

    /// Puts an entry in the place of the least; the heap MUST NOT be empty.
    @inlinable
    @inline(__always)
    mutating func replaceLeast(_ key: EventKey, _ payload: Payload) {
        sink(Entry(key: key, payload: payload))
    }

    /// Lets an entry sink from the root to where its children come after it.
    @inlinable
    @inline(__always)
    mutating func sink(_ entry: Entry) {
        var hole = 0
        while true {
            let first = hole &* 4 &+ 1
            guard first < count else { break }
            // Two winners and a final, chosen by arithmetic: the outcome of a comparison is a coin
            // toss that no branch predictor foresees.
            let left = first &+ (entries[first &+ 1].key < entries[first].key ? 1 : 0)
            let right = first &+ (entries[first &+ 3].key < entries[first &+ 2].key ? 3 : 2)
            let least = entries[right].key < entries[left].key ? right : left
            guard entries[least].key < entry.key else { break }
            entries[hole] = entries[least]
            hole = least
        }
        entries[hole] = entry
    }

    @inlinable
    @inline(never)
    mutating func grow() {
        let old = entries
        capacity = (capacity - 1) * 2 + 1
        entries = Self.allocate(capacity)
        entries.update(from: old, count: count)
        // Freed before the new slots are touched, which keeps the peak at one full table.
        Self.deallocate(old)
        markUnused(count..<capacity)
    }

    @inlinable
    func markUnused(_ slots: Range<Int>) {
        for slot in slots { entries[slot].key = .never }
    }

    /// Storage whose first family of children starts a cache line.
    @inlinable
    static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: padding + capacity * MemoryLayout<Entry>.stride,
            alignment: 64
        )
        return (bytes + padding).bindMemory(to: Entry.self, capacity: capacity)
    }

    @inlinable
    static func deallocate(_ entries: UnsafeMutablePointer<Entry>) {
        (UnsafeMutableRawPointer(entries) - padding).deallocate()
    }

    @inlinable
    static var padding: Int { (64 - MemoryLayout<Entry>.stride % 64) % 64 }
}
