import SansIO

/// The newest frames that were not sent: a fixed ring, without gaps in the capture index.
///
/// A frame lies at the place that its capture index names, so neither the oldest index nor the
/// order needs storage of its own. Empty places hold zero: equal contents are equal values.
struct PreRoll: Sendable, Equatable {
    /// The most frames that any pre-roll may hold (500 ms).
    static let framesMax = 25

    private var slots = SIMD32<UInt32>()
    private var endIndex: Int64 = 0
    /// How many frames the ring holds.
    private(set) var count = 0

    /// Adds the frame that follows the newest; any frame may follow if the ring is empty.
    mutating func append(_ frame: FrameHandle, captureIndex: Int64) {
        precondition(count < Self.framesMax, "the pre-roll holds \(count) frames and is full")
        precondition(
            count == 0 || captureIndex == endIndex,
            "frame \(captureIndex) cannot follow frame \(endIndex - 1) in the pre-roll"
        )
        slots[place(of: captureIndex)] = frame.slot
        endIndex = captureIndex &+ 1
        count += 1
    }

    /// Takes the oldest frame out.
    mutating func popFirst() -> (frame: FrameHandle, captureIndex: Int64)? {
        guard count > 0 else { return nil }
        let captureIndex = endIndex &- Int64(count)
        let frame = FrameHandle(slot: slots[place(of: captureIndex)])
        slots[place(of: captureIndex)] = 0
        count -= 1
        if count == 0 {
            endIndex = 0
        }
        return (frame, captureIndex)
    }

    private func place(of captureIndex: Int64) -> Int {
        Int(truncatingIfNeeded: captureIndex) & (SIMD32<UInt32>.scalarCount - 1)
    }
}
