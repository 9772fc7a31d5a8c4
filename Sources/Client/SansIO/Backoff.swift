/// The waits after failures in a row, each twice the one before.
public struct Backoff: Sendable, Equatable {
    private var failures = 0

    /// Makes the waits before any failure.
    public init() {}

    /// Starts over: the next wait is the first one again.
    public mutating func reset() {
        failures = 0
    }

    /// The wait after one more failure; at least 1 ms.
    ///
    /// Half of it is drawn, so that phones that lost one server do not come back to it together.
    ///
    /// - Parameters:
    ///   - first: The wait after the first failure.
    ///   - longest: The longest wait.
    ///   - generator: Draws the wait.
    /// - Returns: The wait.
    public mutating func next(
        first: Duration,
        longest: Duration,
        by generator: inout SeededGenerator
    ) -> Duration {
        let most = longest.wholeNanoseconds
        var nanoseconds = min(first.wholeNanoseconds, most)
        for _ in 0..<failures where nanoseconds < most { nanoseconds = min(nanoseconds * 2, most) }
        failures = min(failures + 1, 62)
        let half = nanoseconds / 2
        return .nanoseconds(max(nanoseconds - half + generator.below(half + 1), 1_000_000))
    }
}
