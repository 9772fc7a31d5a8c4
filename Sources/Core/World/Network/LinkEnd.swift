package import KodamaSimulation
package import SansIO

/// One direction of a link, with the source that orders its simultaneous events.
package struct LinkEnd {
    /// What the direction does to packets.
    package var link: Link
    /// Numbers the arrivals by this direction.
    package var source: EventSource
    /// When a packet was sent last.
    private var lastSend = Instant.zero
    /// Until when nothing passes, or nothing in `usefulDelayMax`.
    private var stoppedUntil: Instant?
    /// Until when what passes is slowed by more than that.
    private var slowedUntil: Instant?
    /// When the last of the disruptions under way ends; `nil` if there is none.
    package var disruptedUntil: Instant?

    /// What an attacker overhears; `nil` until an attack begins.
    package var tap: AirTap?

    package init(link: Link, source: EventSource) {
        self.link = link
        self.source = source
    }

    /// Sends a packet; in the silence before it the loss chain stepped on every 20 ms, the pace at which
    /// the catalogue's chains were fitted.
    package mutating func send(bytes: Int, at now: Instant) -> LinkOutcome {
        let steps = lastSend.duration(to: now).wholeNanoseconds / Self.chainStep - 1
        lastSend = now
        // After a thousand steps no chain of the catalogue remembers where it was.
        if steps > 0 { link.skip(packets: Int(min(steps, 1_000))) }
        return link.send(bytes: bytes, at: now)
    }

    private static let chainStep: Int64 = 20_000_000

    /// The longest delay with which a packet is of use to a conversation: as of a satellite's or a bad roaming's
    /// path, an assumption.
    package static let usefulDelayMax = Duration.seconds(5)

    /// Disrupts it from now on.
    package mutating func disrupt(
        _ disruption: LinkDisruption,
        until end: Instant,
        at now: Instant
    ) {
        link.disrupt(disruption, until: end)
        disruptedUntil = max(disruptedUntil ?? end, end)
        switch disruption {
        case .jammed where now.duration(to: end) <= Self.usefulDelayMax: break
        case .stopped, .jammed: stoppedUntil = max(stoppedUntil ?? end, end)
        case .slowed(let delay): slowedUntil = delay > Self.usefulDelayMax ? end : nil
        }
    }

    /// Whether nothing passes now that is of use when it comes.
    package func isStopped(at now: Instant) -> Bool {
        if let stoppedUntil, now < stoppedUntil { return true }
        if let slowedUntil, now < slowedUntil { return true }
        return false
    }
}
