import SansIO

/// What follows a lost room or a failed attempt (RS-09, D-08, D-19).
extension RealtimeSession {
    /// Waits for the next attempt, unless the error forbids any (D-08).
    mutating func lost(_ error: RoomError, at now: Instant) {
        switch error {
        case .duplicateIdentity:
            guard isStrayJoinDue(at: now) else { return end(.takenOver) }
            strayJoinUntil = nil
        case .participantRemoved, .roomDeleted:
            return end(.takenOver)
        case .validation:
            if configuration.refreshesToken { ticket = nil }
        case .serverShutdown where wasConnected && configuration.probe.isEnabled:
            return partFromServer(at: now)
        case .serviceNotFound, .network, .timedOut, .invalidState, .serverShutdown,
            .stateMismatch, .joinFailure, .serverPingTimedOut, .unknown, .cancelled, .refused:
            break
        }
        waitForRetry(after: nil, at: now)
    }

    mutating func waitForRetry(
        after error: APIError?,
        atLeast wait: Duration = .zero,
        at now: Instant
    ) {
        let policy = configuration.outerRetry
        var delay = policy.delay(afterFailures: failures, &generator)
        if path == .unsatisfied, policy.isSlow(afterFailures: failures) {
            delay = max(delay, policy.offlineDelay)
        }
        state = .waiting(until: now.advanced(by: max(delay, wait)), after: error)
    }
}

extension OuterRetryPolicy {
    /// The wait after so many failed attempts in a row, with its jitter; at least 1 ms.
    ///
    /// By default, without jitter:
    ///
    /// | failures | 0 | 1 | 2 | 3 | 4 | 5 | 6 and more |
    /// |---|---|---|---|---|---|---|---|
    /// | wait | 0.2 s | 0.4 s | 0.8 s | 1.6 s | 2 s | 2 s | 3 s |
    func delay(afterFailures failures: Int, _ generator: inout SeededGenerator) -> Duration {
        var nanoseconds = slowDelay.wholeNanoseconds
        if !isSlow(afterFailures: failures) {
            let maximum = maximumDelay.wholeNanoseconds
            nanoseconds = min(firstDelay.wholeNanoseconds, maximum)
            for _ in 0..<failures where nanoseconds < maximum {
                nanoseconds = min(nanoseconds * 2, maximum)
            }
        }
        let growth = nanoseconds / 1_000_000 * Int64(jitter.partsPerMillion)
        return .nanoseconds(max(nanoseconds + generator.below(growth), 1_000_000))
    }

    /// Whether the fast phase is over (D-19).
    func isSlow(afterFailures failures: Int) -> Bool {
        failures >= fastAttempts
    }
}
