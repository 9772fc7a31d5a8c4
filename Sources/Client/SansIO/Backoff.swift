/// The waits after failures in a row, each longer than the one before.
///
/// Whatever asks a server again waits by one of these: its waits are drawn, so that phones that lost one
/// server do not come back to it together. None is the last: a client that stops asking learns of its
/// server's return only by chance.
public struct Backoff: Sendable, Equatable {
    private var failures = 0

    /// Makes the waits before any failure.
    public init() {}

    /// Whether there was a failure since the last reset.
    public var hasFailed: Bool { failures > 0 }

    /// Starts over: the next wait is the first one again.
    public mutating func reset() {
        failures = 0
    }

    /// The wait after one more failure; at least 1 ms.
    ///
    /// Half of it is drawn.
    ///
    /// - Parameters:
    ///   - first: The wait after the first failure.
    ///   - longest: The longest wait.
    ///   - share: The part of itself by which each wait grows, from 1: 1 doubles waits; 8 makes each wait
    ///     about an eighth of the time since the first, some forty waits in the first hour.
    ///   - generator: Draws the wait.
    /// - Returns: The wait.
    public mutating func next(
        first: Duration,
        longest: Duration,
        growingBy share: Int64 = 1,
        by generator: inout SeededGenerator
    ) -> Duration {
        let most = longest.wholeNanoseconds
        var nanoseconds = min(first.wholeNanoseconds, most)
        for _ in 0..<failures where nanoseconds < most {
            nanoseconds = min(nanoseconds + nanoseconds / max(share, 1), most)
        }
        failures = min(failures + 1, 62)
        let half = nanoseconds / 2
        return .nanoseconds(max(nanoseconds - half + generator.below(half + 1), 1_000_000))
    }
}
