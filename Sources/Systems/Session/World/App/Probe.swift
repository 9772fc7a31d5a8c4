import AppCoordination
import KodamaEvidence
package import KodamaNetwork
import KodamaPhone
package import KodamaWorld
package import RealtimeVoice
package import SansIO

/// A probe of the app's on its way: a binding request without credentials to a host's STUN port, from a
/// socket of its own, and the answer (RFC 8489 §6).
package enum Probe {
    /// Where hosts answer binding requests (RFC 8489 §9).
    package static let port: UInt64 = 3_478
    /// A header of STUN in UDP and IPv4: 20 + 8 + 20 bytes.
    package static let requestBytes = 48
    /// The same with an XOR-MAPPED-ADDRESS (RFC 8489 §14.2).
    package static let responseBytes = 60

    /// A probe has no ICE session.
    private static let credentials = IceCredentials(
        participant: 0,
        target: .publisher,
        generation: 0
    )

    /// The request of a phone's probe.
    package static func request(
        _ transaction: UInt32,
        from source: SocketAddress,
        to host: NetworkAddress
    ) -> Packet {
        Packet(
            from: source,
            to: SocketAddress(address: host, port: port),
            wireBytes: requestBytes,
            .stun(.request(credentials, transaction: transaction))
        )
    }

    /// What a host answers; `nil` to what is no probe.
    package static func answer(to packet: Packet) -> Packet? {
        guard packet.destination.port == port,
            case .stun(.request(let credentials, let transaction, _)) = packet.content
        else { return nil }
        return Packet(
            from: packet.destination,
            to: packet.source,
            wireBytes: responseBytes,
            .stun(.response(credentials, transaction: transaction))
        )
    }
}

extension RoomUser {
    /// Sends a probe from the system's favourite address; without one nothing leaves.
    package func probe(
        _ operation: OperationID,
        _ host: ProbeHost,
        line: UInt8 = 0,
        on stage: inout Stage
    ) {
        guard let address = phone.addresses.first else { return }
        let port = RoomPorts.firstProbe + UInt64(line) << 32 + UInt64(operation.number)
        let source = SocketAddress(address: address, port: firstPort + port)
        let destination =
            switch host {
            case .roomServer: rooms.signalling.address
            case .other: api.socket.address
            }
        note(ProbeSent(operation: Int64(operation.number), host: TraceWord(host)), on: &stage)
        stage.send(Probe.request(launchCount, from: source, to: destination))
    }

    /// The probe, and its line, that a packet answers; one for an earlier process is nobody's.
    package func answeredProbe(_ packet: Packet) -> (OperationID, line: UInt8)? {
        guard case .stun(.response(_, transaction: launchCount)) = packet.content else {
            return nil
        }
        let port = packet.destination.port - firstPort - RoomPorts.firstProbe
        let operation = OperationID(number: UInt32(truncatingIfNeeded: port))
        return (operation, UInt8(truncatingIfNeeded: port >> 32))
    }
}

extension SessionApp {
    /// The answer to a probe reaches the phone.
    package func hearProbe(_ packet: Packet, on stage: inout Stage) {
        guard let (operation, _) = answeredProbe(packet) else { return }
        note(ProbeAnswered(operation: Int64(operation.number)), on: &stage)
        process?.tell(.probeAnswered(operation), on: &stage)
    }
}

extension RoomService {
    /// Answers a probe while the server runs; whether the packet was one.
    package func answerProbe(_ packet: Packet, on stage: inout Stage) -> Bool {
        guard let answer = Probe.answer(to: packet) else { return false }
        if !isAway { transmit(answer, on: &stage) }
        return true
    }
}

extension APIService {
    /// Answers a probe while the machine is there, whatever its server does; whether the packet was one.
    package func answerProbe(_ packet: Packet, on stage: inout Stage) -> Bool {
        guard let answer = Probe.answer(to: packet) else { return false }
        if !isDark { stage.send(answer) }
        return true
    }
}
