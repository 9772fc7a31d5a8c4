import AppCoordination
import GroupSecurity
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import PeerTransport
import SansIO

// Bytes on their way between an app and its connections. Sized voice is not sealed: its packets are as
// long as sealed ones and begin with the same byte, and the number of the session stands for the seal.
// Handshakes are whole all the same. What is not voice is sealed wherever a seal can tell more than that:
// its pings vouch for a peer, who is not cut for what others or the link have spoilt.

extension GroupApp {
    /// What begins a packet that is as long as a sealed one: version and type of a sealed packet.
    static let sealedMark: UInt8 = 0x1C
    /// How many bytes stand before a message that is not sealed: the mark, and the session's number.
    static let stampBytes = 1 + MemoryLayout<UInt32>.size

    /// From where the app's datagrams to the Internet come; `nil` without a way there.
    var internetSocket: SocketAddress? {
        phone.addresses.first.map { SocketAddress(address: $0, port: firstPort) }
    }

    // MARK: Sending

    /// Encodes a captured frame once, and seals and sends it by every connection of a fan-out.
    func sendVoice(
        _ header: FrameHeader,
        _ frame: FrameHandle,
        by fanout: Fanout,
        on stage: inout Stage
    ) {
        let provenance = sound.provenance(of: frame)
        let (keptBytes, bytes) = sound.encode(
            frame,
            under: header,
            by: phone.sound.microphoneClock,
            using: stage.network.payload,
            into: room
        )
        let message = Message(
            content: .voice,
            provenance: provenance,
            keptBytes: keptBytes,
            bytes: bytes
        )
        for link in seat.ask({ $0.links(in: fanout) }) { seal(message, by: link, on: &stage) }
        sound.release(frame)
    }

    /// Seals and sends a message without voice.
    func send(_ message: PeerMessage, by link: LinkID, on stage: inout Stage) {
        let count = message.encode(into: room)
        let (content, captureIndex): (PacketContent, Int64) =
            switch message {
            case .voice: preconditionFailure("voice is sent with its frame")
            case .keepalive: (.keepalive, 0)
            case .endMark(let mark): (.endMark, Int64(mark.lastCaptureIndex.rawValue))
            }
        let message = Message(
            content: content,
            provenance: provenance(captureIndex, on: stage),
            keptBytes: count,
            bytes: count
        )
        seal(message, by: link, on: &stage)
    }

    /// Seals and sends a control message.
    func send(_ message: ControlMessage, by link: LinkID, on stage: inout Stage) {
        let bytes = message.encoded
        room.copyBytes(from: bytes)
        let message = Message(
            content: .control,
            provenance: provenance(0, on: stage),
            keptBytes: bytes.count,
            bytes: bytes.count
        )
        seal(message, by: link, on: &stage)
    }

    /// Sends a packet of a handshake as it is.
    func send(_ bytes: [UInt8], by link: LinkID, on stage: inout Stage) {
        stage.network.datagram.copyBytes(from: bytes)
        let label = DatagramLabel(
            content: .control,
            provenance: provenance(0, on: stage),
            wireBytes: Int32(bytes.count + IntercomApp.lowerHeaderBytes)
        )
        transmit(label, keptBytes: bytes.count, by: link, on: &stage)
    }

    /// A message that lies in `room`.
    private struct Message {
        let content: PacketContent
        let provenance: Provenance
        /// How many of its bytes lie there, and how many it really has.
        let keptBytes: Int
        let bytes: Int
    }

    private func provenance(_ captureIndex: Int64, on stage: borrowing Stage) -> Provenance {
        Provenance(
            device: index,
            captureIndex: captureIndex,
            capturedNanoseconds: stage.now.nanoseconds
        )
    }

    /// Whether packets of a kind are sealed and opened for real.
    func isSealed(_ content: PacketContent) -> Bool {
        sound.keepsBytes || putsSealsToTest && content != .voice
    }

    private func seal(_ message: Message, by link: LinkID, on stage: inout Stage) {
        let plaintext = UnsafeRawBufferPointer(rebasing: room[..<message.keptBytes])
        let packet = stage.network.datagram
        let sealedBytes: Int
        if isSealed(message.content) {
            guard let count = seat.ask({ $0.seal(plaintext, for: link, into: packet) }) else {
                return
            }
            sealedBytes = count
        } else {
            guard let stamp = seat.ask({ $0.stamp(for: link) }) else { return }
            packet[0] = Self.sealedMark
            packet.storeBytes(of: stamp, toByteOffset: 1, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: packet[Self.stampBytes...])
                .copyMemory(from: plaintext)
            sealedBytes = message.keptBytes + Self.stampBytes
        }
        let wireBytes =
            PacketSealer.packetCount(plaintextCount: message.bytes) + IntercomApp.lowerHeaderBytes
        let label = DatagramLabel(
            content: message.content,
            provenance: message.provenance,
            wireBytes: Int32(wireBytes)
        )
        transmit(label, keptBytes: sealedBytes, by: link, on: &stage)
    }

    /// Hands the datagram that lies in `network.datagram` to a connection.
    private func transmit(
        _ label: DatagramLabel,
        keptBytes: Int,
        by link: LinkID,
        on stage: inout Stage
    ) {
        guard let connection = connections.first(where: { $0.link == link }) else { return }
        let other = others[connection.other]
        stage.note(
            PacketSent(
                index: label.provenance.captureIndex,
                bytes: Int64(label.wireBytes),
                content: label.content,
                path: PacketPath(connection.path)
            ),
            of: index,
            about: other.subject
        )
        let dropReason =
            switch connection.path {
            case .local: sendNearby(label, keptBytes, connection, on: &stage)
            case .internet: sendByMatch(label, keptBytes, connection, on: &stage)
            }
        guard let dropReason else { return }
        stage.note(
            PacketDropped(
                index: label.provenance.captureIndex,
                bytes: Int64(label.wireBytes),
                content: label.content,
                reason: dropReason
            ),
            of: index,
            about: other.subject
        )
    }

    private func sendNearby(
        _ label: DatagramLabel,
        _ keptBytes: Int,
        _ connection: GroupConnection,
        on stage: inout Stage
    ) -> LinkDropReason? {
        let other = others[connection.other]
        guard hasPeerRadio, let direction = other.direction else { return .down }
        var (source, destination) = (SocketAddress.peer(phone.index, app: id), other.socket)
        source.port |= connection.number
        destination.port |= connection.number
        return stage.sendDatagram(
            label,
            keptBytes: keptBytes,
            from: source,
            to: destination,
            by: direction
        )
        .dropReason
    }

    private func sendByMatch(
        _ label: DatagramLabel,
        _ keptBytes: Int,
        _ connection: GroupConnection,
        on stage: inout Stage
    ) -> LinkDropReason? {
        guard let source = internetSocket else { return .down }
        var destination = matchSocket
        destination.port = connection.number
        return stage.sendDatagram(label, keptBytes: keptBytes, from: source, to: destination)
    }
}
