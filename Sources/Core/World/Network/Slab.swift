/// Numbered slots that hold a label and up to a fixed number of bytes each.
///
/// Frames inside a phone and datagrams on their way are kept like this: taken, read and released
/// without an allocation once the most that are ever held at a time have been seen.
@frozen @usableFromInline package struct Slab<Label: BitwiseCopyable>: ~Copyable {
    @usableFromInline var labels: [Label] = []
    @usableFromInline var sizes: [Int32] = []
    @usableFromInline var free: [UInt32] = []
    @usableFromInline var chunks: [UnsafeMutableRawPointer] = []
    @usableFromInline let bytesPerSlot: Int
    @usableFromInline let slotsPerChunk = 64

    /// Makes an empty slab; with 0 bytes per slot it keeps labels only.
    @inlinable package init(bytesPerSlot: Int) {
        self.bytesPerSlot = bytesPerSlot
    }

    @inlinable deinit {
        for chunk in chunks { chunk.deallocate() }
    }

    /// How many slots are taken.
    @inlinable package var count: Int { labels.count - free.count }

    /// Takes a slot for `size` bytes, whose contents are whatever the slot held before.
    @inlinable package mutating func take(_ label: Label, size: Int) -> UInt32 {
        precondition(
            bytesPerSlot == 0 || size <= bytesPerSlot,
            "\(size) bytes do not fit into a slot of \(bytesPerSlot)"
        )
        if free.isEmpty { grow(label) }
        let slot = free.removeLast()
        labels[Int(slot)] = label
        sizes[Int(slot)] = Int32(truncatingIfNeeded: size)
        return slot
    }

    /// Gives a slot back.
    @inlinable package mutating func release(_ slot: UInt32) {
        free.append(slot)
    }

    /// The label of a taken slot.
    @inlinable package func label(of slot: UInt32) -> Label { labels[Int(slot)] }

    /// How many bytes were asked for.
    @inlinable package func size(of slot: UInt32) -> Int { Int(sizes[Int(slot)]) }

    /// The bytes of a taken slot; empty in a slab that keeps labels only.
    @inlinable package func bytes(of slot: UInt32) -> UnsafeMutableRawBufferPointer {
        guard bytesPerSlot > 0 else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        let (chunk, place) = Int(slot).quotientAndRemainder(dividingBy: slotsPerChunk)
        return UnsafeMutableRawBufferPointer(
            start: chunks[chunk] + place * bytesPerSlot,
            count: size(of: slot)
        )
    }

    @usableFromInline mutating func grow(_ label: Label) {
        let first = labels.count
        labels.append(contentsOf: repeatElement(label, count: slotsPerChunk))
        sizes.append(contentsOf: repeatElement(0, count: slotsPerChunk))
        for slot in (first..<labels.count).reversed() { free.append(UInt32(slot)) }
        guard bytesPerSlot > 0 else { return }
        chunks.append(.allocate(byteCount: slotsPerChunk * bytesPerSlot, alignment: 64))
    }
}
