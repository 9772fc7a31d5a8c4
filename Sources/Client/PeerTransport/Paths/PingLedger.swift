import SansIO

/// The pings of one path that wait for their pongs, and the round trip that answered ones showed.
struct PingLedger: Sendable, Equatable {
    /// A pong is overdue after twice the smoothed round trip, but not before this.
    static let patienceMin: Int64 = 100_000_000
    /// Before the first pong: more than a cold relay takes (RFC 6298 section 2: one second).
    static let patienceAtFirst: Int64 = 1_000_000_000
    /// No pong is waited for longer, however late the last ones were.
    ///
    /// At ten pings a second 300 are remembered at most. Whichever is forgotten is overdue.
    static let patienceMax: Int64 = 30_000_000_000

    /// What a pong says of its ping.
    struct Answer: Sendable, Equatable, BitwiseCopyable {
        let sentNanoseconds: Int64
        let isInTime: Bool
    }

    private struct Waiting: Sendable, Equatable {
        let number: SerialNumber
        let sentNanoseconds: Int64
        let expiryNanoseconds: Int64
        /// Whether the pong counts as lost; one that comes all the same shows the round trip.
        var isOverdue = false
    }

    private var waiting: [Waiting] = []
    private var next = SerialNumber(0)
    /// When the latest of the answered pings was sent.
    private var answeredNanoseconds = Int64.min
    /// When the first pong became overdue since the last one came; `nil` if none has.
    private(set) var unansweredDueNanoseconds: Int64?
    /// The smoothed round trip (RFC 6298 section 2: an eighth of each new one).
    private(set) var roundTripNanoseconds: Int64?
    /// The round trip of the latest pong.
    private(set) var latestTripNanoseconds: Int64?

    /// When the next pong that waits becomes overdue.
    var firstExpiryNanoseconds: Int64? { waiting.first { !$0.isOverdue }?.expiryNanoseconds }

    private var patienceNanoseconds: Int64 {
        guard let trip = roundTripNanoseconds else { return Self.patienceAtFirst }
        return min(max(2 * trip, Self.patienceMin), Self.patienceMax)
    }

    mutating func make(_ path: TransportPath, at now: Instant) -> Ping {
        waiting.removeAll { now.nanoseconds - $0.sentNanoseconds > Self.patienceMax }
        let expiry = now.nanoseconds + patienceNanoseconds
        // A falling patience must not let a later ping expire first.
        waiting.append(
            Waiting(
                number: next,
                sentNanoseconds: now.nanoseconds,
                expiryNanoseconds: max(expiry, waiting.last?.expiryNanoseconds ?? .min)
            )
        )
        defer { next = next.advanced(by: 1) }
        return Ping(path: path, number: next, sentMicroseconds: now.microsecondsOnWire)
    }

    /// Takes the ping off that a pong answers.
    ///
    /// - Returns: When it was sent and whether its pong is in time; `nil` if none waits for it.
    mutating func settle(_ pong: Pong, at now: Instant) -> Answer? {
        guard let index = waiting.firstIndex(where: { $0.number == pong.ping.number }) else {
            return nil
        }
        let ping = waiting.remove(at: index)
        unansweredDueNanoseconds = nil
        answeredNanoseconds = max(answeredNanoseconds, ping.sentNanoseconds)
        let elapsed = now.nanoseconds - ping.sentNanoseconds
        let trip = elapsed - min(Int64(pong.heldMicroseconds) * 1_000, elapsed)
        latestTripNanoseconds = trip
        roundTripNanoseconds = roundTripNanoseconds.map { $0 + (trip - $0) / 8 } ?? trip
        return Answer(sentNanoseconds: ping.sentNanoseconds, isInTime: !ping.isOverdue)
    }

    /// Whether a ping that was sent in the stretch has had no pong, be it overdue or not.
    func isUnanswered(from start: Int64, before end: Int64) -> Bool {
        waiting.contains { $0.sentNanoseconds >= start && $0.sentNanoseconds < end }
    }

    /// Whether a ping has become overdue since then though a later one is answered.
    ///
    /// One that waits in a long queue is overdue as well, but its pong comes before the later ones.
    func hasLost(since start: Int64) -> Bool {
        waiting.contains { ping in
            ping.isOverdue && ping.expiryNanoseconds >= start
                && ping.sentNanoseconds < answeredNanoseconds
        }
    }

    /// Counts the pings whose pongs have become overdue.
    mutating func expire(at now: Instant) -> Int {
        var count = 0
        for index in waiting.indices
        where !waiting[index].isOverdue && waiting[index].expiryNanoseconds <= now.nanoseconds {
            waiting[index].isOverdue = true
            unansweredDueNanoseconds = unansweredDueNanoseconds ?? waiting[index].expiryNanoseconds
            count += 1
        }
        return count
    }

    /// Forgets pings and round trip: the path is a new one.
    mutating func forgetAll() {
        waiting = []
        answeredNanoseconds = .min
        unansweredDueNanoseconds = nil
        (roundTripNanoseconds, latestTripNanoseconds) = (nil, nil)
    }
}
