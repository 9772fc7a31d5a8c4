public import SansIO

extension Instant {
    /// Whole microseconds as keepalives and pings carry them, which wrap after 71 minutes.
    public var microsecondsOnWire: UInt32 { UInt32(truncatingIfNeeded: nanoseconds / 1_000) }
}
