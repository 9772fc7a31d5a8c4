/// When a segment counts as lost: RFC 6298, with the floor that Linux and Darwin use.
///
/// Times are whole nanoseconds. The variation's share of the time-out is at least 200 ms and falls more
/// slowly than the RFC's, as in Linux (`net/ipv4/tcp_input.c`, `tcp_rtt_estimator`; the 200 ms slop of XNU's
/// `bsd/netinet/tcp_timer.h` is added to all of it, which gives as much in the first round trips).
/// The caller gives samples of segments sent once only (Karn), one in a round trip.
struct RetransmissionTimer: Sendable, Equatable {
    /// Before there is a sample: 1 s (RFC 6298 §2.1).
    static let initial: Int64 = 1_000_000_000
    /// Before there is a sample, once a SYN had to be repeated: 3 s (RFC 6298 §5.7).
    static let initialAfterLostSynchronize: Int64 = 3_000_000_000
    /// The least share of the variation.
    static let floor: Int64 = 200_000_000
    /// The longest time-out (RFC 6298 §2.5).
    static let cap: Int64 = 60_000_000_000

    /// How often a SYN is sent again at the first time-out before that doubles (Linux since 6.5,
    /// `Documentation/networking/ip-sysctl.rst`, `tcp_syn_linear_timeouts`; XNU,
    /// `bsd/netinet/tcp_timer.c`, `tcp_syn_backoff`).
    static let linearExpiriesOfSynchronize = 4

    /// How often in a row the timer has run out.
    private(set) var expiries = 0
    /// After how many of them in a row the time-out begins to double.
    var linearExpiries = 0
    private var base = RetransmissionTimer.initial
    private(set) var smoothed: Int64?
    /// Four times the deviation from the smoothed round trip, and the most of it lately.
    private var deviation: Int64 = 0
    private var deviationMax: Int64 = 0
    /// The variation's share of the time-out.
    private var variation: Int64 = 0

    /// The present time-out: doubled with each expiry in a row that is not linear.
    var timeout: Int64 {
        min(base << Int64(min(max(0, expiries - linearExpiries), 6)), Self.cap)
    }

    /// The timer ran out.
    mutating func expire() {
        expiries += 1
    }

    /// Something new was acknowledged: the doubling ends, as it does where timestamps are used.
    mutating func acknowledge() {
        expiries = 0
        linearExpiries = 0
    }

    /// The connection's first round trip needed more than one SYN.
    mutating func loseSynchronize() {
        guard smoothed == nil else { return }
        base = Self.initialAfterLostSynchronize
    }

    /// A round trip was measured (RFC 6298 §2.2 and §2.3).
    mutating func measure(roundTrip: Int64) {
        if let previous = smoothed {
            smoothed = previous + (roundTrip - previous) / 8
            var change = abs(roundTrip - previous) - deviation / 4
            // A round trip that is shorter than it was is no reason to wait longer.
            if roundTrip < previous, change > 0 { change /= 8 }
            deviation += change
            deviationMax = max(deviationMax, deviation)
            variation = max(variation, deviationMax)
            variation -= (variation - deviationMax) / 4
            deviationMax = Self.floor
        } else {
            smoothed = roundTrip
            deviation = 2 * roundTrip
            variation = max(deviation, Self.floor)
            deviationMax = variation
        }
        base = (smoothed ?? roundTrip) + variation
    }
}
