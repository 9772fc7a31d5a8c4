public import Simulation

/// What can be done to a link: one between phones, or a radio's.
public enum LinkAct: SystemAct {
    /// It is disrupted for a while, then as before.
    case disrupt(LinkDisruption, lasting: Duration)
    /// It has another profile from now on.
    case change(to: LinkProfile)
}
