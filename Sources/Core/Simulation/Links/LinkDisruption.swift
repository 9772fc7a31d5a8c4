/// The three ways in which a link can be disrupted for a while.
public enum LinkDisruption: Sendable, Equatable {
    /// Nothing passes; what is sent is lost, what is under way still arrives.
    case stopped
    /// Every packet takes so much longer.
    case slowed(by: Duration)
    /// Packets are held back; at the end they enter the link in order, all at once.
    case jammed
}
