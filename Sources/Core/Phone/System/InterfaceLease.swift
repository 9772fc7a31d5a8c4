public import SansIO

/// One address that an interface has or had.
@frozen
public struct InterfaceLease: Sendable, Hashable, BitwiseCopyable {
    /// The interface.
    public var interface: NetworkInterface
    /// Counts its addresses.
    public var lease: UInt16

    /// Names an address.
    @inlinable
    public init(_ interface: NetworkInterface, lease: UInt16) {
        self.interface = interface
        self.lease = lease
    }
}

/// When and how the system speaks of a change of the network.
public struct PathNotice: Sendable, Equatable {
    /// How long after the change the app hears of it; `nil` for never.
    public var delay: Duration?
    /// Whether sockets of the lost address report an error at once; if not, they fall silent.
    public var breaksSockets: Bool

    /// Makes a notice.
    public init(delay: Duration?, breaksSockets: Bool) {
        self.delay = delay
        self.breaksSockets = breaksSockets
    }

    /// The system speaks at once, and sockets break.
    public static let immediate = PathNotice(delay: .zero, breaksSockets: true)
    /// Packets vanish and nobody says so.
    public static let never = PathNotice(delay: nil, breaksSockets: false)
}
