/// Why `path.lost` says no path carries packets both ways.
public enum PathLossCause: Int64, Sendable, CaseIterable {
    /// The phone has no interface with an address.
    case interface
    /// The links are stopped, or everything on them is blocked.
    case link
    /// Signalling is blocked.
    case signalling
    /// Media is blocked.
    case media
    /// The room server is away.
    case server
}
