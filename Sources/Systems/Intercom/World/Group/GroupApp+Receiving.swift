import AppCoordination
import GroupSecurity
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import PeerTransport
import SansIO

// What comes to an app by its connections; `GroupApp+Network.swift` says what is sealed.

extension GroupApp {
    /// A packet reaches the app, which reads it if it runs.
    func receive(_ packet: Packet, on stage: inout Stage) {
        guard isAwake else { return stage.network.discard(packet) }
        switch packet.content {
        case .message(let message as NearbyMessage):
            guard hasPeerRadio else { return }
            nearby.hear(.received(message, from: packet.source.address.host), on: &stage)
        case .message(let message as MatchMessage):
            match.hear(.received(message), on: &stage)
        case .datagram(let handle):
            receive(handle.slot, from: packet.source, on: &stage)
        case .stream, .stun, .dtls, .media, .message:
            break
        }
    }

    private func receive(_ slot: UInt32, from source: SocketAddress, on stage: inout Stage) {
        let label = stage.network.datagrams.label(of: slot)
        defer { stage.network.datagrams.release(slot) }
        guard let connection = connection(from: source, at: stage.now) else { return }
        stage.note(
            PacketArrived(
                index: label.provenance.captureIndex,
                bytes: Int64(label.wireBytes),
                content: label.content,
                path: PacketPath(connection.path)
            ),
            of: index,
            about: others[connection.other].subject
        )
        let bytes = UnsafeRawBufferPointer(stage.network.datagrams.bytes(of: slot))
        let event = event(bytes, label, by: connection.link, at: stage.now)
        hear(event, isSpoilt: label.isSpoilt, by: connection, on: &stage)
    }

    /// Tells the app what came, and notes what its own counts of refusals say of it.
    private func hear(
        _ event: IntercomGroupEvent,
        isSpoilt: Bool,
        by connection: GroupConnection,
        on stage: inout Stage
    ) {
        guard isSpoilt || event.isRefusable else { return hear(event, on: &stage) }
        let earlier = seat.ask { $0.refusals }
        hear(event, on: &stage)
        let counts = seat.ask { $0.refusals }
        // The connection may have been cut for it.
        let subject = others[connection.other].subject
        for reason in PacketRefusal.allCases where counts[reason] > earlier[reason] {
            stage.note(PacketRefused(reason: TraceWord(reason)), of: index, about: subject)
        }
        guard isSpoilt else { return }
        let isCounted = counts.total == earlier.total + 1
        stage.note(SpoiltArrived(isCounted: TraceFlag(isCounted)), of: index, about: subject)
    }

    /// The connection that a datagram came by, whose framework learns that it stands.
    private func connection(from source: SocketAddress, at now: Instant) -> GroupConnection? {
        let isNearby = source.address.interface == NetworkAddress.peerRadio
        guard !isNearby || hasPeerRadio else { return nil }
        let path = isNearby ? TransportPath.local : .internet
        let number = isNearby ? source.port & (1 << Phone.appPortShift - 1) : source.port
        guard let known = connections.first(where: { $0.number == number && $0.path == path })
        else { return nil }
        switch path {
        case .local: nearby.seat.ask { $0.hear(connection: number, at: now) }
        case .internet: match.seat.ask { $0.hear(at: now) }
        }
        return known
    }

    /// What a datagram is to the app, which opens it first.
    private func event(
        _ packet: UnsafeRawBufferPointer,
        _ label: DatagramLabel,
        by link: LinkID,
        at now: Instant
    ) -> IntercomGroupEvent {
        guard SecureSession.isSealed(packet) else {
            return .handshakeReceived(Array(packet), link)
        }
        do throws(PacketRefusal) {
            let count = try open(packet, label.content, by: link, at: now)
            return try message(count, label, by: link)
        } catch {
            return .packetRefused(error, link)
        }
    }

    /// Opens a packet into `room`.
    private func open(
        _ packet: UnsafeRawBufferPointer,
        _ content: PacketContent,
        by link: LinkID,
        at now: Instant
    ) throws(PacketRefusal) -> Int {
        let room = room
        guard isSealed(content) else {
            // The first byte stands for the whole header, in which a seal notices every change.
            guard packet[0] == Self.sealedMark else { throw .unknownVersion }
            let stamp = packet.loadUnaligned(fromByteOffset: 1, as: UInt32.self)
            let isVouching = !putsSealsToTest
            try ask { machine throws(PacketRefusal) in
                try machine.admit(stamp: stamp, by: link, isVouching: isVouching, at: now)
            }
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: packet[Self.stampBytes...]))
            return packet.count - Self.stampBytes
        }
        return try ask { machine throws(PacketRefusal) in
            try machine.open(packet, by: link, into: room, at: now)
        }
    }

    private func ask<Answer>(
        _ question: (inout IntercomGroupCoordinator) throws(PacketRefusal) -> Answer
    ) throws(PacketRefusal) -> Answer {
        let answer = seat.ask { machine in
            Result { () throws(PacketRefusal) in try question(&machine) }
        }
        return try answer.get()
    }

    /// Reads the message that lies in `room`.
    private func message(
        _ count: Int,
        _ label: DatagramLabel,
        by link: LinkID
    ) throws(PacketRefusal) -> IntercomGroupEvent {
        let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
        if ControlMessage.isControl(bytes) {
            guard let message = try? ControlMessage(decoding: Array(bytes)) else {
                throw refusalOfBadBytes(label.content)
            }
            return .controlReceived(message, link)
        }
        switch try? PeerMessage(decoding: bytes) {
        case .voice(let header):
            let payload = room[PeerMessage.payloadOffset..<count]
            return .voiceReceived(header, sound.keep(payload, label.provenance), link)
        case let message?: return .messageReceived(message, link)
        case nil: throw refusalOfBadBytes(label.content)
        }
    }

    /// What bytes are refused for that are no message: where nothing is sealed, a seal would have shown
    /// that they were changed on the way.
    private func refusalOfBadBytes(_ content: PacketContent) -> PacketRefusal {
        isSealed(content) ? .unreadable : .forged
    }
}

extension IntercomGroupEvent {
    /// Whether it can be a packet that is refused.
    fileprivate var isRefusable: Bool {
        switch self {
        case .packetRefused, .handshakeReceived: true
        default: false
        }
    }
}
