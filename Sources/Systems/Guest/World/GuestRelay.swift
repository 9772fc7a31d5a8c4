import KodamaEvidence
import KodamaNetwork
import KodamaSimulation
import KodamaWorld
import SansIO

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
/// It knows where a phone is from the last datagram that came from there, as it would behind a NAT. What is said
/// over a stream it says back (the echo of RFC 862).
final class GuestRelay: Component {
    /// What the relay schedules for itself.
    enum Word: UInt8 {
        /// A stream wants to be woken, by its number.
        case stream
    }

    static let componentName = "guest-relay"

    let name = GuestRelay.componentName
    let index: ComponentIndex
    private var phones: [String: SocketAddress] = [:]
    private lazy var streams = StreamListener(for: self, at: socket)
    private var wakes: EventSource

    init(index: ComponentIndex) {
        self.index = index
        wakes = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
    }

    /// Where it listens.
    var socket: SocketAddress {
        SocketAddress(address: NetworkAddress(ofServer: index), port: 1)
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        streams.wake(argument, on: &stage)
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        if case .stream = packet.content { return streams.receive(packet, on: &stage) }
        guard case .message(let payload) = packet.content,
            let datagram = payload as? GuestDatagram
        else { return }
        phones[datagram.source] = packet.source
        guard let phone = phones[datagram.destination] else { return }
        stage.send(datagram.packet(from: socket, to: phone))
    }
}

extension GuestRelay: StreamService {
    func scheduleWake(of stream: AcceptedStream, at instant: Instant, on stage: inout Stage) {
        schedule(.stream, stream.number, at: instant, by: &wakes, on: &stage)
    }

    func received(_ message: StreamMessage, by stream: AcceptedStream, on stage: inout Stage) {
        stream.tell(.send(message), on: &stage)
    }

    func closed(_ stream: AcceptedStream, on stage: inout Stage) {}
}
