/// What one direction of a link has done so far.
///
/// A packet counts as soon as its verdict is given, not when it arrives.
@frozen
public struct LinkStatistics: Sendable, Hashable, BitwiseCopyable {
    /// Packets handed to the link.
    public internal(set) var sent = 0
    /// Their bytes.
    public internal(set) var sentBytes = 0
    /// Packets that arrive at least once.
    public internal(set) var delivered = 0
    /// Their bytes, each packet counted once.
    public internal(set) var deliveredBytes = 0
    /// Packets that arrive twice.
    public internal(set) var duplicated = 0
    /// Copies that arrive with a flipped bit.
    public internal(set) var corrupted = 0
    /// Packets that the loss model took.
    public internal(set) var lost = 0
    /// Packets that found no room in the queue.
    public internal(set) var queueFull = 0
    /// Packets that the queue's discipline dropped.
    public internal(set) var queueManaged = 0
    /// Packets sent while the interface was down or the link stopped.
    public internal(set) var down = 0
    /// Packets larger than the link carries.
    public internal(set) var tooLarge = 0
    /// Packets that a filter before the link took.
    public internal(set) var blocked = 0

    /// Makes the statistics of an unused link.
    public init() {}

    /// Packets that never arrive, for whatever reason.
    public var dropped: Int { lost + queueFull + queueManaged + down + tooLarge + blocked }

    mutating func countDrop(_ reason: LinkDropReason) {
        switch reason {
        case .loss: lost += 1
        case .queueFull: queueFull += 1
        case .queueManaged: queueManaged += 1
        case .down: down += 1
        case .tooLarge: tooLarge += 1
        case .blocked: blocked += 1
        }
    }
}
