/// Wall time as a machine knows it: the time it was told last, counted on since.
///
/// A machine reads no clock. Its driver tells it the wall time at the start and after
/// each jump; in between, wall time passes as monotonic time does.
@frozen
public struct WallClock: Sendable, Equatable, BitwiseCopyable {
    /// What the clock showed at the start of the monotonic line, or would have.
    @usableFromInline var start: WallTime

    /// Makes a clock that showed 1970-01-01 00:00:00 UTC at the start: one that was never set, good
    /// for spans.
    @inlinable
    public init() {
        start = WallTime(nanosecondsSince1970: 0)
    }

    /// Makes a clock that shows `time` at `now`.
    @inlinable
    public init(showing time: WallTime, at now: Instant = .zero) {
        start = time.advanced(by: .zero - Instant.zero.duration(to: now))
    }

    /// The wall time at `now`, clamped to the representable range.
    @inlinable
    public func reading(at now: Instant) -> WallTime {
        start.advanced(by: Instant.zero.duration(to: now))
    }

    /// The instant at which the clock shows `time`, if it is not set until then.
    ///
    /// - Returns: The instant, which may be past; `nil` if the monotonic line does not reach so far.
    @inlinable
    public func instant(showing time: WallTime) -> Instant? {
        let (span, isTooFar) = time.nanosecondsSince1970
            .subtractingReportingOverflow(start.nanosecondsSince1970)
        guard isTooFar else { return span < .max ? Instant(nanoseconds: span) : nil }
        return time < start ? Instant(nanoseconds: .min) : nil
    }
}
