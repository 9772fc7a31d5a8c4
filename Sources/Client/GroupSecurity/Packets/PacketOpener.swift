import Crypto
import SansIO

/// Opens what the other side of a session sealed, each packet once (S-SEC-003, S-SEC-004).
///
/// First a packet proves that the other side made it, then it is looked up whether it came before.
/// RFC 3711 section 3.3 looks it up first, which saves work on replays; but then a forged packet that
/// names an old number would count as replayed. Here a forged packet changes nothing, whatever number
/// it names, and what is called replayed is authentic.
///
/// Three keys are known: that of the epoch, the one before for what is still on its way, and the one
/// after. A packet of the next epoch moves the opener there once it has proved authentic.
public struct PacketOpener: Sendable, Equatable {
    /// Where an authentic packet stood.
    public struct Opened: Sendable, Equatable {
        /// The stream whose numbers it used.
        public var stream: UInt8
        /// How many bytes the message has.
        public var count: Int
    }

    /// One epoch's key and what came of each stream.
    private struct Epoch: Sendable, Equatable {
        let number: UInt16
        let key: SymmetricKey
        var windows = [ReplayWindow](repeating: ReplayWindow(), count: PacketSealer.streamCount)
    }

    let session: UInt32
    private var current: Epoch
    private var previous: Epoch?
    /// The key after the current one, at hand so that a packet that only claims the next epoch costs
    /// no more than any other.
    private var following: SymmetricKey

    /// Begins to open a session's packets.
    public init(_ keys: SessionKeys) {
        self.init(keys, epoch: 0)
    }

    /// Begins in a later epoch: for tests of the limits.
    package init(_ keys: SessionKeys, epoch: UInt16) {
        session = keys.sessionID
        current = Epoch(number: epoch, key: keys.receiving)
        following = ChaChaPolyCipher.rekeyed(keys.receiving)
    }

    /// Opens one packet.
    ///
    /// - Parameters:
    ///   - packet: The whole datagram.
    ///   - plaintext: Where the message goes; MUST have room for `PacketSealer.plaintextCountMax`.
    /// - Returns: The message's stream and length.
    /// - Throws: Why the packet is not accepted; then nothing has changed.
    /// - Complexity: Linear in the packet.
    public mutating func open(
        _ packet: UnsafeRawBufferPointer,
        into plaintext: UnsafeMutableRawBufferPointer
    ) throws(PacketRefusal) -> Opened {
        let header = try SealedHeader(decoding: packet)
        guard header.session == session else { throw .unknownSession }
        guard let key = key(of: header.epoch) else { throw .unknownEpoch }
        let opened = ChaChaPolyCipher.open(
            UnsafeRawBufferPointer(rebasing: packet[SealedHeader.byteCount...]),
            key: key,
            stream: UInt32(header.stream),
            counter: UInt64(header.sequence),
            authenticating: UnsafeRawBufferPointer(rebasing: packet[..<SealedHeader.byteCount])
        )
        guard let opened else { throw .forged }
        try admit(header)
        plaintext.copyBytes(from: opened)
        return Opened(stream: header.stream, count: opened.count)
    }

    private func key(of epoch: UInt16) -> SymmetricKey? {
        if epoch == current.number { return current.key }
        if let previous, epoch == previous.number { return previous.key }
        return current.number < .max && epoch == current.number + 1 ? following : nil
    }

    /// Notes an authentic packet, or refuses it because it came before.
    private mutating func admit(_ header: SealedHeader) throws(PacketRefusal) {
        let stream = Int(header.stream)
        let sequence = SerialNumber(header.sequence)
        let verdict: ReplayWindow.Verdict
        if header.epoch == previous?.number {
            verdict = previous?.windows[stream].admit(sequence) ?? .stale
        } else {
            if header.epoch != current.number { advance() }
            verdict = current.windows[stream].admit(sequence)
        }
        switch verdict {
        case .first: return
        case .duplicate: throw .replayed
        case .stale: throw .stale
        }
    }

    private mutating func advance() {
        previous = current
        current = Epoch(number: current.number + 1, key: following)
        following = ChaChaPolyCipher.rekeyed(following)
    }
}
