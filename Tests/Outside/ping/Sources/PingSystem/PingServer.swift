import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaWorld

/// What the app and its server send each other.
enum PingMessage: PacketPayload {
    /// The app asks.
    case request(Int64)
    /// The server answers.
    case answer(Int64)

    /// Its bytes on the wire, with the headers of UDP (RFC 768) and IPv6 (RFC 8200).
    private static let wireBytes = 8 + 40 + 16

    /// The packet that carries it.
    func packet(from source: SocketAddress, to destination: SocketAddress) -> Packet {
        Packet(from: source, to: destination, wireBytes: Self.wireBytes, .message(self))
    }
}

/// The server, in the Internet: it answers what reaches it.
final class PingServer: Component {
    let name = PingHost.serverName
    let index: ComponentIndex

    init(index: ComponentIndex) {
        self.index = index
    }

    /// Where it listens.
    var socket: SocketAddress {
        SocketAddress(address: NetworkAddress(ofServer: index), port: 1)
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        guard case .message(let payload) = packet.content,
            case .request(let number)? = payload as? PingMessage
        else { return }
        stage.send(PingMessage.answer(number).packet(from: socket, to: packet.source))
    }
}

/// Makes the apps and the server of a run.
final class PingHost: WorldSystem {
    static let serverName = "ping-server"

    static func serverNames(in plan: WorldPlan) -> [String] { [serverName] }

    private let server: PingServer

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        server = PingServer(index: indices[0])
    }

    var servers: [any Component] { [server] }

    func app(_ settings: PingSettings, _ installation: Installation) -> any PhoneApp {
        PingApp(settings, installation, server: server.socket)
    }
}
