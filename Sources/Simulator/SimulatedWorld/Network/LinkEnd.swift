import Evidence
import SansIO
import Simulation

/// One direction of a link, with its place among the simultaneous.
struct LinkEnd {
    /// What the direction does to packets.
    var link: Link
    /// The link's component.
    let component: ComponentIndex
    /// What numbers the datagrams that arrive by it.
    var source: EventSource
    /// Until when nothing passes.
    var stoppedUntil: Instant?
    /// When the last of the disruptions under way ends; `nil` if there is none.
    var disruptedUntil: Instant?

    mutating func disrupt(_ disruption: LinkDisruption, until end: Instant) {
        link.disrupt(disruption, until: end)
        disruptedUntil = max(disruptedUntil ?? end, end)
        if disruption == .stopped { stoppedUntil = max(stoppedUntil ?? end, end) }
    }

    /// Whether nothing passes now.
    func isStopped(at now: Instant) -> Bool {
        guard let stoppedUntil else { return false }
        return now < stoppedUntil
    }
}
