public import KodamaSimulation

/// What can be done to a link: one between phones, or a radio's.
public enum LinkAct: SystemAct {
    /// It is disrupted for a while, both ways or one, then as before.
    case disrupt(LinkDisruption, LinkWays = .both, lasting: Duration)
    /// Somebody on the air sends into it, again and again for a while.
    case attack(LinkAttack, every: Duration, lasting: Duration)
    /// It has another profile from now on.
    case change(to: LinkProfile)
}

/// What somebody on the air sends, who hears all that passes and has no key.
public enum LinkAttack: String, Sendable, Hashable, CaseIterable {
    /// Packets that were sent before, as they were.
    case replay
    /// Packets that were sent before, as they were, back to whoever sent them.
    case reflect
    /// Packets that were sent before, with one bit changed.
    case forge
    /// Bytes drawn by chance, as many as a packet has.
    case flood
}

/// Which directions of a link something befalls.
public enum LinkWays: String, Sendable, Hashable, CaseIterable {
    /// Both of them.
    case both
    /// From the first phone, or up from the phone.
    case forward
    /// To the first phone, or down to the phone.
    case backward

    /// The same as seen from the link's other end.
    var turned: LinkWays {
        switch self {
        case .both: .both
        case .forward: .backward
        case .backward: .forward
        }
    }
}
