/// A transmitter of constant rate that sends one packet after the other and never drifts.
///
/// A packet of `b` bytes takes b · 8 · 10⁹ / rate nanoseconds. What the division leaves over is kept
/// and given to the next packet, so `n` packets back to back take the whole part of `n` times that.
struct RateDrain: Transmitter, Sendable, Equatable {
    private let bitsPerSecond: Int64
    /// When the last bit of all packets accepted so far is sent, in whole nanoseconds.
    private var freeAt: Int64 = 0
    /// What the whole nanoseconds leave over, in units of 1/rate nanoseconds; less than the rate.
    private var remainder: Int64 = 0
    private var now: Int64 = 0

    init(bitsPerSecond: Int64) {
        self.bitsPerSecond = bitsPerSecond
    }

    /// When the next packet's first bit is sent.
    var nextStart: Int64 { freeAt }

    /// Moves on to an instant no earlier than before.
    mutating func advance(to instant: Int64) {
        now = instant
        guard instant > freeAt else { return }
        freeAt = instant
        remainder = 0
    }

    /// Whether more than `bytes` are accepted but not sent.
    func hasUnsent(moreThan bytes: Int) -> Bool {
        guard bytes >= 0 else { return true }
        guard freeAt > now else { return false }
        let (unsent, overflow) = (freeAt - now).multipliedReportingOverflow(by: bitsPerSecond)
        return overflow || unsent > Int64(bytes) * Self.nanosecondsPerByteSecond - remainder
    }

    /// Accepts a packet and says when its last bit is sent, cut to whole nanoseconds.
    mutating func transmit(bytes: Int) -> Int64 {
        let size = Int64(bytes) * Self.nanosecondsPerByteSecond + remainder
        let (duration, rest) = size.quotientAndRemainder(dividingBy: bitsPerSecond)
        freeAt += duration
        remainder = rest
        return freeAt
    }

    /// Bits in a byte times nanoseconds in a second.
    private static let nanosecondsPerByteSecond: Int64 = 8_000_000_000
}
