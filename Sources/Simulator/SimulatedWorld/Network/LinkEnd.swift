import Evidence
import Simulation

/// One direction of a link, with its place among the simultaneous.
struct LinkEnd {
    /// What the direction does to packets.
    var link: Link
    /// The link's component.
    let component: ComponentIndex
    /// What numbers the datagrams that arrive by it.
    var source: EventSource
}
