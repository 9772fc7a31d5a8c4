@testable import KodamaIntercom
@testable import KodamaSimulation
import GroupSecurity
import SansIO
import SansIOTesting
import Testing

@Suite("Phones nearby know each other by signs that nobody else can follow (S-GRP-011)")
struct NearbySignTests {
    /// Two phones that go on by clocks which differ by so many periods and half a minute.
    private func walk(apart periods: Int64, pair: inout NearbyPair, quarters: Range<Int64>) {
        for quarter in quarters {
            pair.show(in: 100 + quarter, at: 0)
            pair.run(to: .seconds(quarter * 900 + 30))
            pair.show(in: 100 + quarter + periods, at: 1)
            pair.run(to: .seconds(quarter * 900 + 900))
        }
    }

    @Test(
        "Phones meet whatever their clocks show, and a connection outlasts the signs",
        arguments: [0, 1, -1, 2, -2, 28, -104, 96 * 365, -96 * 365 * 50] as [Int64]
    )
    func meet(periods: Int64) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var pair = NearbyPair(seed: seed)
            walk(apart: periods, pair: &pair, quarters: 0..<1)
            #expect(pair.sessions.map(\.connectedCount) == [1, 1])
            #expect(pair.news.allSatisfy { $0.at < Instant.zero.advanced(by: .seconds(90)) })
            let former = pair.sessions.map(\.shown?.session)
            walk(apart: periods, pair: &pair, quarters: 1..<4)
            #expect(zip(former, pair.sessions).allSatisfy { $0 != $1.shown?.session })
            #expect(pair.news.count == 2, "nothing but the two ends of one connection")
        }
    }

    @Test(
        "Phones that have lost each other meet again by later signs",
        arguments: [0, 1, 2, -28, 96 * 400] as [Int64]
    )
    func meetAgain(periods: Int64) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var pair = NearbyPair(seed: seed)
            walk(apart: periods, pair: &pair, quarters: 0..<1)
            pair.isCut = true
            walk(apart: periods, pair: &pair, quarters: 1..<3)
            #expect(pair.news.filter { $0.effect.isConnection }.count == 2)
            pair.isCut = false
            walk(apart: periods, pair: &pair, quarters: 3..<4)
            #expect(pair.sessions.map(\.connectedCount) == [1, 1])
            #expect(pair.news.filter { $0.effect.isConnection }.count == 4)
        }
    }

    @Test("Whoever listens for an hour hears nothing twice in two quarters", arguments: [0, 28])
    func followed(periods: Int64) {
        var pair = NearbyPair()
        walk(apart: periods, pair: &pair, quarters: 0..<4)
        pair.isCut = true
        walk(apart: periods, pair: &pair, quarters: 4..<8)
        var quarters: [ArraySlice<UInt8>: Set<Int64>] = [:]
        var count = 0
        for (at, phone, message) in pair.sent {
            guard let shown = message.shown else { continue }
            count += 1
            // Phone 1 goes on half a minute later.
            let second = at.nanoseconds / 1_000_000_000 - (phone == 1 ? 30 : 0)
            for start in shown.indices.dropLast(7) {
                quarters[shown[start..<start + 8], default: []].insert(second / 900)
            }
        }
        #expect(count > 10_000)
        #expect(quarters.values.allSatisfy { $0.count == 1 })
    }

    /// A phone of the group in a period, and what it sends upon what others show.
    private struct Listener {
        var session = NearbySession(
            configuration: NearbyConfiguration(),
            host: 0,
            random: RandomStream(seed: 1, purpose: "nearby", entity: "0")
        )
        let hash = NearbyPair.group.hash

        init(period: Int64) {
            var entropy = Entropy(seed: 1, label: "listener")
            let period = SignPeriod(number: period)
            let sign = hash.sign(in: period, drawing: &entropy)
            session.handle(
                .began(info: sign, group: SoughtGroup(hash: hash, period: period)),
                at: .zero
            )
        }

        /// Whether it answers within a minute to somebody who shows something all the time.
        mutating func answers(_ message: NearbyMessage) -> Bool {
            (1...60).contains { second in
                let now = Instant.zero.advanced(by: .seconds(second))
                let effects = session.handle(.received(message, from: 9), at: now)
                return effects.contains { effect in
                    if case .transmit(_, to: 9) = effect { true } else { false }
                }
            }
        }
    }

    @Test("A recorded sign that is shown again two quarters later is answered by nobody")
    func replayed() {
        var entropy = Entropy(seed: 2, label: "recorded")
        for recorded in [90, 97, 98, 99] as [Int64] {
            for session in [0, .max] as [UInt64] {
                var listener = Listener(period: 100)
                let period = SignPeriod(number: recorded)
                let sign = listener.hash.sign(in: period, drawing: &entropy)
                let answered = listener.answers(.announcement(info: sign, session: session))
                #expect(answered == (recorded == 99), "of period \(recorded)")
            }
        }
    }

    /// Whether a session sends something to a phone when it hears that.
    private func isAnswered(
        _ message: NearbyMessage,
        from host: UInt32,
        by session: inout NearbySession,
        at second: Int64
    ) -> Bool {
        let now = Instant.zero.advanced(by: .seconds(second))
        return session.handle(.received(message, from: host), at: now).contains { effect in
            if case .transmit(_, to: host) = effect { true } else { false }
        }
    }

    @Test(
        "A sign that a hundred phones repeat gets two of them invited, and keeps no member out (S-GRP-011)"
    )
    func repeated() {
        var listener = Listener(period: 100)
        var entropy = Entropy(seed: 2, label: "recorded")
        let hash = listener.hash
        func announcement() -> NearbyMessage {
            let sign = hash.sign(in: SignPeriod(number: 100), drawing: &entropy)
            return .announcement(info: sign, session: .max)
        }
        let own = NearbyMessage.announcement(
            info: listener.session.shown?.info ?? [],
            session: .max
        )
        // Twice in a row.
        for round in 1...2 as ClosedRange<UInt32> {
            let recorded = announcement()
            let invited = (0..<100).count { host in
                isAnswered(recorded, from: round * 1_000 + host, by: &listener.session, at: 1)
            }
            #expect(invited == NearbySession.alikeMax)
            let isInvited = isAnswered(announcement(), from: round, by: &listener.session, at: 2)
            #expect(isInvited)
            let isOwnInvited = isAnswered(own, from: round + 10, by: &listener.session, at: 2)
            #expect(!isOwnInvited, "what it shows itself")
        }
    }

    @Test("However many recorded signs are shown, a member who answers is let in (S-GRP-011)")
    func recordings() {
        var listener = Listener(period: 100)
        var entropy = Entropy(seed: 3, label: "recorded")
        let hash = listener.hash
        for host in 1_000..<1_100 as Range<UInt32> {
            let sign = hash.sign(in: SignPeriod(number: 100), drawing: &entropy)
            let message = NearbyMessage.announcement(info: sign, session: .max)
            let isInvited = isAnswered(message, from: host, by: &listener.session, at: 1)
            #expect(isInvited == (host < 1_032))
        }
        let shown = listener.session.shown?.info ?? []
        for host in 1...2 as ClosedRange<UInt32> {
            let answer = hash.answer(to: shown, in: SignPeriod(number: 100))
            let invitation = NearbyMessage.invitation(connection: 7, info: answer, session: 5)
            let isLetIn = isAnswered(invitation, from: host, by: &listener.session, at: 2)
            #expect(isLetIn)
        }
    }

    @Test("An invitation counts if it answers to what is shown, and not what was shown before")
    func invitations() {
        var listener = Listener(period: 100)
        let (hash, period) = (listener.hash, SignPeriod(number: 3))
        let shown = listener.session.shown?.info ?? []
        func invitation(_ info: [UInt8]) -> NearbyMessage {
            .invitation(connection: 7, info: info, session: 5)
        }
        var entropy = Entropy(seed: 2, label: "recorded")
        let former = hash.sign(in: SignPeriod(number: 99), drawing: &entropy)
        for info in [[], shown, former, hash.answer(to: former, in: period)] {
            let isAnswered = listener.answers(invitation(info))
            #expect(!isAnswered)
        }
        let isAnswered = listener.answers(invitation(hash.answer(to: shown, in: period)))
        #expect(isAnswered)
    }
}

extension NearbyMessage {
    /// What others can know its sender by, but for the number of a connection that stands.
    fileprivate var shown: [UInt8]? {
        switch self {
        case .announcement(let info, let session), .invitation(_, let info, let session):
            info + (0..<8).map { UInt8(truncatingIfNeeded: session >> (8 * $0)) }
        case .acceptance, .heartbeat, .goodbye: nil
        }
    }
}

extension NearbyEffect {
    fileprivate var isConnection: Bool {
        if case .connected = self { true } else { false }
    }
}
