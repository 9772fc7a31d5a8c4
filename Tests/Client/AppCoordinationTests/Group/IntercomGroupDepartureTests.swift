import AppCoordination
import GroupSecurity
import PeerTransport
import SansIO
import Testing

@Suite("Leaving a group: the user is out at once, and the others learn it through loss (A-F-005)")
struct IntercomGroupDepartureTests {
    private static func isEnd(_ effect: IntercomGroupEffect) -> Bool {
        if case .closeLink = effect { true } else { false }
    }

    @Test(
        "A goodbye that is lost once or twice is said again",
        arguments: [
            (lost: 0 as Int64, gone: 20 as Int64), (lost: 100, gone: 520), (lost: 600, gone: 1_020),
        ]
    )
    func lostGoodbyes(_ row: (lost: Int64, gone: Int64)) {
        let call = GroupCall()
        let all = ["Anna", "Ben", "Cleo"].map { call.add($0) }
        all.forEach { call.talk($0) }
        call.run(to: 3_000)
        call.loss = { _, _, now in now < 3_000 + row.lost ? 100 : 0 }
        call.send(.groupLeft, to: all[0])
        #expect(call.cards(all[0]) == IntercomCards(), "to the user it is left at once")
        call.run(to: 3_000 + row.gone)
        for other in all.dropFirst() {
            #expect(call.cards(other)[call.id(all[0])] == nil)
            #expect(call.cards(other).cards.compactMap(\.self).count == 2)
        }
        // Of the leaver not one frame more; the others' go on, to it as well until they know.
        let ends = call.phones[all[0]].news.filter { Self.isEnd($0.effect) }
        #expect(ends.allSatisfy { $0.milliseconds <= 3_000 + row.gone })
        call.run(to: 8_000)
        let heard = call.phones[all[1]].played[call.phones[all[0]].streamID] ?? [:]
        #expect(heard.values.joined().max() ?? 0 <= 3_400)
        #expect(call.longestGap(of: all[1], at: all[2], from: 3_700, to: 7_800) == 0)
        #expect(call.phones[all[0]].coordinator.deadline == nil, "nothing is left to do")
    }

    @Test("Heard by all at the first word, the transports are let go of at once")
    func prompt() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.run(to: 3_000)
        call.send(.groupLeft, to: anna)
        #expect(call.phones[anna].coordinator.deadline != nil)
        call.run(to: 3_020)
        #expect(call.phones[anna].coordinator.deadline == nil)
        #expect(call.cards(ben)[call.id(anna)] == nil)
    }

    @Test("Who says goodbye has no card any more, and is remembered: they may come back from afar")
    func remembered() {
        let call = GroupCall()
        let all = ["Anna", "Ben", "Cleo"].map { call.add($0) }
        call.run(to: 6_000)
        #expect(!call.phones[all[0]].wants.contains(.internet), "all are there")
        call.send(.groupLeft, to: all[2])
        call.run(to: 12_000)
        #expect(call.cards(all[0])[call.id(all[2])] == nil)
        #expect(call.cards(all[0])[call.id(all[1])]?.connection == .local)
        #expect(call.phones[all[0]].wants.contains(.internet), "looked for as whoever is missing")
    }

    /// Three in one place, of whom the third leaves after 6 s and is looked for until 26 s without a
    /// pause, then for 10 s of every 30.
    private static func departed() -> (call: GroupCall, anna: Int, cleo: Int) {
        let call = GroupCall()
        call.configuration.departedPatience = .seconds(20)
        call.configuration.departedPause = .seconds(20)
        call.configuration.departedSearch = .seconds(10)
        let all = ["Anna", "Ben", "Cleo"].map { call.add($0) }
        call.run(to: 6_000)
        call.send(.groupLeft, to: all[2])
        return (call, all[0], all[2])
    }

    @Test("Who said goodbye is looked for over the Internet for a while, then now and then")
    func soughtSeldom() {
        let (call, anna, _) = Self.departed()
        for (time, isSought) in [
            (12_000, true), (25_000, true), (27_500, false), (45_000, false), (48_000, true),
            (58_000, false), (78_000, true),
        ] as [(Int64, Bool)] {
            call.run(to: time)
            #expect(call.phones[anna].wants.contains(.internet) == isSought, "at \(time) ms")
        }
    }

    @Test("Who comes back from afar long after a goodbye is met at the next look (A-F-017)")
    func backFromAfar() {
        let (call, anna, cleo) = Self.departed()
        call.run(to: 60_000)
        call.loss = { path, ends, _ in path == .local && ends.1 == cleo ? 100 : 0 }
        let known = [KnownMember(id: call.id(anna))]
        call.send(.groupChosen(GroupCall.group, known: known), to: cleo)
        call.run(to: 75_000)
        #expect(call.cards(anna)[call.id(cleo)] == nil)
        call.run(to: 84_000)
        #expect(call.cards(anna)[call.id(cleo)]?.connection == .internet)
        call.run(to: 120_000)
        #expect(call.cards(anna)[call.id(cleo)]?.connection == .internet)
    }

    @Test("Who said goodbye is not sought anew by a phone that was out for a moment (A-F-005)")
    func departedStaysSo() {
        let (call, anna, cleo) = Self.departed()
        // Cleo is not looked for from 26 s on, until 46 s.
        call.run(to: 30_000)
        #expect(!call.phones[anna].wants.contains(.internet))
        let known = [1, cleo].map { KnownMember(id: call.id($0)) }
        call.send(.groupLeft, to: anna)
        call.run(to: 32_000)
        call.send(.groupChosen(GroupCall.group, known: known), to: anna)
        #expect(call.cards(anna)[call.id(cleo)] == nil, "nobody seeks her")
        #expect(call.cards(anna)[call.id(1)]?.connection == .searching)
        call.run(to: 40_000)
        #expect(call.cards(anna)[call.id(1)]?.connection == .local)
        #expect(!call.phones[anna].wants.contains(.internet))
        call.run(to: 48_500)
        #expect(call.phones[anna].wants.contains(.internet), "the next look comes in its time")
    }

    @Test("Whoever said goodbye and invites is sought again (A-F-017)")
    func departedInvites() throws {
        let (call, anna, cleo) = Self.departed()
        call.run(to: 10_000)
        call.send(.groupLeft, to: anna)
        let invite = try Invite(to: GroupCall.group, from: call.phones[cleo].identity)
        let time = WallTime(nanosecondsSince1970: call.now * 1_000_000)
        call.send(.inviteReceived(.json(invite.json), at: time), to: anna)
        #expect(call.cards(anna)[call.id(cleo)]?.connection == .searching)
    }

    @Test("A phone that comes back after long counts those who had said goodbye as missing again")
    func departedBeginsAnew() {
        let (call, anna, cleo) = Self.departed()
        call.run(to: 10_000)
        call.send(.groupLeft, to: anna)
        call.run(to: 31_000)
        let known = [KnownMember(id: call.id(cleo))]
        call.send(.groupChosen(GroupCall.group, known: known), to: anna)
        #expect(call.cards(anna)[call.id(cleo)]?.connection == .searching)
    }

    @Test("Who leaves while the Internet is asked for leaves the match, too")
    func leavesMatch() {
        let call = GroupCall()
        let (anna, _) = (call.add("Anna"), call.add("Ben"))
        call.run(to: 6_000)
        // The guest is waited for in the match.
        call.send(.inviteMade(validFor: nil), to: anna)
        call.run(to: 12_000)
        #expect(call.phones[anna].wants.contains(.internet))
        call.send(.groupLeft, to: anna)
        call.run(to: 14_000)
        #expect(call.phones[anna].wants.isEmpty)
    }

    @Test("Who comes back while still saying goodbye is in again, and is believed")
    func returns() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.run(to: 3_000)
        call.loss = { _, _, now in now < 3_200 ? 100 : 0 }
        call.send(.groupLeft, to: anna)
        call.run(to: 3_200)
        call.send(.groupChosen(GroupCall.group, known: []), to: anna)
        call.talk(anna)
        call.run(to: 6_000)
        #expect(call.cards(anna).cards.compactMap(\.self).count == 2)
        #expect(call.cards(ben).cards.compactMap(\.self).count == 2)
        #expect(call.longestGap(of: anna, at: ben, from: 5_000, to: 5_900) == 0)
        call.send(.muteChanged(true), to: anna)
        call.run(to: 6_100)
        #expect(call.cards(ben)[call.id(anna)]?.isMuted == true)
    }

    @Test(
        "Who comes back after goodbyes that nobody heard is believed, however much was said before"
    )
    func returnsUnheard() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.run(to: 3_000)
        for round in 0..<20 as Range<Int64> {
            call.send(.muteChanged(round % 2 == 0), to: anna)
            call.run(to: 3_000 + 50 * (round + 1))
        }
        call.loss = { _, _, now in now < 6_000 ? 100 : 0 }
        call.send(.groupLeft, to: anna)
        call.run(to: 6_000)
        call.send(.groupChosen(GroupCall.group, known: []), to: anna)
        call.run(to: 12_000)
        call.send(.muteChanged(true), to: anna)
        call.run(to: 12_100)
        #expect(call.cards(ben)[call.id(anna)]?.isMuted == true)
    }

    @Test("Somebody connected during the goodbyes is turned away")
    func late() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.talk(ben)
        call.run(to: 3_000)
        call.send(.groupLeft, to: anna)
        call.send(.linkUp(LinkID(number: 900), .internet), to: anna)
        #expect(call.effects(anna).last == .closeLink(LinkID(number: 900)))
        call.run(to: 3_900)
        let cuts = call.effects(anna).filter { effect in
            if case .cutLink = effect { true } else { false }
        }
        #expect(cuts.isEmpty)
    }
}
