/// A transmitter that sends at the opportunities of a trace, as mahimahi's `LinkQueue` does.
///
/// A packet may use every opportunity later than its arrival. Small packets share one opportunity;
/// a packet that does not fit is continued in the next and leaves with its last byte. What no
/// waiting packet uses is wasted. The trace starts at instant 0 and repeats for ever.
struct OpportunityDrain: Transmitter, Sendable, Equatable {
    private let milliseconds: [Int32]
    /// The first opportunity that a packet arriving now may use, counted over all repetitions.
    private var first: Int64 = 0
    /// The opportunity that takes the next byte; not before `first`.
    private var filling: Int64 = 0
    /// Bytes already taken of it; less than an opportunity carries.
    private var filledBytes: Int64 = 0

    init(_ trace: DeliveryTrace) {
        milliseconds = trace.milliseconds
    }

    /// When the next packet's first byte is sent.
    var nextStart: Int64 { instant(of: filling) }

    /// Moves on to an instant no earlier than before.
    mutating func advance(to instant: Int64) {
        first = firstOpportunity(after: instant)
        guard filling < first else { return }
        filling = first
        filledBytes = 0
    }

    /// Whether more than `bytes` are accepted but not sent.
    func hasUnsent(moreThan bytes: Int) -> Bool {
        (filling - first) * Self.opportunityBytes + filledBytes > Int64(bytes)
    }

    /// Accepts a packet and says when its last byte is sent.
    mutating func transmit(bytes: Int) -> Int64 {
        let end = filledBytes + Int64(bytes)
        let last = filling + max(end - 1, 0) / Self.opportunityBytes
        filling += end / Self.opportunityBytes
        filledBytes = end % Self.opportunityBytes
        return instant(of: last)
    }

    private static let opportunityBytes = Int64(DeliveryTrace.opportunityBytes)

    private func instant(of opportunity: Int64) -> Int64 {
        let (loop, index) = opportunity.quotientAndRemainder(dividingBy: Int64(milliseconds.count))
        return (loop * period + Int64(milliseconds[Int(index)])) * 1_000_000
    }

    private func firstOpportunity(after instant: Int64) -> Int64 {
        let (loop, offset) = (instant / 1_000_000).quotientAndRemainder(dividingBy: period)
        let start = loop * Int64(milliseconds.count)
        // The search widens from where the last one ended: time moves in small steps.
        var low = Int(max(first - start, 0))
        var high = low
        var step = 1
        while milliseconds[high] <= offset {
            low = high + 1
            high = min(high + step, milliseconds.count - 1)
            step *= 2
        }
        while low < high {
            let middle = low + (high - low) / 2
            if milliseconds[middle] <= offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return start + Int64(low)
    }

    private var period: Int64 { Int64(milliseconds[milliseconds.count - 1]) }
}
