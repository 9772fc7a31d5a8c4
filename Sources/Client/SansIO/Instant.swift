/// A point on the monotonic time line of one process, in nanoseconds from that line's start.
///
/// Timeouts and frames use `Instant`; alarms and token expiries use wall time, which may jump.
/// Range: ±292 years around the start. Arithmetic traps on overflow.
@frozen
public struct Instant: Sendable, Hashable, BitwiseCopyable, InstantProtocol {
    /// Nanoseconds since the start of the line.
    public var nanoseconds: Int64

    /// The start of the line.
    @inlinable
    public static var zero: Instant { Instant(nanoseconds: 0) }

    /// Makes the instant that lies `nanoseconds` after the start of the line.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant that lies `duration` later; `duration` may be negative.
    @inlinable
    public func advanced(by duration: Duration) -> Instant {
        Instant(nanoseconds: nanoseconds + duration.wholeNanoseconds)
    }

    /// How long after this instant `other` lies; negative if before.
    @inlinable
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    /// Orders instants by time.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// This duration in whole nanoseconds, cut towards zero; traps beyond ±292 years.
    ///
    /// `Duration` counts attoseconds in 128 bits, which are slow to divide: convert once, outside
    /// the hot path.
    @inlinable
    public var wholeNanoseconds: Int64 {
        // Up to 9 s the attoseconds fit in 64 bits.
        if #available(iOS 18, macOS 15, *), let attoseconds = Int64(exactly: attoseconds) {
            return attoseconds / 1_000_000_000
        }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
