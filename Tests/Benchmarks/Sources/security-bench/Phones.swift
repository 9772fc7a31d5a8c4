import GroupSecurity
import SansIO

/// Two phones with an established session, and what they send each other.
struct Phones {
    var anna: SecureSession
    var ben: SecureSession

    /// Lets two new members of a group shake hands.
    init(in group: GroupCredential) {
        (anna, ben) = (Self.makeSession(in: group), Self.makeSession(in: group))
        var packets = Self.handle(.requested, by: &anna)
        var isBensTurn = true
        while let packet = packets.first {
            packets =
                isBensTurn
                ? Self.handle(.handshakeReceived(packet), by: &ben)
                : Self.handle(.handshakeReceived(packet), by: &anna)
            isBensTurn.toggle()
        }
        precondition(anna.peer != nil && ben.peer != nil, "the handshake came to nothing")
    }

    /// A group that nobody else knows.
    static func makeGroup() -> GroupCredential {
        var entropy = Entropy.system()
        return GroupCredential(
            id: GroupID(high: 1, low: 2),
            secret: GroupSecret(entropy: &entropy)
        )
    }

    private static func makeSession(in group: GroupCredential) -> SecureSession {
        var entropy = Entropy.system()
        let identity = MemberIdentity(entropy: &entropy)
        return SecureSession(
            GroupHandshake(identity: identity, group: group, entropy: .system())
        )
    }

    private static func handle(
        _ event: SecureSession.Event,
        by session: inout SecureSession
    ) -> [[UInt8]] {
        let effects = session.drive(event, at: .zero)
        return effects.compactMap { if case .send(let packet) = $0 { packet } else { nil } }
    }
}

extension SecureSession {
    /// Seals a message into an array.
    mutating func sealed(_ message: [UInt8], stream: UInt8) -> [UInt8] {
        var packet = [UInt8](
            repeating: 0,
            count: PacketSealer.packetCount(plaintextCount: message.count)
        )
        let count = message.withUnsafeBytes { message in
            packet.withUnsafeMutableBytes { seal(message, stream: stream, into: $0) }
        }
        precondition(count == packet.count, "an established session seals")
        return packet
    }

    /// Opens a packet as a phone does.
    ///
    /// - Parameters:
    ///   - packet: The datagram.
    ///   - room: Where the message goes.
    /// - Returns: Why it is refused; `nil` if it is not.
    mutating func refusal(
        of packet: [UInt8],
        into room: UnsafeMutableRawBufferPointer
    ) -> PacketRefusal? {
        packet.withUnsafeBytes { packet in
            do throws(PacketRefusal) {
                _ = try open(packet, into: room, at: .zero)
                return nil
            } catch {
                return error
            }
        }
    }
}
