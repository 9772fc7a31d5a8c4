/// Entries in the order in which they were appended, in a list of chunks.
///
/// A plain value, so that the wheel can hand one over as it lies.
@frozen
@usableFromInline
struct EventBucket<Payload: BitwiseCopyable>: BitwiseCopyable {
    @usableFromInline typealias Chunks = EventChunks<Payload>

    /// The first entry, if there is one.
    @usableFromInline var first: Chunks.Pointer
    /// Behind the last entry, in its chunk.
    @usableFromInline var end: Chunks.Pointer
    @usableFromInline var count = 0

    /// An empty bucket, which starts in an empty chunk.
    @inlinable
    @inline(__always)
    init(chunk: Chunks.Pointer) {
        first = chunk
        end = chunk
    }

    /// Appends an entry to the last chunk, which MUST have room.
    @inlinable
    @inline(__always)
    mutating func append(_ entry: Chunks.Entry) {
        end.initialize(to: entry)
        end += 1
        count &+= 1
    }

    /// Removes and returns the first entry, and releases its chunk if that was the last one in it.
    @inlinable
    @inline(__always)
    mutating func removeFirst(from chunks: inout Chunks) -> Chunks.Entry {
        let entry = first.pointee
        count &-= 1
        if count == 0 || Chunks.isEnd(first + 1) {
            first = chunks.release(first)
        } else {
            first += 1
        }
        return entry
    }

    /// Compares the keys.
    ///
    /// - Parameter enough: Keys in disorder that differ here or above need not be read to the end.
    /// - Returns: The bits in which they differ, or nil if they ascend already.
    @inlinable
    func disorder(enough: UInt128) -> UInt128? {
        let origin = first.pointee.key
        var (entry, last) = (first, origin)
        var differences: UInt128 = 0
        var ascends = true
        for _ in 1..<count {
            entry += 1
            if Chunks.isEnd(entry) { entry = Chunks.link(of: entry - 1).pointee ?? entry }
            let key = entry.pointee.key
            differences |= key.bits ^ origin.bits
            if key < last { ascends = false }
            if !ascends && differences >= enough { break }
            last = key
        }
        return ascends ? nil : differences
    }
}
