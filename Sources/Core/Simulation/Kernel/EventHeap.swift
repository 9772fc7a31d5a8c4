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
    /// How many slots are in use, the hole among them.
    @usableFromInline var used = 0
    /// The leaf that the latest removal left empty, or −1; the next push fills it.
    @usableFromInline var hole = -1
    /// How many entries fit: whole families of four, and the root.
    @usableFromInline var capacity: Int

    @inlinable
    init(capacity: Int = 65) {
        self.capacity = capacity
        entries = Self.allocate(capacity)
        markUnused(0..<capacity)
    }

    @inlinable
    deinit {
        Self.deallocate(entries)
    }

    @inlinable
    var count: Int { hole < 0 ? used : used - 1 }

    @inlinable
    var least: Entry {
        @inline(__always) get { entries[0] }
    }

    /// Whether the heap has to grow before the next push.
    @inlinable
    var isFull: Bool {
        @inline(__always) get { used == capacity }
    }

    /// Puts an entry in; the heap MUST NOT be full.
    @inlinable
    @inline(__always)
    mutating func push(_ key: EventKey, _ payload: Payload) {
        let hasNoHole = hole < 0
        let slot = hasNoHole ? used : hole
        used &+= hasNoHole ? 1 : 0
        hole = -1
        place(Entry(key: key, payload: payload), from: slot)
    }

    /// Takes the least entry away; the heap MUST NOT be empty.
    @inlinable
    @inline(__always)
    mutating func removeLeast() {
        fillHole()
        hole = sinkRoot()
        entries[hole].key = .never
    }

    /// Moves the last entry into the hole, if there is one.
    @inlinable
    @inline(__always)
    mutating func fillHole() {
        guard hole >= 0 else { return }
        used &-= 1
        let last = entries[used]
        entries[used].key = .never
        if hole < used { place(last, from: hole) }
        hole = -1
    }

    /// Puts an entry into an empty slot or, as long as it comes before that one's parent, above.
    @inlinable
    @inline(__always)
    mutating func place(_ entry: Entry, from start: Int) {
        // Kept in a register, which stores into the storage would otherwise put in doubt.
        let entries = entries
        var slot = start
        while slot > 0 {
            let parent = (slot &- 1) >> 2
            guard entry.key < entries[parent].key else { break }
            entries[slot] = entries[parent]
            slot = parent
        }
        entries[slot] = entry
    }

    /// Lets the least children rise until the empty slot at the root has become one at a leaf.
    ///
    /// All the way down, since an entry put in the root's place would sink nearly as far, and the
    /// comparison that stops it is one more that no branch predictor foresees. The others choose by
    /// arithmetic: two winners and a final.
    ///
    /// - Returns: The leaf's number.
    @inlinable
    @inline(__always)
    mutating func sinkRoot() -> Int {
        let (entries, used) = (entries, used)
        var slot = 0
        while true {
            let first = slot &* 4 &+ 1
            guard first < used else { return slot }
            let (a, b) = (entries[first].key, entries[first &+ 1].key)
            let (c, d) = (entries[first &+ 2].key, entries[first &+ 3].key)
            let (isB, isD) = (b < a, d < c)
            let left = EventKey.select(isB, b, a)
            let right = EventKey.select(isD, d, c)
            let isRight = right < left
            let least = first &+ (isRight ? (isD ? 3 : 2) : (isB ? 1 : 0))
            entries[slot] = Entry(
                key: EventKey.select(isRight, right, left),
                payload: entries[least].payload
            )
            slot = least
        }
    }

    @inlinable
    @inline(never)
    mutating func grow() {
        let old = entries
        capacity = (capacity - 1) * 2 + 1
        entries = Self.allocate(capacity)
        entries.update(from: old, count: used)
        // Freed before the new slots are touched, which keeps the peak at one full table.
        Self.deallocate(old)
        markUnused(used..<capacity)
    }

    /// Forgets all entries, and memory beyond `most` slots.
    @inlinable
    mutating func removeAll(keeping most: Int) {
        if capacity > most {
            Self.deallocate(entries)
            capacity = most
            entries = Self.allocate(capacity)
        }
        (used, hole) = (0, -1)
        markUnused(0..<capacity)
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
