import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import PeerTransport
import SansIO

extension IntercomApp {
    /// What lower layers add to every datagram: IPv4 without options and UDP (RFC 791, RFC 768).
    static let lowerHeaderBytes = 28

    /// Encodes a captured frame once and sends it to every member in reach.
    func sendVoice(
        _ header: FrameHeader,
        _ frame: FrameHandle,
        by path: TransportPath,
        on stage: inout Stage
    ) {
        let provenance = sound.provenance(of: frame)
        let (keptBytes, bytes) = sound.encode(
            frame,
            under: header,
            by: phone.sound.microphoneClock,
            using: stage.network.payload,
            into: stage.network.datagram
        )
        let label = DatagramLabel(
            content: .voice,
            provenance: provenance,
            wireBytes: Int32(bytes + Self.lowerHeaderBytes)
        )
        transmit(label, keptBytes: keptBytes, to: nil, by: path, on: &stage)
        sound.release(frame)
    }

    /// Sends a message without voice to one member in reach, or to every one.
    func sendControl(
        _ message: PeerMessage,
        to peer: PeerID?,
        by path: TransportPath,
        on stage: inout Stage
    ) {
        let bytes = message.encode(into: stage.network.datagram)
        let content: PacketContent
        var captureIndex: Int64 = 0
        switch message {
        case .voice: preconditionFailure("voice is sent with its frame")
        case .keepalive: content = .keepalive
        case .endMark(let mark):
            (content, captureIndex) = (.endMark, Int64(mark.lastCaptureIndex.rawValue))
        }
        let provenance = Provenance(
            device: index,
            captureIndex: captureIndex,
            capturedNanoseconds: stage.now.nanoseconds
        )
        let label = DatagramLabel(
            content: content,
            provenance: provenance,
            wireBytes: Int32(bytes + Self.lowerHeaderBytes)
        )
        transmit(label, keptBytes: bytes, to: peer, by: path, on: &stage)
    }

    /// Hands the datagram that lies in `packet` to the links of those who are to get it.
    private func transmit(
        _ label: DatagramLabel,
        keptBytes: Int,
        to peer: PeerID?,
        by path: TransportPath,
        on stage: inout Stage
    ) {
        guard hasPeerRadio else { return }
        for neighbour in neighbours where peer == nil || neighbour.peer == peer {
            let verdict = stage.sendDatagram(
                label,
                keptBytes: keptBytes,
                from: socket,
                to: neighbour.socket,
                by: neighbour.direction
            )
            stage.note(
                PacketSent(
                    index: label.provenance.captureIndex,
                    bytes: Int64(label.wireBytes),
                    content: label.content,
                    path: PacketPath(path)
                ),
                of: index,
                about: neighbour.subject
            )
            if let reason = verdict.dropReason {
                stage.note(
                    PacketDropped(
                        index: label.provenance.captureIndex,
                        bytes: Int64(label.wireBytes),
                        content: label.content,
                        reason: reason
                    ),
                    of: index,
                    about: neighbour.subject
                )
            }
        }
    }

    /// A datagram reaches the app, which reads it if it runs.
    func receive(_ packet: Packet, on stage: inout Stage) {
        guard isAwake, hasPeerRadio, case .datagram(let handle) = packet.content,
            let sender = neighbours.first(where: { $0.socket == packet.source })
        else { return stage.network.discard(packet) }
        let slot = handle.slot
        let label = stage.network.datagrams.label(of: slot)
        stage.note(
            PacketArrived(
                index: label.provenance.captureIndex,
                bytes: Int64(label.wireBytes),
                content: label.content,
                path: .local
            ),
            of: index,
            about: sender.subject
        )
        let bytes = UnsafeRawBufferPointer(stage.network.datagrams.bytes(of: slot))
        let event: TransportEvent
        do throws(PeerMessage.Refusal) {
            switch try PeerMessage(decoding: bytes) {
            case .voice(let header):
                event = .voiceReceived(
                    header,
                    sound.keep(
                        stage.network.datagrams.bytes(of: slot)
                            .dropFirst(PeerMessage.payloadOffset),
                        label.provenance
                    ),
                    from: sender.peer
                )
            case let message:
                event = .controlReceived(message, from: sender.peer)
            }
        } catch {
            event = .refused(from: sender.peer)
        }
        stage.network.datagrams.release(slot)
        hear(.transport(event, path: .local), on: &stage)
    }
}
