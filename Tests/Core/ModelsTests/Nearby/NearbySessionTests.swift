@testable import KodamaIntercom
@testable import KodamaSimulation
import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("Phones nearby, in the manner of MultipeerConnectivity")
struct NearbySessionTests {
    private func seconds(_ instant: Instant) -> Double { Double(instant.nanoseconds) / 1e9 }

    private func connections(_ pair: NearbyPair, of phone: Int) -> [UInt64] {
        pair.news(of: phone).compactMap { news in
            if case .connected(let connection, _) = news.effect { connection } else { nil }
        }
    }

    @Test(
        "A cold link takes 10 to 20 s, and both have the same connection (S-ARCH-002, D-09)",
        arguments: 0..<50 as Range<UInt64>
    )
    func cold(seed: UInt64) {
        var pair = NearbyPair(seed: seed)
        pair.beginBoth()
        pair.run(to: .seconds(60))
        #expect(connections(pair, of: 0).count == 1)
        #expect(connections(pair, of: 0) == connections(pair, of: 1))
        for news in pair.news { #expect((10.0...21.2).contains(seconds(news.at))) }
    }

    @Test("Who shows something else is not even invited (S-GRP-011)")
    func strangers() {
        var pair = NearbyPair()
        pair.hear(.began(info: [1]), at: 0)
        pair.hear(.began(info: [2]), at: 1)
        pair.run(to: .seconds(300))
        #expect(pair.news.isEmpty)
    }

    @Test(
        "An invitation of 5 s fails on a cold link at the first try, and one of 20 s does not (D-09)"
    )
    func inviteTimeout() {
        var configuration = NearbyConfiguration()
        configuration.inviteTimeout = .seconds(5)
        configuration.inviteRetries = 0
        for seed in 0..<50 as Range<UInt64> {
            var pair = NearbyPair(configuration, seed: seed)
            pair.beginBoth()
            pair.run(to: .milliseconds(9_900))
            #expect(pair.news.isEmpty)
            // A later try rides the warmed link.
            pair.run(to: .seconds(60))
            #expect(connections(pair, of: 0).count == 1)
        }
    }

    @Test("A cut is noticed 5 to 30 s later, on each side by itself, or never (D-09)")
    func notice() {
        var never = 0
        var delays: [Double] = []
        for seed in 0..<200 as Range<UInt64> {
            var pair = NearbyPair(seed: seed)
            pair.beginBoth()
            pair.run(to: .seconds(40))
            pair.isCut = true
            pair.run(to: .seconds(200))
            let lost = pair.news.filter { $0.effect.isLoss }
            never += 2 - lost.count
            delays += lost.map { seconds($0.at) - 40 }
        }
        #expect(delays.allSatisfy { (3.9...30.0).contains($0) })
        #expect((8...36).contains(never), "5 % of 400: \(never)")
        #expect((delays.min() ?? 99) < 6 && (delays.max() ?? 0) > 28)
    }

    @Test("Back in reach both are connected anew, also where one side never noticed")
    func back() {
        for seed in 0..<100 as Range<UInt64> {
            var pair = NearbyPair(seed: seed)
            pair.beginBoth()
            pair.run(to: .seconds(40))
            pair.isCut = true
            pair.run(to: .seconds(55))
            pair.isCut = false
            pair.run(to: .seconds(160))
            #expect(pair.sessions.allSatisfy { $0.connectedCount == 1 })
            #expect(connections(pair, of: 0).last == connections(pair, of: 1).last)
        }
    }

    @Test("A radio that is switched off loses its connections at once; the other side learns late")
    func radioOff() {
        var pair = NearbyPair()
        pair.beginBoth()
        pair.run(to: .seconds(40))
        pair.hear(.radioChanged(isOn: false), at: 0)
        let connection = connections(pair, of: 0)[0]
        #expect(pair.news(of: 0).last?.effect == .lost(connection: connection, .radioOff))
        pair.run(to: .seconds(44))
        #expect(pair.sessions[1].connectedCount == 1)
        pair.hear(.radioChanged(isOn: true), at: 0)
        pair.run(to: .seconds(120))
        #expect(pair.sessions.allSatisfy { $0.connectedCount == 1 })
    }

    @Test("A connection that is closed on purpose is closed at both ends, and a cut keeps out")
    func closed() {
        var pair = NearbyPair()
        pair.beginBoth()
        pair.run(to: .seconds(40))
        let connection = connections(pair, of: 0)[0]
        pair.hear(.closed(connection: connection, isCut: true), at: 0)
        pair.run(to: .seconds(41))
        #expect(pair.news(of: 1).last?.effect == .lost(connection: connection, .closed))
        pair.run(to: .seconds(99))
        #expect(pair.sessions.allSatisfy { $0.connectedCount == 0 })
        pair.run(to: .seconds(160))
        #expect(pair.sessions.allSatisfy { $0.connectedCount == 1 })
    }

    @Test("A session that hides keeps its connections, takes nobody in, and can begin again")
    func hidden() {
        var pair = NearbyPair()
        pair.beginBoth()
        pair.run(to: .seconds(40))
        pair.hear(.hidden, at: 0)
        pair.run(to: .seconds(120))
        #expect(pair.sessions.allSatisfy { $0.connectedCount == 1 }, "heartbeats go on")
        pair.hear(.closed(connection: connections(pair, of: 1)[0], isCut: false), at: 1)
        pair.run(to: .seconds(240))
        #expect(pair.sessions.allSatisfy { $0.connectedCount == 0 })
        pair.hear(.stopped, at: 0)
        pair.hear(.began(info: NearbyPair.info), at: 0)
        pair.run(to: .seconds(320))
        #expect(pair.sessions.allSatisfy { $0.connectedCount == 1 })
    }

    @Test("An app that begins anew is invited at once, whatever the one before it asked for (D-09)")
    func beginsAnew() {
        var session = NearbySession(
            configuration: NearbyConfiguration(),
            host: 0,
            random: RandomStream(seed: 1, purpose: "nearby", entity: "0")
        )
        func hear(_ message: NearbyMessage, second: Int64) -> Bool {
            let now = Instant.zero.advanced(by: .seconds(second))
            return session.handle(.received(message, from: 1), at: now).contains { effect in
                if case .transmit(.invitation, _) = effect { true } else { false }
            }
        }
        session.handle(.began(info: [1]), at: .zero)
        // The other app leads and invites, ends, and is there again 12 s later, led by this one.
        let isInvited = [
            hear(.invitation(connection: 7, info: [1], session: 0), second: 1),
            hear(.announcement(info: [1], session: 0), second: 2),
            hear(.announcement(info: [1], session: .max), second: 14),
            hear(.announcement(info: [1], session: .max), second: 15),
        ]
        #expect(isInvited == [false, false, true, false])
    }

    @Test("The ninth phone is not connected: a session has eight")
    func size() {
        var session = NearbySession(
            configuration: NearbyConfiguration(),
            host: 0,
            random: RandomStream(seed: 1, purpose: "nearby", entity: "0")
        )
        session.handle(.began(info: [1]), at: .zero)
        for host in 1...9 as ClosedRange<UInt32> {
            let invitation = NearbyMessage.invitation(
                connection: UInt64(host),
                info: [1],
                session: 0
            )
            session.handle(.received(invitation, from: host), at: .zero)
            let heartbeat = NearbyMessage.heartbeat(connection: UInt64(host))
            session.handle(.received(heartbeat, from: host), at: .zero)
        }
        #expect(session.connectedCount == NearbyConfiguration.phonesMax - 1)
    }

    @Test("A crowd of strangers, or one phone that goes by many names, keeps nobody out")
    func crowd() {
        for shown in [[2], [1]] as [[UInt8]] {
            var session = NearbySession(
                configuration: NearbyConfiguration(),
                host: 1_000,
                random: RandomStream(seed: 1, purpose: "nearby", entity: "0")
            )
            session.handle(.began(info: [1]), at: .zero)
            for host in 0..<200 as Range<UInt32> {
                let now = Instant.zero.advanced(by: .milliseconds(Int64(host)))
                // The larger number waits to be invited.
                let announcement = NearbyMessage.announcement(info: shown, session: 0)
                session.handle(.received(announcement, from: host), at: now)
            }
            let invitation = NearbyMessage.invitation(connection: 7, info: [1], session: 0)
            let effects = session.handle(
                .received(invitation, from: 500),
                at: Instant.zero.advanced(by: .seconds(1))
            )
            #expect(effects == [.transmit(.acceptance(connection: 7), to: 500)])
        }
    }

    @Test("A session keeps the laws of its contract", arguments: 0..<8 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        for seed in decade * 10..<decade * 10 + 10 {
            try checkLaws(
                seed: seed,
                steps: 400,
                make: {
                    NearbySession(
                        configuration: NearbyConfiguration(),
                        host: 3,
                        random: RandomStream(seed: seed, purpose: "nearby", entity: "law")
                    )
                },
                event: { random, _ in Self.event(&random) }
            )
        }
    }

    private static func event(_ random: inout LawRandom) -> NearbyEvent {
        let host = UInt32(random.below(40))
        let connection = UInt64(3) << 32 | UInt64(random.below(60))
        let period = SignPeriod(number: Int64(random.below(6)))
        let hash = NearbyPair.group.hash
        let sign = hash.sign(in: period, of: [UInt8(random.below(3)), 0, 0, 0, 0, 0, 0, 0])
        let answer = hash.answer(to: sign, in: SignPeriod(number: 2))
        let info = [[UInt8(random.below(10) / 9)], sign, answer][random.below(3)]
        switch random.below(13) {
        case 12: return .began(info: sign, group: SoughtGroup(hash: hash, period: period))
        case 0: return .began(info: info)
        case 1: return random.chance(percent: 20) ? .stopped : .began(info: [0])
        case 2: return .radioChanged(isOn: random.chance(percent: 80))
        case 3: return .closed(connection: connection, isCut: random.chance(percent: 50))
        case 4, 5, 6:
            let session = random.next()
            return .received(.announcement(info: info, session: session), from: host)
        case 7:
            let session = random.next()
            let invitation = NearbyMessage.invitation(
                connection: connection,
                info: info,
                session: session
            )
            return .received(invitation, from: host)
        case 8, 9: return .received(.acceptance(connection: connection), from: host)
        case 10: return .received(.heartbeat(connection: connection), from: host)
        default: return .received(.goodbye(connection: connection), from: host)
        }
    }
}

extension NearbyEffect {
    fileprivate var isLoss: Bool {
        if case .lost = self { true } else { false }
    }
}
