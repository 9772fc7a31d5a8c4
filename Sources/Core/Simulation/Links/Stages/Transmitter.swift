import SansIO

/// What sends one packet after the other; all instants are in nanoseconds.
protocol Transmitter {
    /// When the next packet's first bit is sent.
    var nextStart: Int64 { get }

    /// Moves on to an instant no earlier than before, at which packets may be accepted.
    mutating func advance(to instant: Int64)

    /// Whether more than `bytes` are accepted but not sent.
    func hasUnsent(moreThan bytes: Int) -> Bool

    /// Accepts a packet behind all others and says when its last bit is sent.
    mutating func transmit(bytes: Int) -> Int64
}

/// The transmitter at the head of a link's queue, if packets wait at all.
enum Drain: Sendable, Equatable {
    case unlimited
    case rate(RateDrain)
    case opportunities(OpportunityDrain)

    init(_ capacity: Capacity) {
        self =
            switch capacity {
            case .unlimited: .unlimited
            case .rate(let rate): .rate(RateDrain(bitsPerSecond: rate.bitsPerSecond))
            case .opportunities(let trace): .opportunities(OpportunityDrain(trace))
            }
    }
}
