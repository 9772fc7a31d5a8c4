/// An address of one interface of one host, as long as the network lends it.
@frozen
public struct NetworkAddress: Sendable, Hashable, BitwiseCopyable {
    /// The host's number in the world.
    public var host: UInt32
    /// The interface's number on the host: a `NetworkInterface`'s raw value or `peerRadio` on a phone, 0
    /// on a server.
    public var interface: UInt8
    /// Counts the addresses that the interface had; a packet to an old one reaches nobody.
    public var lease: UInt16

    /// The number of a phone's radio to phones nearby.
    public static let peerRadio: UInt8 = .max

    /// Names an address.
    @inlinable
    public init(host: UInt32, interface: UInt8, lease: UInt16) {
        self.host = host
        self.interface = interface
        self.lease = lease
    }
}

/// One end of a packet's way: an address and a port.
@frozen
public struct SocketAddress: Sendable, Hashable, BitwiseCopyable {
    /// The address.
    public var address: NetworkAddress
    /// The port, unique on its host.
    public var port: UInt64

    /// Names an end.
    @inlinable
    public init(address: NetworkAddress, port: UInt64) {
        self.address = address
        self.port = port
    }
}
