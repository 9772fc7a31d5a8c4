import Crypto

/// What a handshake yields: the peer, and the keys of both directions.
public struct SessionKeys: Sendable, Equatable, CustomStringConvertible {
    /// The other side, proven.
    public let peer: MemberPublicKey
    /// The session's name on the wire, the same on both sides: the first four bytes of the
    /// handshake's hash.
    public let sessionID: UInt32
    /// The key of what this side seals in the first epoch.
    let sending: SymmetricKey
    /// The key of what the other side seals in the first epoch.
    let receiving: SymmetricKey

    init(peer: MemberPublicKey, handshake: NoiseHandshake) {
        self.peer = peer
        sessionID = UInt32(bigEndianBytes: handshake.hash[..<4])
        (sending, receiving) = handshake.split()
    }

    /// Names session and peer and keeps the keys.
    public var description: String {
        "SessionKeys(\(String(sessionID, radix: 16)) with \(peer.memberID))"
    }
}
