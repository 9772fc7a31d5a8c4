/// What stands in clear before a sealed packet, and is authenticated with it.
///
/// All numbers are big-endian.
///
/// | byte | content |
/// |---|---|
/// | 0 | version (high four bits, 1), type (low four bits, 12) |
/// | 1 | stream, 0 to 3; other values are malformed |
/// | 2–3 | epoch: how often the key was renewed |
/// | 4–7 | session: the first four bytes of the handshake's hash |
/// | 8–11 | sequence: counts the packets of a stream in an epoch, from 0 |
/// | 12– | 1 to 1,372 sealed bytes, then the tag of 16 |
///
/// The nonce is the stream and the sequence; the key is one direction's in one epoch. A stream is a
/// path: whoever sends on two paths seals for each, so that the window of a slow path does not fall
/// behind a fast one's numbers, as in QUIC over several paths (draft-ietf-quic-multipath).
struct SealedHeader: Sendable, Equatable {
    static let byteCount = 12
    static let version: UInt8 = 1
    static let kind: UInt8 = 12
    /// The bytes that sealing adds to a message.
    static let overheadByteCount = byteCount + ChaChaPolyCipher.tagByteCount

    var stream: UInt8
    var epoch: UInt16
    var session: UInt32
    var sequence: UInt32

    /// Puts a header together.
    init(stream: UInt8, epoch: UInt16, session: UInt32, sequence: UInt32) {
        self.stream = stream
        self.epoch = epoch
        self.session = session
        self.sequence = sequence
    }

    /// Reads the header of a packet and checks all that can be checked without a key.
    ///
    /// - Throws: `malformed` or `unknownVersion`.
    init(decoding packet: UnsafeRawBufferPointer) throws(PacketRefusal) {
        guard packet.count > Self.overheadByteCount, packet.count <= PacketSealer.packetCountMax
        else { throw .malformed }
        guard packet[0] >> 4 == Self.version else { throw .unknownVersion }
        guard packet[0] & 0x0F == Self.kind, packet[1] < PacketSealer.streamCount else {
            throw .malformed
        }
        stream = packet[1]
        epoch = UInt16(bigEndian: packet.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        session = UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        sequence = UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }

    func encode(into packet: UnsafeMutableRawBufferPointer) {
        packet[0] = Self.version << 4 | Self.kind
        packet[1] = stream
        packet.storeBytes(of: epoch.bigEndian, toByteOffset: 2, as: UInt16.self)
        packet.storeBytes(of: session.bigEndian, toByteOffset: 4, as: UInt32.self)
        packet.storeBytes(of: sequence.bigEndian, toByteOffset: 8, as: UInt32.self)
    }
}
