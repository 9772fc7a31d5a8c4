import AppCoordination
import Evidence
import PeerTransport
import SansIO
import Scenarios
import Simulation

extension World {
    /// What lower layers add to every datagram: IPv4 without options and UDP (RFC 791, RFC 768).
    static let lowerHeaderBytes = 28

    /// Encodes a captured frame once and sends it to every member in reach.
    mutating func sendVoice(
        _ header: FrameHeader,
        _ frame: FrameHandle,
        by path: TransportPath,
        from device: Device,
        at now: Instant
    ) {
        let provenance = device.frames.label(of: frame.slot)
        let clock = device.microphoneClock
        let first = provenance.captureIndex * Int64(Device.samplesPerFrame)
        let size = device.sound.encode(
            device.frames.bytes(of: frame.slot),
            captureIndex: provenance.captureIndex,
            from: clock.instant(ofSample: first),
            to: clock.instant(ofSample: first + Int64(Device.samplesPerFrame)),
            into: payload
        )
        // Of a sized payload one byte travels: a voice message without any is no message.
        let kept = plan.audio == .real ? size : 1
        let keptBytes = PeerMessage.voice(header).encode(
            into: packet,
            payload: UnsafeRawBufferPointer(rebasing: payload[..<kept])
        )
        let wireBytes = PeerMessage.payloadOffset + size + Self.lowerHeaderBytes
        let label = DatagramLabel(
            sender: device.place,
            receiver: 0,
            content: .voice,
            provenance: provenance,
            wireBytes: Int32(wireBytes)
        )
        transmit(label, keptBytes: keptBytes, to: nil, by: path, from: device, at: now)
        device.frames.release(frame.slot)
    }

    /// Sends a message without voice to one member in reach, or to every one.
    mutating func sendControl(
        _ message: PeerMessage,
        to peer: PeerID?,
        by path: TransportPath,
        from device: Device,
        at now: Instant
    ) {
        let bytes = message.encode(into: packet)
        let content: PacketContent
        var index: Int64 = 0
        switch message {
        case .voice: preconditionFailure("voice is sent with its frame")
        case .keepalive: content = .keepalive
        case .endMark(let mark):
            (content, index) = (.endMark, Int64(mark.lastCaptureIndex.rawValue))
        }
        let provenance = Provenance(
            device: device.place,
            captureIndex: index,
            capturedNanoseconds: now.nanoseconds
        )
        let label = DatagramLabel(
            sender: device.place,
            receiver: 0,
            content: content,
            provenance: provenance,
            wireBytes: Int32(bytes + Self.lowerHeaderBytes)
        )
        transmit(label, keptBytes: bytes, to: peer, by: path, from: device, at: now)
    }

    /// Hands the datagram that lies in `packet` to the links of those who are to get it.
    private mutating func transmit(
        _ label: DatagramLabel,
        keptBytes: Int,
        to peer: PeerID?,
        by path: TransportPath,
        from device: Device,
        at now: Instant
    ) {
        var label = label
        for neighbour in device.neighbours where peer == nil || neighbour.peer == peer {
            label.receiver = neighbour.device
            let wireBytes = Int(label.wireBytes)
            let verdict = directions[neighbour.direction].send(bytes: wireBytes, at: now)
            write(.packetSent, label, Int64(path.rawValue), device, neighbour.component, at: now)
            switch verdict {
            case .delivered(let arrival):
                carry(label, keptBytes, by: neighbour.direction, arrival)
            case .duplicated(let arrival, let copy):
                carry(label, keptBytes, by: neighbour.direction, arrival)
                carry(label, keptBytes, by: neighbour.direction, copy)
            case .dropped(let reason):
                let drop = DropReason(reason).rawValue
                write(.packetDropped, label, drop, device, neighbour.component, at: now)
            }
        }
    }

    /// Keeps a copy of the datagram that lies in `packet` until it arrives.
    private mutating func carry(
        _ label: DatagramLabel,
        _ keptBytes: Int,
        by direction: Int,
        _ arrival: Arrival
    ) {
        let slot = datagrams.take(label, size: keptBytes)
        let bytes = datagrams.bytes(of: slot)
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: packet[..<keptBytes]))
        if let bit = arrival.corruptedBit {
            // A bit beyond what is kept belongs to lower layers' headers or to a payload of which
            // only the size is known; it fails the checksum like any other.
            let kept = bit / 8 < keptBytes ? bit : bit % 8
            bytes[kept / 8] ^= 1 << UInt8(kept % 8)
        }
        let key = directions[direction].source.key(at: arrival.instant)
        queue.push(.datagram(slot: slot), at: key)
    }

    private mutating func write(
        _ kind: TraceKind,
        _ label: DatagramLabel,
        _ last: Int64,
        _ device: Device,
        _ subject: ComponentIndex,
        at now: Instant
    ) {
        let values = SIMD4(
            label.provenance.captureIndex,
            Int64(label.wireBytes),
            label.content.rawValue,
            last
        )
        log.write(
            TraceRecord(kind, at: now, of: device.component, subject: subject, values)
        )
    }

    /// A datagram reaches its receiver, whose app reads it.
    mutating func receiveDatagram(_ slot: UInt32, at now: Instant) {
        let label = datagrams.label(of: slot)
        let device = devices[Int(label.receiver)]
        let sender = devices[Int(label.sender)]
        let path = Int64(TransportPath.local.rawValue)
        write(.packetArrived, label, path, device, sender.component, at: now)
        let bytes = UnsafeRawBufferPointer(datagrams.bytes(of: slot))
        let event: TransportEvent
        do throws(PeerMessage.Refusal) {
            switch try PeerMessage(decoding: bytes) {
            case .voice(let header):
                event = .voiceReceived(
                    header,
                    keepPayload(of: slot, label, for: device),
                    from: sender.peer
                )
            case let message:
                event = .controlReceived(message, from: sender.peer)
            }
        } catch {
            event = .refused(from: sender.peer)
        }
        datagrams.release(slot)
        send(.transport(event, path: .local), to: Int(device.place), at: now)
    }

    private func keepPayload(
        of slot: UInt32,
        _ label: DatagramLabel,
        for device: Device
    ) -> FrameHandle {
        let payload = datagrams.bytes(of: slot).dropFirst(PeerMessage.payloadOffset)
        let frame = device.frames.take(label.provenance, size: payload.count)
        if plan.audio == .real {
            device.frames.bytes(of: frame).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: payload)
            )
        }
        return FrameHandle(slot: frame)
    }
}

extension DropReason {
    /// The trace's word for why a link dropped a packet.
    init(_ reason: LinkDropReason) {
        switch reason {
        case .loss: self = .loss
        case .queueFull: self = .queueFull
        case .queueManaged: self = .queueManaged
        case .down: self = .down
        case .tooLarge: self = .tooLarge
        }
    }
}
