import SansIO

/// What a path has shown that it carries, by the statistics of the room objects on it.
struct LinkQuality: Sendable, Equatable {
    /// The step that the path allows.
    private(set) var step: AudioAdapter.Step

    private let configuration: AudioAdaptation
    /// The quickest round trip so far.
    private var quickest: Duration?
    /// For how long voice has flowed at its rate, and no queue was seen.
    private var provenTime = Duration.zero
    /// How long that must be for a rise.
    private var raiseAfter: Duration
    private var hasRisen = false
    private var latest: Reading?

    /// Statistics, as far as the next are compared with them.
    private struct Reading: Sendable, Equatable {
        let room: RoomID
        let at: Instant
        let bytes: Int64
    }

    /// Statistics that come later than this after the ones before say nothing of the time between: 5 s, five
    /// times their period.
    private static let gapMax = Duration.seconds(5)

    /// Begins on a path of which nothing is known.
    init(_ configuration: AudioAdaptation, from step: AudioAdapter.Step) {
        self.configuration = configuration
        self.step = step
        raiseAfter = configuration.raiseAfter
    }

    /// Takes the statistics of a room object whose track is published at `rate`.
    mutating func measure(
        _ statistics: RoomStatistics,
        of room: RoomID,
        sending rate: DataRate,
        at now: Instant
    ) {
        let bytes = statistics.bytesSent ?? 0
        defer { latest = Reading(room: room, at: now, bytes: bytes) }
        guard let roundTrip = statistics.roundTrip else { return }
        let quickest = min(quickest ?? roundTrip, roundTrip)
        self.quickest = quickest
        guard roundTrip - quickest < configuration.queueMax else { return queued() }
        guard let latest, latest.room == room else { return }
        let time = latest.at.duration(to: now)
        guard time > .zero, time <= Self.gapMax else { return }
        if Self.fills(rate, bytes: bytes - latest.bytes, in: time) { carried(for: time) }
    }

    /// Whether so many bytes are at least half of what a rate gives: the rest may be pauses.
    private static func fills(_ rate: DataRate, bytes: Int64, in time: Duration) -> Bool {
        // Below 10 s times 128 kbit/s, and cut where a counter says more than a link can carry.
        let sent = min(max(0, bytes), 10_000_000) * 8 * 2 * 1_000
        return sent >= rate.bitsPerSecond * (time.wholeNanoseconds / 1_000_000)
    }

    private mutating func queued() {
        provenTime = .zero
        if hasRisen {
            raiseAfter = min(raiseAfter * 2, max(configuration.raiseAfterMax, raiseAfter))
            hasRisen = false
        }
        step = .least
    }

    private mutating func carried(for time: Duration) {
        guard let above = AudioAdapter.Step(rawValue: step.rawValue - 1) else { return }
        provenTime += time
        guard provenTime >= raiseAfter else { return }
        provenTime = .zero
        step = above
        hasRisen = true
    }
}
