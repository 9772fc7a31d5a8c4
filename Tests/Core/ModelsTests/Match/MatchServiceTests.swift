@testable import KodamaIntercom
@testable import KodamaNetwork
@testable import KodamaSimulation
import SansIO
import SansIOTesting
import Testing

@Suite("A match service, in the manner of GameKit")
struct MatchServiceTests {
    private func seconds(_ instant: Instant) -> Double { Double(instant.nanoseconds) / 1e9 }

    @Test(
        "Who looks for the same is connected 4 to 15 s later, each with all (S-ARCH-003)",
        arguments: 0..<20 as Range<UInt64>
    )
    func setUp(seed: UInt64) {
        var table = MatchTable(4, seed: seed)
        table.seekAll()
        table.run(to: .seconds(20))
        for player in 0..<4 { #expect(table.connections(of: player).count == 3) }
        for news in table.news { #expect((4.0...15.2).contains(seconds(news.at))) }
        #expect(table.service.connectedCount == 6)
    }

    @Test(
        "Strangers who look at the same time change nothing for the others (HN-01)",
        arguments: 0..<20 as Range<UInt64>
    )
    func independence(seed: UInt64) throws {
        var (alone, crowded) = (MatchTable(2, seed: seed), MatchTable(6, seed: seed))
        for stranger in 2..<6 { crowded.hear(.sought(info: [1]), at: stranger) }
        for player in 0..<2 {
            alone.hear(.sought(info: [7]), at: player)
            crowded.hear(.sought(info: [7]), at: player)
        }
        alone.run(to: .seconds(20))
        crowded.run(to: .seconds(20))
        #expect(alone.news.count == 2)
        #expect(crowded.news.filter { $0.player < 2 } == alone.news)
        let connection = try #require(alone.connections(of: 0).first)
        let delay = alone.relay(100, by: connection, of: 0)
        #expect(crowded.relay(100, by: connection, of: 0) == delay)
    }

    @Test("Who shows something else is never met (S-GRP-011)")
    func strangers() {
        var table = MatchTable(2)
        table.hear(.sought(info: [1]), at: 0)
        table.hear(.sought(info: [2]), at: 1)
        table.run(to: .seconds(60))
        #expect(table.news.isEmpty)
    }

    @Test(
        "What is too long or too much is not passed on, and the rest is, later by the relay (D-10)"
    )
    func limits() {
        var configuration = MatchConfiguration()
        configuration.messagesPerSecondMax = 10
        var table = MatchTable(2, configuration)
        table.seekAll()
        table.run(to: .seconds(20))
        let connection = table.connections(of: 0)[0]
        guard case .passes(let socket, let delay) = table.relay(1_000, by: connection, of: 0) else {
            Issue.record("1,000 bytes fit")
            return
        }
        #expect(socket == MatchTable.socket(1))
        #expect((Duration.zero...(.milliseconds(60))).contains(delay))
        #expect(table.relay(1_001, by: connection, of: 0) == .refused(.tooLarge))
        #expect(table.relay(10, by: connection + 1, of: 0) == .refused(.unknown))
        for _ in 2...10 { #expect(table.relay(10, by: connection, of: 0).passes) }
        #expect(table.relay(10, by: connection, of: 0) == .refused(.tooMany))
        #expect(table.relay(10, by: connection, of: 1).passes)
        table.run(to: .seconds(21))
        #expect(table.relay(10, by: connection, of: 0).passes)
    }

    @Test("A silent player is dropped after 5 to 15 s (D-10)", arguments: 0..<20 as Range<UInt64>)
    func drop(seed: UInt64) {
        var table = MatchTable(2, seed: seed)
        table.seekAll()
        table.run(to: .seconds(20))
        table.cut = [1]
        table.run(to: .seconds(40))
        guard let lost = table.news.last(where: { $0.player == 0 }), case .lost = lost.effect else {
            Issue.record("player 0 learns of it")
            return
        }
        #expect((22.9...35.1).contains(seconds(lost.at)))
        #expect(table.connections(of: 1).isEmpty, "nor does the silent one go on believing")
    }

    @Test("In a match of two the dropped player comes back without anybody asking (D-10)")
    func twoPlayers() {
        var table = MatchTable(2)
        table.seekAll()
        table.run(to: .seconds(20))
        table.cut = [1]
        table.run(to: .seconds(40))
        #expect(table.service.connectedCount == 0)
        table.cut = []
        table.run(to: .seconds(60))
        #expect(table.connections(of: 0).count == 1)
        #expect(table.connections(of: 0) == table.connections(of: 1))
    }

    @Test("In a match of three the dropped player is out until all of them ask anew (D-10)")
    func threePlayers() {
        var table = MatchTable(3)
        table.seekAll()
        table.run(to: .seconds(20))
        table.cut = [2]
        table.run(to: .seconds(40))
        table.cut = []
        table.run(to: .seconds(120))
        #expect(table.connections(of: 0).count == 1, "the two who stayed go on")
        #expect(table.connections(of: 2).isEmpty)
        table.hear(.sought(info: MatchTable.info), at: 2)
        table.run(to: .seconds(160))
        #expect(table.connections(of: 2).isEmpty, "one alone cannot undo it")
        table.hear(.sought(info: MatchTable.info), at: 0)
        table.run(to: .seconds(200))
        #expect(table.connections(of: 0).count == 2)
        #expect(table.connections(of: 1).count == 1, "the third has not asked")
    }

    @Test("Who leaves is gone at once, and who is offline learns at once that it is (A-F-009)")
    func leaving() {
        var table = MatchTable(2)
        table.seekAll()
        table.run(to: .seconds(20))
        table.hear(.stopped, at: 1)
        table.run(to: .seconds(21))
        #expect(table.connections(of: 0).isEmpty)
        table.hear(.reachabilityChanged(isOnline: false), at: 1)
        table.hear(.sought(info: MatchTable.info), at: 1)
        #expect(table.news.last == .init(at: table.now, player: 1, effect: .failed))
    }

    @Test("Hundreds of matches are made at once: nobody is one too many (S-GRP-003)")
    func many() {
        var table = MatchTable(600)
        for player in 0..<600 {
            table.hear(.sought(info: [UInt8(player / 2 % 256), UInt8(player / 512)]), at: player)
        }
        table.run(to: .seconds(20))
        #expect(table.clients.allSatisfy { $0.connectedCount == 1 })
    }

    @Test("In which order players are told of others their draws decide, not their numbers (HN-01)")
    func order() {
        let sessions = [5, 9, 2, 7] as [UInt64]
        /// The latest roster of each session, as the sessions of those in it.
        func rosters(_ ids: [UInt64]) -> [[UInt64]] {
            let random = RandomStream(seed: 1, purpose: "match", entity: "service")
            var configuration = MatchConfiguration()
            // Nobody says anything after that, and is not to be dropped.
            (configuration.noticeLeast, configuration.noticeMost) = (.seconds(60), .seconds(60))
            var service = MatchService(configuration: configuration, random: random)
            var rosters = Array(repeating: [UInt64](), count: ids.count)
            for (session, id) in zip(sessions, ids) {
                let seeking = MatchMessage.seeking(
                    player: id,
                    session: session,
                    info: [1],
                    request: 1,
                    closed: []
                )
                let socket = MatchTable.socket(Int(id))
                _ = service.handle(.received(seeking, from: socket), at: .zero)
            }
            while let due = service.deadline?.instant, due.nanoseconds < 16_000_000_000 {
                for case .transmit(.roster(_, let connections), let socket) in service.wake(at: due)
                {
                    guard
                        let index = ids.firstIndex(where: { MatchTable.socket(Int($0)) == socket })
                    else {
                        continue
                    }
                    rosters[index] = connections.compactMap { connection in
                        ids.firstIndex(of: connection.player).map { sessions[$0] }
                    }
                }
            }
            return rosters
        }
        let listed = rosters([1, 2, 3, 4])
        #expect(listed.contains { $0.count == 3 })
        #expect(rosters([4, 3, 2, 1]) == listed)
        #expect(rosters([2, 4, 1, 3]) == listed)
    }

    @Test("A service that does not answer is a failure after 10 s (A-F-009)")
    func unreachable() {
        var table = MatchTable(2)
        table.cut = [0]
        table.seekAll()
        table.run(to: .seconds(60))
        let failures = table.news.filter { $0.effect == .failed }
        #expect(failures.map(\.player) == [0])
        #expect(failures.first.map { seconds($0.at) } == 10)
    }

    @Test("Who was cut is not let in again for a while (S-SEC-004)")
    func cut() {
        var table = MatchTable(2)
        table.seekAll()
        table.run(to: .seconds(20))
        let connection = table.connections(of: 0)[0]
        table.hear(.closed(connection: connection, isCut: true), at: 0)
        table.run(to: .seconds(22))
        #expect(table.connections(of: 1).isEmpty)
        table.hear(.sought(info: MatchTable.info), at: 1)
        table.run(to: .seconds(70))
        #expect(table.clients[0].connectedCount == 0)
        table.run(to: .seconds(82))
        table.hear(.sought(info: MatchTable.info), at: 1)
        table.run(to: .seconds(120))
        #expect(table.clients[0].connectedCount == 1)
    }

    @Test(
        "Service and framework keep the laws of their contract",
        arguments: 0..<8 as Range<UInt64>
    )
    func laws(decade: UInt64) throws {
        for seed in decade * 10..<decade * 10 + 10 {
            let random = RandomStream(seed: seed, purpose: "match", entity: "law")
            try checkLaws(
                seed: seed,
                steps: 400,
                make: { MatchService(configuration: MatchConfiguration(), random: random) },
                event: { random, _ in
                    let player = random.below(6)
                    let socket = MatchTable.socket(player)
                    return .received(Self.request(&random, of: UInt64(player)), from: socket)
                }
            )
            try checkLaws(
                seed: seed,
                steps: 400,
                make: {
                    MatchClient(configuration: MatchConfiguration(), player: 1, random: random)
                },
                event: { random, _ in Self.event(&random) }
            )
        }
    }

    private static func request(_ random: inout LawRandom, of player: UInt64) -> MatchMessage {
        let closed = random.chance(percent: 10) ? [UInt64(random.below(40))] : []
        switch random.below(20) {
        case 0: return .leaving(player: player)
        case 1: return .roster(request: 0, [])
        default:
            return .seeking(
                player: player,
                session: UInt64(random.below(30) / 29),
                info: [UInt8(random.below(20) / 19)],
                request: UInt32(random.below(6)),
                closed: closed
            )
        }
    }

    private static func event(_ random: inout LawRandom) -> MatchClientEvent {
        switch random.below(8) {
        case 0: .sought(info: [UInt8(random.below(2))])
        case 1: random.chance(percent: 20) ? .stopped : .sought(info: [0])
        case 2: .reachabilityChanged(isOnline: random.chance(percent: 80))
        case 3:
            .closed(connection: UInt64(random.below(20)), isCut: random.chance(percent: 30))
        default:
            .received(
                .roster(
                    request: UInt32(random.below(20)),
                    (0..<random.below(20)).map { number in
                        MatchConnection(number: UInt64(number), player: UInt64(number % 5))
                    }
                )
            )
        }
    }
}

extension MatchRelay {
    fileprivate var passes: Bool {
        if case .passes = self { true } else { false }
    }
}
