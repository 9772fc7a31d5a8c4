public import Simulation

/// What can be done to a link: one between phones, or a radio's.
public enum LinkAct: SystemAct {
    /// It is disrupted for a while, both ways or one, then as before.
    case disrupt(LinkDisruption, LinkWays = .both, lasting: Duration)
    /// It has another profile from now on.
    case change(to: LinkProfile)
}

/// Which directions of a link something befalls.
public enum LinkWays: String, Sendable, Hashable, CaseIterable {
    /// Both of them.
    case both
    /// From the first phone, or up from the phone.
    case forward
    /// To the first phone, or down to the phone.
    case backward
}
