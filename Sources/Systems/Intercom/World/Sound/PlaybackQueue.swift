import KodamaWorld

/// Decoded sound of one member that waits for the speaker: a ring of 48 kHz samples.
struct PlaybackQueue: ~Copyable {
    /// Enough for the longest order (a stretched frame) on top of the longest render request.
    static let capacity = 8_192

    private let samples = UnsafeMutablePointer<Int16>.allocate(capacity: capacity)
    private var head = 0
    /// How many samples wait.
    private(set) var count = 0

    deinit {
        samples.deallocate()
    }

    /// Appends sound.
    mutating func append(_ sound: UnsafeBufferPointer<Int16>) {
        precondition(
            count + sound.count <= Self.capacity,
            "more sound is queued than was asked for"
        )
        guard let source = sound.baseAddress else { return }
        let start = (head + count) & (Self.capacity - 1)
        let first = min(sound.count, Self.capacity - start)
        (samples + start).update(from: source, count: first)
        samples.update(from: source + first, count: sound.count - first)
        count += sound.count
    }

    /// Moves the oldest sound into `output` and says how many samples there were.
    mutating func take(into output: UnsafeMutableBufferPointer<Int16>) -> Int {
        let ready = min(count, output.count)
        guard let target = output.baseAddress else { return 0 }
        let first = min(ready, Self.capacity - head)
        target.update(from: samples + head, count: first)
        (target + first).update(from: samples, count: ready - first)
        head = (head + ready) & (Self.capacity - 1)
        count -= ready
        return ready
    }
}
