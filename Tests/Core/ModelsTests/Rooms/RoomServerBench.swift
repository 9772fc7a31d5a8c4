import AppServer
@testable import KodamaNetwork
@testable import KodamaSession
import SansIO
import SansIOTesting

/// A room server and its clients, face to face over ways of one fixed delay that can be cut.
struct RoomServerBench {
    /// Something that the server did besides sending packets, and when.
    struct Entry: Equatable {
        var at: Instant
        var effect: RoomServerEffect
    }

    private struct Flight {
        var at: Instant
        var packet: Packet
        var isToServer: Bool
    }

    static let serverAddress = NetworkAddress(host: 0xFFFE, interface: 0, lease: 0)
    static let signalSocket = SocketAddress(address: serverAddress, port: RoomServer.signalPort)
    static let mediaSocket = SocketAddress(address: serverAddress, port: RoomServer.mediaPort)
    static let clock = WallTime(nanosecondsSince1970: 1_800_000_000_000_000_000)
    static let oneWay: Duration = .milliseconds(25)

    var server: RoomServer
    var clients: [RoomServerClient]
    var now = Instant.zero
    /// What passes nobody, in either direction.
    var isCut: Set<TrafficClass> = []
    /// Whether nothing that the server sends arrives.
    var isDownlinkDead = false
    /// Whether an agent comes when one is wanted.
    var hasAgents = true
    var log: [Entry] = []
    /// Packets that the server sent, with the time.
    var sent: [(at: Instant, packet: Packet)] = []
    /// When a check, or an answer to one, last arrived at the server, by transport.
    var lastHeard: [TransportTarget: Instant] = [:]
    private var flights: [Flight] = []
    private var agentsDue: [(at: Instant, room: String)] = []
    private var effects: [RoomServerEffect] = []

    init(
        identities: [String] = ["aoi"],
        configuration: RoomServerConfiguration = RoomServerConfiguration()
    ) {
        server = RoomServer(
            configuration: configuration,
            address: Self.serverAddress,
            keys: [("key", "secret")],
            clock: Self.clock
        )
        clients = identities.enumerated().map { index, identity in
            RoomServerClient(identity: identity, host: UInt32(index))
        }
    }

    /// A token for a client; valid for an hour unless it is to be otherwise.
    static func token(
        _ identity: String,
        room: String = "room",
        secret: String = "secret",
        change: (inout AccessToken.Claims) -> Void = { _ in }
    ) -> String {
        var claims = AccessToken.Claims(
            identity: identity,
            joining: room,
            at: clock,
            for: .seconds(3_600)
        )
        change(&claims)
        return AccessToken.sign(claims, key: "key", secret: secret)
    }

    var notes: [RoomServerNote] {
        log.compactMap { entry in
            guard case .note(let note) = entry.effect else { return nil }
            return note
        }
    }

    /// When the first effect like this was ordered, since the start.
    func time(of isWanted: (RoomServerEffect) -> Bool) -> Duration? {
        log.first { isWanted($0.effect) }.map { Instant.zero.duration(to: $0.at) }
    }

    func time(of note: RoomServerNote) -> Duration? { time { $0 == .note(note) } }

    func time(ofAgent event: VoiceAgentEvent, room: String = "room") -> Duration? {
        time { $0 == .agent(room: room, event) }
    }

    mutating func connect(_ index: Int = 0, room: String = "room", resuming: UInt32? = nil) {
        let token = Self.token(clients[index].identity, room: room)
        clients[index].connect(token: token, resuming: resuming, at: now)
        flush(index)
    }

    /// Joins, publishes and waits until both transports of a client are connected.
    mutating func establish(_ index: Int = 0, room: String = "room") {
        connect(index, room: room)
        run(for: .milliseconds(400))
        publish(index)
        run(for: .seconds(2))
    }

    mutating func publish(_ index: Int = 0, isMuted: Bool = false) {
        clients[index].publish(isMuted: isMuted, at: now)
        flush(index)
    }

    mutating func say(_ request: SignalRequest, _ index: Int = 0) {
        clients[index].say(request, at: now)
        flush(index)
    }

    mutating func change(_ index: Int = 0, _ body: (inout RoomServerClient, Instant) -> Void) {
        body(&clients[index], now)
        flush(index)
    }

    mutating func give(_ event: RoomServerEvent) {
        effects += server.handle(event, at: now)
        perform()
    }

    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while let next = nextTime(), next <= end {
            now = max(now, next)
            step()
        }
        now = end
    }

    private func nextTime() -> Instant? {
        var times = [server.deadline?.instant, flights.map(\.at).min(), agentsDue.map(\.at).min()]
        times += clients.map(\.deadline)
        return times.compactMap(\.self).min()
    }

    private mutating func step() {
        for (at, room) in agentsDue where at <= now {
            agentsDue.removeAll { $0.at == at && $0.room == room }
            give(.agentJoined(room: room))
        }
        let arrived = flights.filter { $0.at <= now }
        flights.removeAll { $0.at <= now }
        for flight in arrived {
            deliver(flight)
        }
        if let deadline = server.deadline, deadline.instant <= now {
            effects += server.wake(at: now)
            perform()
        }
        for index in clients.indices {
            guard let deadline = clients[index].deadline, deadline <= now else { continue }
            clients[index].wake(at: now)
            flush(index)
        }
    }

    private mutating func deliver(_ flight: Flight) {
        guard !flight.isToServer else {
            switch flight.packet.content {
            case .stun(.request(let credentials, _, _)), .stun(.response(let credentials, _)),
                .dtls(.clientHello(let credentials)), .dtls(.clientFinished(let credentials)):
                lastHeard[credentials.target] = now
            case .stream, .dtls, .media, .datagram, .message:
                break
            }
            return give(.packet(flight.packet))
        }
        guard
            let index = clients.firstIndex(where: {
                $0.address == flight.packet.destination.address
            })
        else { return }
        clients[index].receive(flight.packet, at: now)
        flush(index)
    }

    private mutating func flush(_ index: Int) {
        let packets = clients[index].outbox
        clients[index].outbox = []
        for packet in packets where !isCut.contains(packet.trafficClass) {
            let arrival = now.advanced(by: Self.oneWay)
            flights.append(Flight(at: arrival, packet: packet, isToServer: true))
        }
    }

    private mutating func perform() {
        let ordered = effects
        effects.removeAll()
        for effect in ordered {
            guard case .transmit(let packet) = effect else {
                log.append(Entry(at: now, effect: effect))
                if case .agentWanted(let room) = effect, hasAgents {
                    agentsDue.append((now.advanced(by: .milliseconds(500)), room))
                }
                continue
            }
            sent.append((now, packet))
            guard !isCut.contains(packet.trafficClass), !isDownlinkDead else { continue }
            let arrival = now.advanced(by: Self.oneWay)
            flights.append(Flight(at: arrival, packet: packet, isToServer: false))
        }
    }
}
