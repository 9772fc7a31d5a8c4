import KodamaNetwork
import KodamaPhone
import SansIO

/// The pings of a signal connection, and when their silence means death.
struct SignalPings: Sendable, Equatable {
    let rule: PingRule
    /// Whether each ping begins the wait for an answer anew.
    let rearms: Bool
    private var interval: Duration?
    private var timeout = Duration.zero
    private var nextPing: Instant?
    private var deadAt: Instant?
    private var number: UInt32 = 0

    init(rule: PingRule, rearms: Bool = false) {
        self.rule = rule
        self.rearms = rearms
    }

    var deadline: Deadline? {
        .earliest(
            nextPing.map { Deadline($0, "signal ping") },
            deadAt.map { Deadline($0, "signal ping time-out") }
        )
    }

    /// Begins to ping as the server asked when it was joined.
    mutating func start(interval: Duration, timeout: Duration, at now: Instant) {
        self.interval = interval > .zero ? interval : nil
        self.timeout = timeout
        restart(at: now)
    }

    /// Begins to ping as it was asked last.
    mutating func restart(at now: Instant) {
        guard let interval else { return }
        nextPing = now.advanced(by: interval)
        deadAt = rule == .lastMessage ? now.advanced(by: timeout) : nil
    }

    mutating func stop() {
        nextPing = nil
        deadAt = nil
    }

    mutating func pong() {
        if rule == .firstUnanswered { deadAt = nil }
    }

    /// Any message proves that the connection lives, by one of the rules.
    mutating func heard(at now: Instant) {
        guard rule == .lastMessage, deadAt != nil else { return }
        deadAt = now.advanced(by: timeout)
    }

    func isDead(at now: Instant) -> Bool {
        deadAt.map { now >= $0 } ?? false
    }

    /// The number of the ping that is due, if one is.
    mutating func next(at now: Instant) -> UInt32? {
        guard let interval, let nextPing, now >= nextPing else { return nil }
        self.nextPing = now.advanced(by: interval)
        if rule == .firstUnanswered, deadAt == nil || rearms { deadAt = now.advanced(by: timeout) }
        number &+= 1
        return number
    }
}
