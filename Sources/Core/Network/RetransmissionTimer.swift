/// When a segment counts as lost: RFC 6298, with the floor that Linux and Darwin use.
///
/// Times are whole nanoseconds. The variation's share of the time-out is at least 200 ms (Linux,
/// `net/ipv4/tcp_input.c`, `__tcp_set_rto`; the 200 ms slop of XNU's `bsd/netinet/tcp_timer.h` does
/// the same). The caller gives samples of segments sent once only (Karn).
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
            variation += (abs(previous - roundTrip) - variation) / 4
            smoothed = previous + (roundTrip - previous) / 8
        } else {
            smoothed = roundTrip
            variation = roundTrip / 2
        }
        base = (smoothed ?? roundTrip) + max(Self.floor, 4 * variation)
    }
}
