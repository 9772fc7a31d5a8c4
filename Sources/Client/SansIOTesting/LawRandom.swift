public import SansIO

/// Draws the random events that `checkLaws` feeds to a machine; the same seed gives the same events.
public struct LawRandom: Sendable {
    private var generator: SeededGenerator
    private var nextSlot: UInt32 = 0
    /// The handles made by `newFrame` since they were last taken.
    var framesMade: [FrameHandle] = []

    /// Starts the sequence of `seed`.
    public init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 { generator.next() }

    /// A whole number from 0 to `bound - 1`; `bound` MUST be positive.
    public mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0, "no whole number lies below \(bound)")
        return Int(generator.below(Int64(bound)))
    }

    /// True `percent` times in a hundred.
    public mutating func chance(percent: Int) -> Bool {
        below(100) < percent
    }

    /// A frame handle that no event has carried before; law L11 follows where it goes.
    public mutating func newFrame() -> FrameHandle {
        let frame = FrameHandle(slot: nextSlot)
        nextSlot += 1
        framesMade.append(frame)
        return frame
    }

    mutating func takeFramesMade() -> [FrameHandle] {
        defer { framesMade = [] }
        return framesMade
    }
}
