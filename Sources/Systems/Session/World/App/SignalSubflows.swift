import KodamaNetwork
import KodamaPhone
import KodamaWorld
import SansIO

/// What the system does for a signal connection of multipath TCP (RFC 8684) in handover mode.
///
/// The SDK asks for that mode (livekit/client-sdk-swift, `Support/Network/WebSocket.swift`), an app for the
/// entitlement, and the server has to take part. Wi-Fi alone is used while it answers; once something was
/// repeated on it (xnu, `bsd/netinet/mptcp_subr.c`, `mptcp_fail_thresh` 1) everything goes by the other radio
/// as well until something comes by Wi-Fi again. A new connection races both radios likewise (Apple, *Improving
/// network reliability using Multipath TCP*). Both ends know a subflow by the connection's port.
struct SignalSubflows: Sendable, Equatable {
    /// For how long nothing may have come until something has been repeated: the first retransmission time-out
    /// (RFC 6298 section 2.1), an assumption for one that has measured round trips.
    static let patience = Duration.seconds(1)

    /// Since when nothing has come to what was sent by the connection's own radio.
    private var unansweredSince: Instant?
    /// By which other radio the server heard last; `nil` by the connection's own.
    var heardBy: NetworkAddress?

    /// Takes note of a segment that leaves.
    ///
    /// - Returns: Whether it leaves by the other radio as well.
    mutating func sends(_ kind: StreamSegment.Kind, at now: Instant) -> Bool {
        switch kind {
        case .acknowledge, .reset: break
        default: unansweredSince = unansweredSince ?? now
        }
        return unansweredSince.map { now >= $0.advanced(by: Self.patience) } ?? false
    }

    /// A segment comes by the connection's own radio, or by the other one.
    mutating func hears(byOwn isOwn: Bool) {
        if isOwn { unansweredSince = nil }
    }
}

extension RoomObject {
    /// The present signal connection's end on the phone, if it takes several radios.
    private var multipathSocket: SocketAddress? {
        guard app.rooms.takesMultipath else { return nil }
        return seat.ask { $0.signal.socket?.source }
    }

    /// Sends a segment by the other radio as well where its own does not answer.
    func sendBesides(_ packet: Packet, on stage: inout Stage) {
        guard case .stream(let segment) = packet.content, multipathSocket == packet.source,
            subflows.sends(segment.kind, at: stage.now),
            let other = app.phone.addresses.first(where: {
                $0.interface != packet.source.address.interface
            })
        else { return }
        var copy = packet
        copy.source.address = other
        stage.send(copy)
    }

    /// A packet that comes to the phone, as the connection sees it.
    func received(_ packet: Packet) -> Packet {
        guard case .stream = packet.content, let socket = multipathSocket,
            socket.port == packet.destination.port
        else { return packet }
        subflows.hears(byOwn: socket == packet.destination)
        var packet = packet
        packet.destination = socket
        return packet
    }

    /// A packet that comes to the server, as the connection sees it.
    func receivedByServer(_ packet: Packet) -> Packet {
        guard case .stream = packet.content, let socket = multipathSocket,
            socket.port == packet.source.port
        else { return packet }
        subflows.heardBy = socket == packet.source ? nil : packet.source.address
        var packet = packet
        packet.source = socket
        return packet
    }

    /// A packet that leaves the server, by the radio that it heard last.
    func sentByServer(_ packet: Packet) -> Packet {
        guard let other = subflows.heardBy, case .stream = packet.content,
            multipathSocket == packet.destination
        else { return packet }
        var packet = packet
        packet.destination.address = other
        return packet
    }
}
