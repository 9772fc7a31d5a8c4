import SansIO

/// Joins that are still on their way when their room object has been let go of.
///
/// One that arrives late evicts the one that followed it (livekit/client-sdk-flutter, issue 1219),
/// which looks like another device. Once that is believed to be none.
extension RealtimeSession {
    /// How long a closed socket goes on sending: RFC 6298 doubles its time-out up to a minute.
    private static var strayJoinLife: Duration { .seconds(60) }

    /// By how much a time-out is longer than all before it together: by the first of them.
    ///
    /// That is 3 s where a SYN was lost (RFC 6298 §5.7), and three round trips elsewhere.
    private static var firstTimeOut: Duration { .seconds(5) }

    /// Whether a connect that begins now finds no path, for all that is known.
    ///
    /// Probes are lost, and nothing has just said that there is a path.
    func beginsInTheDark(at now: Instant) -> Bool {
        let grace = configuration.outerRetry.pathGrace
        let hasNews = latestPathAttempt.map { now < $0.advanced(by: grace) } ?? false
        return probe.isUnanswered && !hasNews
    }

    /// Expects the join of an attempt that is given up.
    ///
    /// A socket that never opened, since nothing came back from any host, has taken none.
    mutating func awaitStrayJoin(of attempt: Attempt, at now: Instant) {
        guard !attempt.isInTheDark else { return }
        awaitStrayJoin(since: attempt.since, at: now)
    }

    /// Expects the join that the SDK may have made by itself, to get back into its room.
    mutating func awaitStrayJoin(of room: LiveRoom, at now: Instant) {
        guard let since = room.rejoiningSince else { return }
        awaitStrayJoin(since: since, at: now)
    }

    private mutating func awaitStrayJoin(since: Instant, at now: Instant) {
        let isFirst = strayJoinUntil.map { now >= $0 } ?? true
        strayJoinSince = isFirst ? since : min(strayJoinSince, since)
        strayJoinUntil = now.advanced(by: Self.strayJoinLife)
    }

    /// Whether an eviction may be by a join of the session's own.
    ///
    /// Once a later join has come through, the path works, and so will an older socket's next
    /// attempt, after as long again as its join has been on its way. Whoever evicts the session
    /// later than that is another device (D-08).
    func isStrayJoinDue(at now: Instant) -> Bool {
        guard let until = strayJoinUntil, now < until else { return false }
        guard case .connected(let room) = state else { return true }
        let age = strayJoinSince.duration(to: room.joinedAt)
        return now <= room.joinedAt.advanced(by: age + Self.firstTimeOut)
    }
}
