/// Numbers the long operations of one machine.
///
/// Machines that work inside one coordinator take a lane each, so that no two of them ever use the
/// same number; an answer may then be shown to all, and all but the one that asked ignore it (law L6).
public struct OperationCounter: Sendable, Equatable {
    private var upcoming: UInt32
    private let stride: UInt32

    /// Numbers from `lane` + 1 in steps of `lanes`.
    ///
    /// - Parameters:
    ///   - lane: Which of the lanes, from 0.
    ///   - lanes: How many there are; at least 1.
    public init(lane: UInt32 = 0, of lanes: UInt32 = 1) {
        precondition(lane < lanes, "lane \(lane) is none of \(lanes)")
        upcoming = lane + 1
        stride = lanes
    }

    /// The next number.
    public mutating func next() -> OperationID {
        defer { upcoming &+= stride }
        return OperationID(number: upcoming)
    }
}
