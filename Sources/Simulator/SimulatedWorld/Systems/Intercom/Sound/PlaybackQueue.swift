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
        for (offset, sample) in sound.enumerated() {
            samples[(head + count + offset) & (Self.capacity - 1)] = sample
        }
        count += sound.count
    }

    /// Moves the oldest sound into `output` and says how many samples there were.
    mutating func take(into output: UnsafeMutableBufferPointer<Int16>) -> Int {
        let ready = min(count, output.count)
        for offset in 0..<ready {
            output[offset] = samples[(head + offset) & (Self.capacity - 1)]
        }
        head = (head + ready) & (Self.capacity - 1)
        count -= ready
        return ready
    }
}
