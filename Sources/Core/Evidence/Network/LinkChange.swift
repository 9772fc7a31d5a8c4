/// What `link.changed` says happened to a link.
public enum LinkChange: Int64, Sendable, CaseIterable {
    /// Nothing passes any more.
    case stopped
    /// Packets take longer.
    case slowed
    /// Packets are held back, to come all at once.
    case jammed
    /// It has another profile.
    case changed
    /// It is as it was before.
    case restored
}
