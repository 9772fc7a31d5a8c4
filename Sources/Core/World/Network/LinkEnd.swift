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
    /// Until when nothing passes.
    package var stoppedUntil: Instant?
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

    package mutating func disrupt(_ disruption: LinkDisruption, until end: Instant) {
        link.disrupt(disruption, until: end)
        disruptedUntil = max(disruptedUntil ?? end, end)
        if disruption == .stopped { stoppedUntil = max(stoppedUntil ?? end, end) }
    }

    /// Whether nothing passes now.
    package func isStopped(at now: Instant) -> Bool {
        guard let stoppedUntil else { return false }
        return now < stoppedUntil
    }
}
