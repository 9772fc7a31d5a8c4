@testable import KodamaIntercom
@testable import KodamaNetwork
@testable import KodamaSimulation
import SansIO
import SansIOTesting

/// Players and the service, face to face over links that a test can cut.
struct MatchTable {
    /// What happened at one of the players.
    struct News: Equatable {
        var at: Instant
        var player: Int
        var effect: MatchClientEffect
    }

    private(set) var service: MatchService
    private(set) var clients: [MatchClient]
    private(set) var now = Instant.zero
    private(set) var news: [News] = []
    /// The players from and to whom nothing passes.
    var cut: Set<Int> = []
    private var toService: [(due: Instant, from: Int, message: MatchMessage)] = []
    private var toClient: [(due: Instant, to: Int, message: MatchMessage)] = []

    static let info: [UInt8] = [7]

    init(
        _ count: Int,
        _ configuration: MatchConfiguration = MatchConfiguration(),
        seed: UInt64 = 1
    ) {
        service = MatchService(
            configuration: configuration,
            random: RandomStream(seed: seed, purpose: "match", entity: "service")
        )
        clients = (0..<count).map { player in
            MatchClient(
                configuration: configuration,
                player: UInt64(player),
                random: RandomStream(seed: seed, purpose: "match", entity: "\(player)")
            )
        }
        for player in 0..<count { hear(.reachabilityChanged(isOnline: true), at: player) }
    }

    static func socket(_ player: Int) -> SocketAddress {
        let address = NetworkAddress(host: UInt32(player), interface: 0, lease: 1)
        return SocketAddress(address: address, port: 5)
    }

    mutating func hear(_ event: MatchClientEvent, at player: Int) {
        perform(clients[player].handle(event, at: now), of: player)
    }

    mutating func seekAll(_ info: [UInt8] = info) {
        for player in clients.indices { hear(.sought(info: info), at: player) }
    }

    mutating func relay(_ bytes: Int, by connection: UInt64, of player: Int) -> MatchRelay {
        service.relay(bytes, by: connection, from: Self.socket(player), at: now)
    }

    mutating func run(to end: Duration) {
        let end = Instant.zero.advanced(by: end)
        while let next = nextInstant, next <= end {
            now = next
            deliver()
            if let deadline = service.deadline, deadline.instant <= now {
                perform(service.wake(at: now))
            }
            for player in clients.indices {
                guard let deadline = clients[player].deadline, deadline.instant <= now else {
                    continue
                }
                perform(clients[player].wake(at: now), of: player)
            }
        }
        now = end
    }

    /// The connections of a player that stand, as it was told.
    func connections(of player: Int) -> [UInt64] {
        news.filter { $0.player == player }.reduce(into: []) { standing, news in
            switch news.effect {
            case .connected(let connection, _): standing.append(connection)
            case .lost(let connection): standing.removeAll { $0 == connection }
            case .failed, .transmit: break
            }
        }
    }

    private var nextInstant: Instant? {
        let deadlines =
            clients.compactMap { $0.deadline?.instant }
            + [service.deadline?.instant].compactMap(\.self)
        return (toService.map(\.due) + toClient.map(\.due) + deadlines).min()
    }

    private mutating func deliver() {
        let requests = toService.filter { $0.due <= now }
        toService.removeAll { $0.due <= now }
        for packet in requests {
            let event = MatchServiceEvent.received(packet.message, from: Self.socket(packet.from))
            perform(service.handle(event, at: now))
        }
        let answers = toClient.filter { $0.due <= now }
        toClient.removeAll { $0.due <= now }
        for packet in answers { hear(.received(packet.message), at: packet.to) }
    }

    private mutating func perform(_ effects: [MatchClientEffect], of player: Int) {
        for effect in effects {
            if case .transmit(let message) = effect {
                guard !cut.contains(player) else { continue }
                toService.append((now.advanced(by: .milliseconds(30)), player, message))
            } else {
                news.append(News(at: now, player: player, effect: effect))
            }
        }
    }

    private mutating func perform(_ effects: [MatchServiceEffect]) {
        for case .transmit(let message, let socket) in effects {
            let player = Int(socket.address.host)
            guard !cut.contains(player) else { continue }
            toClient.append((now.advanced(by: .milliseconds(30)), player, message))
        }
    }
}
