import GroupSecurity

/// The sending side of a session, as a test drives it.
final class Sender {
    private var sealer: PacketSealer

    init(_ sealer: PacketSealer) {
        self.sealer = sealer
    }

    convenience init(_ keys: SessionKeys) {
        self.init(PacketSealer(keys))
    }

    /// Says that the last key has sealed its last packet.
    struct Exhausted: Error {}

    func seal(_ message: [UInt8], stream: UInt8 = 0) throws -> [UInt8] {
        guard let packet = sealer.seal(message, stream: stream) else { throw Exhausted() }
        return packet
    }
}

/// The receiving side of a session, as a test drives it.
final class Receiver {
    private(set) var opener: PacketOpener

    init(_ opener: PacketOpener) {
        self.opener = opener
    }

    convenience init(_ keys: SessionKeys) {
        self.init(PacketOpener(keys))
    }

    func open(_ packet: [UInt8]) throws(PacketRefusal) -> [UInt8] {
        try opener.open(packet)
    }

    /// Why a packet is refused; `nil` if it is not.
    func refusal(of packet: [UInt8]) -> PacketRefusal? {
        do throws(PacketRefusal) {
            _ = try opener.open(packet)
            return nil
        } catch {
            return error
        }
    }
}
