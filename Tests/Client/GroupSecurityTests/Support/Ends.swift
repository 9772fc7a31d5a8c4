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

extension PacketSealer {
    /// Seals one message into an array of its own.
    mutating func seal(_ plaintext: [UInt8], stream: UInt8) -> [UInt8]? {
        var packet = [UInt8](repeating: 0, count: Self.packetCount(plaintextCount: plaintext.count))
        let count = plaintext.withUnsafeBytes { plaintext in
            packet.withUnsafeMutableBytes { seal(plaintext, stream: stream, into: $0) }
        }
        return count == nil ? nil : packet
    }
}

extension PacketOpener {
    /// Opens one packet into an array of its own.
    mutating func open(_ packet: [UInt8]) throws(PacketRefusal) -> [UInt8] {
        var plaintext = [UInt8](repeating: 0, count: PacketSealer.plaintextCountMax)
        let result = packet.withUnsafeBytes { packet in
            plaintext.withUnsafeMutableBytes { plaintext in
                Result { () throws(PacketRefusal) in try open(packet, into: plaintext) }
            }
        }
        return Array(plaintext.prefix(try result.get().count))
    }
}
