/// One datagram of a handshake.
///
/// All numbers are big-endian.
///
/// | packet | byte 0 | then | Noise message |
/// |---|---|---|---|
/// | offer | version 1 (high four bits), type 8 | 32: the sender's group hash | 48 bytes |
/// | answer | version 1, type 9 | 4: the attempt | 128 bytes |
/// | proof | version 1, type 10 | 4: the attempt | 100 bytes |
///
/// An attempt is named by the first four bytes of the offer's Noise message, its ephemeral key. The
/// payload of answer and proof begins with the sender's signing key, which with the static key of the
/// same message makes its public key. A proof's payload goes on with four bytes: the attempt of the
/// receiver that the sender has answered and that leads over this one, or 0. An offer has none.
enum HandshakePacket: Sendable, Equatable {
    case offer(groupHash: [UInt8], message: [UInt8])
    case answer(attempt: UInt32, message: [UInt8])
    case proof(attempt: UInt32, message: [UInt8])

    static let version: UInt8 = 1
    static let offerByteCount = 81
    static let answerByteCount = 133
    static let proofByteCount = 105
    /// A signing key in a payload.
    static let keyByteCount = 32
    /// Says that there is no such attempt.
    static let noAttempt: UInt32 = 0

    /// The name of the attempt that an ephemeral key begins.
    static func attempt(of ephemeralKey: [UInt8]) -> UInt32 {
        UInt32(bigEndianBytes: ephemeralKey.prefix(4))
    }

    /// The packet as it travels.
    var bytes: [UInt8] {
        switch self {
        case .offer(let hash, let message): [Self.version << 4 | 8] + hash + message
        case .answer(let attempt, let message):
            [Self.version << 4 | 9] + attempt.bigEndianBytes + message
        case .proof(let attempt, let message):
            [Self.version << 4 | 10] + attempt.bigEndianBytes + message
        }
    }

    /// Reads a packet.
    ///
    /// - Throws: `malformed` or `unknownVersion`.
    init(decoding bytes: [UInt8]) throws(PacketRefusal) {
        guard let first = bytes.first else { throw .malformed }
        guard first >> 4 == Self.version else { throw .unknownVersion }
        switch (first & 0x0F, bytes.count) {
        case (8, Self.offerByteCount):
            self = .offer(groupHash: Array(bytes[1..<33]), message: Array(bytes[33...]))
        case (9, Self.answerByteCount):
            self = .answer(
                attempt: UInt32(bigEndianBytes: bytes[1..<5]),
                message: Array(bytes[5...])
            )
        case (10, Self.proofByteCount):
            self = .proof(
                attempt: UInt32(bigEndianBytes: bytes[1..<5]),
                message: Array(bytes[5...])
            )
        default: throw .malformed
        }
    }
}
