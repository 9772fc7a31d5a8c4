public import SansIO

/// When one person talks: from `start` up to `end`.
@frozen
public struct TalkTurn: Sendable, Equatable, BitwiseCopyable {
    /// When the talk begins.
    public var start: Instant
    /// When the talk is over; after `start`.
    public var end: Instant

    /// Makes a turn.
    @inlinable
    public init(start: Instant, end: Instant) {
        self.start = start
        self.end = end
    }
}

/// A person's time line in samples at 48 kHz, of which sample 0 is heard at `Instant.zero`.
public enum MicrophoneTime {
    /// The sample that is heard at `instant`, or the last before it.
    ///
    /// - Parameter instant: At most six years after the start.
    /// - Returns: The sample's index.
    @inlinable
    public static func sampleIndex(at instant: Instant) -> Int64 {
        // 48,000 samples in 10^9 ns are 6 in 125,000.
        let product = instant.nanoseconds * 6
        return product >= 0 ? product / 125_000 : (product - 124_999) / 125_000
    }

    /// When a sample is heard, cut to whole nanoseconds.
    ///
    /// - Parameter sampleIndex: The sample's index.
    /// - Returns: The instant; `sampleIndex(at:)` of it is at most one less.
    @inlinable
    public static func instant(of sampleIndex: Int64) -> Instant {
        Instant(
            nanoseconds: sampleIndex / 48_000 * 1_000_000_000 + sampleIndex % 48_000 * 125_000 / 6
        )
    }
}
