import SansIO

/// The waits after failures in a row, each twice the one before.
struct ReplicaBackoff: Sendable, Equatable {
    private var failures = 0

    /// There is new hope.
    mutating func reset() {
        failures = 0
    }

    /// The wait after one more failure; at least 1 ms.
    ///
    /// Half of it is drawn, so that phones that lost one server do not come back to it together.
    mutating func next(
        _ configuration: ReplicaConfiguration,
        _ generator: inout SeededGenerator
    ) -> Duration {
        let longest = configuration.backoffMax.wholeNanoseconds
        var nanoseconds = min(configuration.backoffFirst.wholeNanoseconds, longest)
        for _ in 0..<failures where nanoseconds < longest {
            nanoseconds = min(nanoseconds * 2, longest)
        }
        failures = min(failures + 1, 62)
        let half = nanoseconds / 2
        return .nanoseconds(max(nanoseconds - half + generator.below(half + 1), 1_000_000))
    }
}
