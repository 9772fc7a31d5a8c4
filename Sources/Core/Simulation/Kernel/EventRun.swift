/// The wheel's first events, in order: a few that were sorted, or a whole bucket read where it lies.
@frozen
@usableFromInline
struct EventRun<Payload: BitwiseCopyable>: ~Copyable {
    @usableFromInline typealias Chunks = EventChunks<Payload>

    /// The next event, or one whose key is `EventKey.never`.
    @usableFromInline var next: Chunks.Pointer
    /// Where the chunk that is being read, or the sorted events, end.
    @usableFromInline var end: Chunks.Pointer
    /// What was left when that chunk was begun.
    @usableFromInline var rest: EventBucket<Payload>
    /// Where events are sorted.
    @usableFromInline let sorted: Chunks.Pointer

    /// The most events that can be sorted.
    @inlinable
    static var sortedMost: Int { 64 }

    @inlinable
    init() {
        sorted = .allocate(capacity: Self.sortedMost)
        sorted.pointee.key = .never
        (next, end) = (sorted, sorted)
        rest = EventBucket(chunk: sorted)
    }

    @inlinable
    deinit {
        sorted.deallocate()
    }

    @inlinable
    var count: Int { rest.count - (next - rest.first) }

    /// Takes the next event away; there MUST be one.
    @inlinable
    @inline(__always)
    mutating func removeFirst(from chunks: inout Chunks) {
        next += 1
        if next == end { readOn(from: &chunks) }
    }

    /// Goes on to the next chunk, or to the end.
    @inlinable
    @inline(never)
    mutating func readOn(from chunks: inout Chunks) {
        rest.count -= end - rest.first
        if rest.first != sorted { rest.first = chunks.release(rest.first) }
        if rest.count == 0 {
            rest.first = sorted
            sorted.pointee.key = .never
        }
        read(rest)
    }

    /// Reads a bucket that is in order; the run MUST be empty.
    @inlinable
    mutating func read(_ bucket: EventBucket<Payload>) {
        rest = bucket
        next = bucket.first
        end = next + min(bucket.count, next == sorted ? Self.sortedMost : Chunks.capacity)
    }

    /// Sorts a bucket's events in, to be read as `rest`; none may come before those that were sorted in
    /// already, and there MUST be room.
    @inlinable
    mutating func sort(_ bucket: EventBucket<Payload>, from chunks: inout Chunks) {
        let sorted = sorted
        var bucket = bucket
        while bucket.count > 0 {
            let entry = bucket.removeFirst(from: &chunks)
            var slot = rest.count
            while slot > 0 && entry.key < sorted[slot &- 1].key {
                sorted[slot] = sorted[slot &- 1]
                slot &-= 1
            }
            sorted[slot] = entry
            rest.count &+= 1
        }
    }
}
