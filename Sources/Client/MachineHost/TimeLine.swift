import SansIO

/// The monotonic time line of a host: a clock of the standard library, counted from when the host was made.
///
/// On a device this is `ContinuousClock`, which goes on while the device sleeps: a time-out that passes
/// meanwhile has passed when it wakes (law L4). Which clock it is stays inside, so that hosts need not be
/// generic over theirs.
struct TimeLine: Sendable {
    private let present: @Sendable () -> Instant
    private let wait: @Sendable (Instant) async throws -> Void

    /// Starts a line now.
    init<Source: Clock<Duration>>(_ clock: Source) {
        let origin = clock.now
        present = { Instant.zero.advanced(by: origin.duration(to: clock.now)) }
        wait = { instant in
            let deadline = origin.advanced(by: .nanoseconds(instant.nanoseconds))
            try await clock.sleep(until: deadline, tolerance: .zero)
        }
    }

    /// The present.
    var now: Instant { present() }

    /// Waits until an instant has come; throws if the waiting task was cancelled.
    func sleep(until instant: Instant) async throws { try await wait(instant) }
}
