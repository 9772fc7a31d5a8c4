/// One datagram of a handshake.
///
/// All numbers are big-endian.
///
/// | packet | byte 0 | then | Noise message |
/// |---|---|---|---|
/// | offer | version 1 (high four bits), type 8 | 32: a sign of the sender's group | 48 bytes, then 0 or 16: an echo |
/// | answer | version 1, type 9 | 4: the attempt | 128 bytes |
/// | proof | version 1, type 10 | 4: the attempt | 100 bytes |
/// | challenge | version 1, type 11 | 4: the attempt, 16: a cookie, 16: its seal | |
///
/// An attempt is named by the first four bytes of the offer's Noise message, its ephemeral key. The
/// payload of answer and proof begins with the sender's signing key, which with the static key of the
/// same message makes its public key. A proof's payload goes on with four bytes: the attempt of the
/// receiver that the sender has answered and that leads over this one, or 0. An offer has none.
enum HandshakePacket: Sendable, Equatable {
    case offer(sign: [UInt8], message: [UInt8], echo: [UInt8])
    case answer(attempt: UInt32, message: [UInt8])
    case proof(attempt: UInt32, message: [UInt8])
    case challenge(attempt: UInt32, cookie: [UInt8], seal: [UInt8])

    static let version: UInt8 = 1
    static let offerByteCount = 81
    static let answerByteCount = 133
    static let proofByteCount = 105
    /// Shorter than an offer, so that whoever sends offers in another's name has nothing amplified.
    static let challengeByteCount = 37
    /// A cookie, its seal and its echo.
    static let cookieByteCount = 16
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
        case .offer(let sign, let message, let echo):
            [Self.version << 4 | 8] + sign + message + echo
        case .answer(let attempt, let message):
            [Self.version << 4 | 9] + attempt.bigEndianBytes + message
        case .proof(let attempt, let message):
            [Self.version << 4 | 10] + attempt.bigEndianBytes + message
        case .challenge(let attempt, let cookie, let seal):
            [Self.version << 4 | 11] + attempt.bigEndianBytes + cookie + seal
        }
    }

    /// Reads a packet.
    ///
    /// - Throws: `malformed` or `unknownVersion`.
    init(decoding bytes: [UInt8]) throws(PacketRefusal) {
        guard let first = bytes.first else { throw .malformed }
        guard first >> 4 == Self.version else { throw .unknownVersion }
        switch (first & 0x0F, bytes.count) {
        case (8, Self.offerByteCount), (8, Self.offerByteCount + Self.cookieByteCount):
            self = .offer(
                sign: Array(bytes[1..<33]),
                message: Array(bytes[33..<Self.offerByteCount]),
                echo: Array(bytes[Self.offerByteCount...])
            )
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
        case (11, Self.challengeByteCount):
            self = .challenge(
                attempt: UInt32(bigEndianBytes: bytes[1..<5]),
                cookie: Array(bytes[5..<21]),
                seal: Array(bytes[21...])
            )
        default: throw .malformed
        }
    }
}
