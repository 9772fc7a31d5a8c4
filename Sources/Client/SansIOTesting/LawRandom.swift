public import SansIO

/// Draws the random events that `checkLaws` feeds to a machine; the same seed gives the same events.
public struct LawRandom: Sendable {
    private var state: UInt64
    private var nextSlot: UInt32 = 0
    /// The handles made by `newFrame` since they were last taken.
    var framesMade: [FrameHandle] = []

    /// Starts the sequence of `seed`.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits (splitmix64, Steele, Lea and Flood 2014).
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A whole number from 0 to `bound - 1`; `bound` MUST be positive.
    public mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0, "no whole number lies below \(bound)")
        return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
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
