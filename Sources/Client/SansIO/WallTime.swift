/// Wall time in nanoseconds since 1970-01-01 00:00:00 UTC; it may jump.
///
/// Token expiries and alarms use wall time, timeouts use `Instant`.
@frozen
public struct WallTime: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Nanoseconds since the beginning of 1970, UTC.
    public var nanosecondsSince1970: Int64

    /// Makes the time that lies this number of nanoseconds after the beginning of 1970.
    @inlinable
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// The whole second, as a JWT's NumericDate counts (RFC 7519 §2).
    @inlinable
    public var secondsSince1970: Int64 { nanosecondsSince1970 / 1_000_000_000 }

    /// The time this number of seconds after the beginning of 1970, clamped to the representable range.
    @inlinable
    public init(secondsSince1970 seconds: Int64) {
        let (nanoseconds, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.init(nanosecondsSince1970: isTooFar ? (seconds < 0 ? .min : .max) : nanoseconds)
    }

    /// The time that lies `duration` later, clamped to the representable range; `duration` may be negative.
    @inlinable
    public func advanced(by duration: Duration) -> WallTime {
        let step = duration.wholeNanoseconds
        let (sum, isTooFar) = nanosecondsSince1970.addingReportingOverflow(step)
        return WallTime(nanosecondsSince1970: isTooFar ? (step < 0 ? .min : .max) : sum)
    }

    /// Orders times from early to late.
    @inlinable
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }
}
