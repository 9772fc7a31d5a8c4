import SansIO

/// The waits between tries of a request that is tried seldom, because all fast tries have failed.
///
/// A wait is an eighth of the time since the first of them, which makes some twenty tries in the first
/// hour. None is the last: a client that stops asking learns of its server's return only by chance.
struct LongPatience: Sendable, Equatable {
    /// The shortest wait, as long as the last of the fast ones.
    static let least = Duration.seconds(8)
    /// The longest wait; an assumption.
    static let most = Duration.seconds(900)
    private static let divisor = 8

    /// Since when the request has been tried seldom, if it is.
    private var since: Instant?

    /// Whether the request is tried seldom.
    var isLong: Bool { since != nil }

    /// The wait before the next try.
    mutating func wait(at now: Instant) -> Duration {
        let start = since ?? now
        since = start
        return min(max(Self.least, start.duration(to: now) / Self.divisor), Self.most)
    }

    /// Lets the next failures be followed by fast tries: one succeeded, or something gives new hope.
    mutating func end() { since = nil }
}
