public import SansIO

/// The monotonic time line of a host: a clock of the standard library, counted from when the host was made.
///
/// On a device this is `ContinuousClock`, which goes on while the device sleeps: a time-out that passes
/// meanwhile has passed when it wakes (law L4).
public struct MachineClock<Source: Clock<Duration>>: Sendable {
    /// The clock behind the line.
    public let source: Source
    private let origin: Source.Instant

    /// Starts a line now.
    public init(_ source: Source) {
        self.source = source
        origin = source.now
    }

    /// The present.
    public var now: Instant {
        Instant.zero.advanced(by: origin.duration(to: source.now))
    }

    /// Waits until an instant has come.
    ///
    /// - Parameter instant: When to go on; at once if it has passed.
    /// - Throws: `CancellationError` if the waiting task was cancelled.
    public func sleep(until instant: Instant) async throws {
        let deadline = origin.advanced(by: .nanoseconds(instant.nanoseconds))
        try await source.sleep(until: deadline, tolerance: .zero)
    }
}
