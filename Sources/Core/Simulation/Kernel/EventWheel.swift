/// A hierarchical timing wheel (Varghese and Lauck, SOSP 1987) over all 128 bits of the keys, eight bits
/// a level: in other words a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, JACM 1990).
///
/// An entry lies at the level of the highest digit in which its key differs from the cursor, in that
/// digit's bucket. So all entries of a level come before those of the levels above, and between two
/// moves of the cursor back an entry passes each level once. Nothing is tuned to the delays, and ties
/// are ordered by the same digits as time.
@frozen
@usableFromInline
struct EventWheel<Payload: BitwiseCopyable>: ~Copyable {
    @usableFromInline typealias Bucket = EventBucket<Payload>
    @usableFromInline typealias Chunks = EventChunks<Payload>

    /// What levels are relative to; no entry comes before it.
    @usableFromInline var cursor: UInt128 = 0
    @usableFromInline var count = 0
    @usableFromInline var chunks = Chunks()
    /// 16 levels of 256 buckets, uninitialized unless occupied: pages never used take no memory.
    @usableFromInline let buckets: UnsafeMutablePointer<Bucket>
    /// A bit for each bucket that has an entry.
    @usableFromInline let occupied: UnsafeMutablePointer<UInt64>
    /// A bit for each level that has an entry.
    @usableFromInline var levels: UInt = 0

    @inlinable
    init() {
        buckets = .allocate(capacity: 16 * 256)
        occupied = .allocate(capacity: 16 * 4)
        occupied.initialize(repeating: 0, count: 16 * 4)
    }

    @inlinable
    deinit {
        buckets.deallocate()
        occupied.deallocate()
    }

    /// Puts an entry in that does not come before the cursor.
    @inlinable
    @inline(never)
    mutating func put(_ entry: Chunks.Entry) {
        count &+= 1
        let number = bucketNumber(of: entry.key)
        let isOccupied = occupied[number &>> 6] &>> UInt64(truncatingIfNeeded: number) & 1 != 0
        guard isOccupied, !Chunks.isEnd(buckets[number].end) else {
            return putInNewChunk(entry, bucket: number, isOccupied: isOccupied)
        }
        buckets[number].append(entry)
    }

    /// The level times 256, and the digit.
    @inlinable
    @inline(__always)
    func bucketNumber(of key: EventKey) -> Int {
        // By words, which takes half the instructions of 128 bits.
        func number(_ word: UInt64, _ difference: UInt64) -> Int {
            let shift = UInt64(truncatingIfNeeded: 63 &- difference.leadingZeroBitCount) & ~7
            return Int(truncatingIfNeeded: shift &<< 5 | word &>> shift & 255)
        }
        let time = UInt64(truncatingIfNeeded: key.bits &>> 64)
        let difference = time ^ UInt64(truncatingIfNeeded: cursor &>> 64)
        guard difference == 0 else { return 8 * 256 | number(time, difference) }
        return number(key.tieOrder, key.tieOrder ^ UInt64(truncatingIfNeeded: cursor) | 1)
    }

    @inlinable
    @inline(never)
    mutating func putInNewChunk(_ entry: Chunks.Entry, bucket number: Int, isOccupied: Bool) {
        if isOccupied {
            buckets[number].end = chunks.extend(buckets[number].end)
        } else {
            occupied[number >> 6] |= 1 << (UInt64(number) & 63)
            levels |= 1 << UInt(number >> 8)
            buckets[number] = Bucket(chunk: chunks.allocate())
        }
        buckets[number].append(entry)
    }

    /// The number of the first bucket; the wheel MUST NOT be empty.
    @inlinable
    var first: Int {
        var word = levels.trailingZeroBitCount &* 4
        while occupied[word] == 0 { word &+= 1 }
        return word &* 64 &+ occupied[word].trailingZeroBitCount
    }

    /// Takes the first bucket out.
    @inlinable
    mutating func takeFirst(_ number: Int) -> Bucket {
        var word = number &>> 6
        occupied[word] &= occupied[word] &- 1
        while word & 3 < 3 && occupied[word] == 0 { word &+= 1 }
        if occupied[word] == 0 { levels &= levels &- 1 }
        count &-= buckets[number].count
        return buckets[number]
    }

    /// Moves the cursor to where the keys of a bucket begin that was the first until it was taken.
    ///
    /// - Returns: Where they end.
    @inlinable
    mutating func moveCursor(to number: Int) -> UInt128 {
        let shift = UInt128(truncatingIfNeeded: (number &>> 8) &* 8)
        let above = (cursor &>> shift) & ~255
        cursor = (above | UInt128(truncatingIfNeeded: number & 255)) &<< shift
        return cursor &+ (1 &<< shift)
    }

    /// Puts the entries of the bucket that the cursor is at back in, at lower levels.
    ///
    /// - Parameters:
    ///   - bucket: The bucket, which is not in the wheel any more.
    ///   - differences: Bits in which its keys differ, at least one of the highest such digit; the
    ///     cursor moves past the digits above at once.
    @inlinable
    @inline(never)
    mutating func spread(_ bucket: Bucket, differences: UInt128) {
        let bitCount = UInt128((135 - differences.leadingZeroBitCount) / 8 * 8)
        cursor = (bucket.first.pointee.key.bits >> bitCount) << bitCount
        var bucket = bucket
        while bucket.count > 0 { put(bucket.removeFirst(from: &chunks)) }
    }

    /// Moves the cursor back to before all entries, unless an entry would then belong elsewhere.
    ///
    /// - Returns: Whether it is there now.
    @inlinable
    mutating func rewind(to bits: UInt128) -> Bool {
        guard levels == 0 || (bits ^ cursor) >> UInt128(8 * levels.trailingZeroBitCount + 8) == 0
        else {
            return false
        }
        cursor = bits
        return true
    }
}
