import SansIO

/// A machine's time line, whatever clock is behind it: hosts need not be generic over theirs.
struct AnyMachineClock: Sendable {
    private let present: @Sendable () -> Instant
    private let wait: @Sendable (Instant) async throws -> Void

    init(_ clock: MachineClock<some Clock<Duration>>) {
        present = { clock.now }
        wait = { try await clock.sleep(until: $0) }
    }

    var now: Instant { present() }

    func sleep(until instant: Instant) async throws { try await wait(instant) }
}
