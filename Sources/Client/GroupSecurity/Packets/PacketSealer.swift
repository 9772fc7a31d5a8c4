import Crypto

/// Seals what one side of a session sends (S-SEC-003).
///
/// The sealer itself counts: no number is used twice with one key. After 2^20 packets of a stream,
/// 5.8 hours at 50 a second, the key is replaced by the one that follows (Noise's REKEY) and all
/// streams count from 0 again: the sequence, which has room for 2^32, never wraps. After 2^16 epochs
/// nothing more is sealed; the session needs a new handshake.
///
/// A copy seals with the same numbers: of two copies only one may send.
public struct PacketSealer: Sendable, Equatable {
    /// How many streams a session has; each counts for itself.
    public static let streamCount = 4
    /// The longest message in bytes.
    public static let plaintextCountMax = 1_372
    /// The longest packet in bytes, which fits an Ethernet frame with room for IPv6 and UDP.
    public static let packetCountMax = plaintextCountMax + SealedHeader.overheadByteCount
    /// How many packets of a stream are sealed with one key.
    static let packetsPerEpoch: UInt32 = 1 << 20

    let session: UInt32
    private let packetsPerEpoch: UInt32
    private var key: SymmetricKey
    private(set) var epoch: UInt16
    private var next = [UInt32](repeating: 0, count: streamCount)

    /// Begins to seal for a session.
    public init(_ keys: SessionKeys) {
        self.init(keys, epoch: 0, packetsPerEpoch: Self.packetsPerEpoch)
    }

    /// Begins with other limits than an app has: for tests of the limits.
    package init(_ keys: SessionKeys, epoch: UInt16, packetsPerEpoch: UInt32) {
        session = keys.sessionID
        key = keys.sending
        self.epoch = epoch
        self.packetsPerEpoch = packetsPerEpoch
    }

    /// How long a packet becomes.
    public static func packetCount(plaintextCount: Int) -> Int {
        plaintextCount + SealedHeader.overheadByteCount
    }

    /// Seals one message.
    ///
    /// - Parameters:
    ///   - plaintext: The message: 1 to `plaintextCountMax` bytes.
    ///   - stream: The stream whose numbers are used, 0 to 3; one for each path.
    ///   - packet: Where the packet goes; MUST have room for `packetCount`.
    /// - Returns: How many bytes were written; `nil` when the last key has sealed its last packet.
    /// - Complexity: Linear in the message.
    public mutating func seal(
        _ plaintext: UnsafeRawBufferPointer,
        stream: UInt8,
        into packet: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let count = Self.packetCount(plaintextCount: plaintext.count)
        precondition(
            (1...Self.plaintextCountMax).contains(plaintext.count),
            "a message of \(plaintext.count) bytes is not sealed, only 1...\(Self.plaintextCountMax)"
        )
        precondition(packet.count >= count, "\(packet.count) bytes do not hold \(count)")
        precondition(stream < Self.streamCount, "there is no stream \(stream)")
        guard renewKey(for: stream) else { return nil }
        let header = SealedHeader(
            stream: stream,
            epoch: epoch,
            session: session,
            sequence: next[Int(stream)]
        )
        next[Int(stream)] += 1
        header.encode(into: packet)
        let sealed = ChaChaPolyCipher.seal(
            plaintext,
            key: key,
            stream: UInt32(stream),
            counter: UInt64(header.sequence),
            authenticating: UnsafeRawBufferPointer(rebasing: packet[..<SealedHeader.byteCount])
        )
        UnsafeMutableRawBufferPointer(rebasing: packet[SealedHeader.byteCount..<count])
            .copyBytes(from: sealed)
        return count
    }

    /// Goes on to the next key if this one has sealed all that it may of a stream.
    private mutating func renewKey(for stream: UInt8) -> Bool {
        guard next[Int(stream)] >= packetsPerEpoch else { return true }
        guard epoch < .max else { return false }
        epoch += 1
        key = ChaChaPolyCipher.rekeyed(key)
        next = [UInt32](repeating: 0, count: Self.streamCount)
        return true
    }
}
