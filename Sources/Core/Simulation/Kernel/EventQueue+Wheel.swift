public import SansIO

extension EventQueue {
    /// When the next event is due, for a caller that waits for it; `nil` if none is pending.
    public mutating func nextInstant() -> Instant? {
        if heap.least.key == .never, run.next.pointee.key == .never, !refill() { return nil }
        return min(heap.least.key, run.next.pointee.key).instant
    }
}

/// How events come from the heap to the wheel and from there to the run or back.
extension EventQueue {
    /// The capacity that the heap does not exceed while events can move to the wheel instead.
    ///
    /// Measured with exponential delays the two are equal at 300 pending events; with ties the wheel is
    /// ahead from far fewer.
    @inlinable
    static var heapMost: Int { 257 }

    /// As few events as that move back to the heap: a quarter, so that a number of events that varies
    /// around either limit does not move them to and fro.
    @inlinable
    static var wheelLeast: Int { 64 }

    /// At most as many events of a bucket are sorted.
    @inlinable
    static var bucketMost: Int { 48 }

    /// Buckets are sorted until there are as many events.
    @inlinable
    static var runLeast: Int { 16 }

    /// Makes room for one more event: moves all events to the wheel, and the horizon to the present.
    ///
    /// The heap grows instead while the run has more events to move than the heap, so that each move
    /// is paid for by as many pushes; and while the wheel can't go back: after a limited pop that found
    /// nothing, or among the ties of one instant.
    @inlinable
    @inline(never)
    mutating func makeRoom() {
        let present = EventKey(instant: now, tieOrder: 0).bits
        guard heap.capacity >= Self.heapMost, heap.count >= run.count, wheel.rewind(to: present)
        else { return heap.grow() }
        horizon = present
        for slot in 0..<heap.used where slot != heap.hole { wheel.put(heap.entries[slot]) }
        heap.removeAll(keeping: Self.heapMost)
        while run.count > 0 {
            wheel.put(run.next.pointee)
            run.removeFirst(from: &wheel.chunks)
        }
    }

    /// Moves the wheel's first events to the run, or its last ones to the heap; both MUST be empty.
    ///
    /// - Returns: Whether there were any.
    @inlinable
    @inline(never)
    mutating func refill() -> Bool {
        if heap.capacity > Self.heapMost { heap.removeAll(keeping: Self.heapMost) }
        while wheel.count > Self.wheelLeast {
            let number = wheel.first
            if wheel.buckets[number].count <= Self.bucketMost {
                sortBuckets(from: number)
                return true
            }
            let bucket = wheel.takeFirst(number)
            horizon = wheel.moveCursor(to: number)
            let nextDigit = max(horizon - wheel.cursor, 256) >> 8
            guard let differences = bucket.disorder(enough: nextDigit) else {
                run.read(bucket)
                return true
            }
            wheel.spread(bucket, differences: differences)
        }
        return refillHeap()
    }

    /// Sorts small buckets of one level, until the run is long enough.
    @inlinable
    mutating func sortBuckets(from first: Int) {
        var (last, next) = (first, first)
        repeat {
            run.sort(wheel.takeFirst(next), from: &wheel.chunks)
            last = next
            guard run.rest.count < Self.runLeast, wheel.count > 0 else { break }
            next = wheel.first
        } while next >> 8 == first >> 8 && wheel.buckets[next].count <= Self.bucketMost
        horizon = wheel.moveCursor(to: last)
        run.read(run.rest)
    }

    /// Moves all that is left in the wheel to the heap.
    @inlinable
    mutating func refillHeap() -> Bool {
        horizon = .max
        guard wheel.count > 0 else { return false }
        while wheel.count > 0 {
            let number = wheel.first
            var bucket = wheel.takeFirst(number)
            while bucket.count > 0 {
                let entry = bucket.removeFirst(from: &wheel.chunks)
                if heap.isFull { heap.grow() }
                heap.push(entry.key, entry.payload)
            }
        }
        return true
    }
}
