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
    /// When the last of the disruptions under way ends; `nil` if there is none.
    var disruptedUntil: Instant?

    mutating func disrupt(until end: Instant) {
        disruptedUntil = max(disruptedUntil ?? end, end)
    }
}
