import KodamaEvidence
import KodamaNetwork
import KodamaWorld

/// What guests send each other: a datagram, which fits one packet.
struct GuestDatagram: PacketPayload {
    /// The phone that sends it.
    var source: String
    /// The phone that it is for, or the relay.
    var destination: String
    /// What it says.
    var text: String
    /// Its bytes behind the headers.
    var bytes: Int

    /// The headers of UDP (RFC 768) and IPv6 (RFC 8200).
    private static let headerBytes = 8 + 40

    func packet(from source: SocketAddress, to destination: SocketAddress) -> Packet {
        Packet(
            from: source,
            to: destination,
            wireBytes: Self.headerBytes + bytes,
            .message(self)
        )
    }
}

/// A server in the Internet that passes datagrams on to phones that it has heard of.
///
/// It knows where a phone is from the last datagram that came from there, as it would behind a NAT.
final class GuestRelay: Component {
    static let componentName = "guest-relay"

    let name = GuestRelay.componentName
    let index: ComponentIndex
    private var phones: [String: SocketAddress] = [:]

    init(index: ComponentIndex) {
        self.index = index
    }

    /// Where it listens.
    var socket: SocketAddress {
        SocketAddress(address: NetworkAddress(ofServer: index), port: 1)
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        guard case .message(let payload) = packet.content,
            let datagram = payload as? GuestDatagram
        else { return }
        phones[datagram.source] = packet.source
        guard let phone = phones[datagram.destination] else { return }
        stage.send(datagram.packet(from: socket, to: phone))
    }
}
