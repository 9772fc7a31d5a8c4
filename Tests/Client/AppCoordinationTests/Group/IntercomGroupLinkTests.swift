import AppCoordination
import GroupSecurity
import PeerTransport
import SansIO
import Testing

@Suite("The connections of a group: which of them is used")
struct IntercomGroupLinkTests {
    @Test("Phones that heard nothing of each other for a minute meet once packets pass (S-GRP-003)")
    func handshakeBeginsAgain() {
        let call = GroupCall()
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        call.loss = { _, _, now in now < 60_000 ? 100 : 0 }
        call.run(to: 60_000)
        #expect(call.cards(anna)[call.id(ben)] == nil)
        call.run(to: 75_000)
        #expect(call.cards(anna)[call.id(ben)]?.connection == .local)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .local)
    }

    /// What one says to another from 60 s on for 5 s, where they reach each other by one path only.
    private struct Talk: Equatable {
        let sent: [FrameHeader]
        let heard: [Int64]
        let isShown: Bool
        let isShownAfterwards: Bool
    }

    private func talk(by path: TransportPath, losing percent: Int = 0) -> Talk {
        let call = GroupCall()
        call.setUpMilliseconds = [path: 500, path.other: 1_000_000]
        call.delayMilliseconds = [path: 30]
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        call.run(to: 60_000)
        call.loss = { _, _, now in now < 65_500 ? percent : 0 }
        call.talk(anna)
        call.run(to: 65_000)
        call.talk(anna, false)
        call.run(to: 67_000)
        let heard = call.phones[ben].played[call.phones[anna].streamID] ?? [:]
        let connection: IntercomCards.Connection = path == .local ? .local : .internet
        let isShown = call.cards(ben)[call.id(anna)]?.connection == connection
        call.send(.groupLeft, to: anna)
        call.run(to: 75_000)
        #expect(call.voicePackets.keys.elementsEqual([path]))
        return Talk(
            sent: call.sentHeaders,
            heard: heard.keys.sorted(),
            isShown: isShown,
            isShownAfterwards: call.cards(ben)[call.id(anna)]?.connection == connection
        )
    }

    @Test("By the radio and by the Internet one story is the same (S-ARCH-001)")
    func pathsAlike() {
        let (local, internet) = (talk(by: .local), talk(by: .internet))
        #expect(local == internet)
        #expect(local.sent.count > 240 && local.heard.count > 240)
        #expect(local.isShown && !local.isShownAfterwards)
    }

    @Test(
        "A frame that is lost is never sent again (S-ARCH-002, A-F-007)",
        arguments: TransportPath.allCases
    )
    func lostFrames(path: TransportPath) {
        let talk = talk(by: path, losing: 20)
        let first = talk.sent.first?.sequence.rawValue ?? 0
        let inOrder = talk.sent.indices.map { first + UInt32($0) }
        #expect(talk.sent.map(\.sequence.rawValue) == inOrder)
        #expect(talk.sent.count > 240)
        #expect((talk.sent.count / 2..<talk.sent.count * 9 / 10).contains(talk.heard.count))
    }

    @Test("Each packet that was changed counts once, by connections that are gone too (S-SEC-004)")
    func refusalsCounted() {
        let call = GroupCall()
        call.setUpMilliseconds[.internet] = 1_000_000
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        for talker in [anna, ben] { call.talk(talker) }
        call.run(to: 3_000)
        func refusedCount() -> Int64 {
            [anna, ben].reduce(0) { $0 + call.phones[$1].coordinator.refusals.total }
        }
        let before = refusedCount()
        var (passed, changed) = (0, 0)
        call.tamper = { packet in
            passed += 1
            guard passed.isMultiple(of: 61) else { return }
            changed += 1
            packet[passed % packet.count] ^= 1 << UInt8(passed % 8)
        }
        call.run(to: 60_000)
        call.tamper = { _ in }
        call.run(to: 60_100)
        #expect(changed > 30 && refusedCount() - before == Int64(changed))
        call.tamper = { packet in packet[packet.count / 2] ^= 0x20 }
        call.run(to: 80_000)
        let cut = call.effects(ben).contains { effect in
            if case .cutLink(_, .forged) = effect { true } else { false }
        }
        // Where nothing authentic came at all, 21 are enough for a cut.
        #expect(cut && call.phones[ben].coordinator.refusals[.forged] > 100)
    }

    @Test("Judges learn at once that a member is heard by radio no more (A-F-011)")
    func lostLinkIsCounted() {
        let call = GroupCall()
        call.judge = WholeGroupJudge(ThresholdJudge())
        let all = ["Anna", "Ben", "Cleo"].map { call.add($0) }
        all.forEach { call.talk($0) }
        call.run(to: 6_000)
        call.dropLinks(all[0], all[2])
        checkOneOfTwoHeard(by: all[0], judging: all[1], in: call)
    }

    /// The latest verdict on a member's radio is poor, since one of two who are there is heard by radio.
    private func checkOneOfTwoHeard(by phone: Int, judging other: Int, in call: GroupCall) {
        let judged = call.effects(phone).last { effect in
            if case .judged(call.id(other), .local, _, _) = effect { true } else { false }
        }
        guard case .judged(_, _, let verdict, let metrics) = judged else {
            Issue.record("nobody was judged")
            return
        }
        #expect((verdict, metrics.peersHeard, metrics.peersPresent) == (.poor, 1, 2))
    }

    @Test("The cards say that there is no Internet until a connection by it stands (A-F-009)")
    func internetShown() {
        let call = GroupCall()
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        call.loss = { path, _, now in path == .local && now > 5_000 ? 100 : 0 }
        call.setUpMilliseconds[.internet] = 20_000
        call.run(to: 15_000)
        call.send(.internetFailed, to: anna)
        #expect(call.cards(anna).isInternetUnavailable)
        #expect(!call.cards(ben).isInternetUnavailable)
        call.run(to: 40_000)
        #expect(call.cards(anna)[call.id(ben)]?.connection == .internet)
        #expect(!call.cards(anna).isInternetUnavailable)
    }

    @Test("An Internet that the system says is gone costs no word while the radio waits (A-F-012)")
    func cutOffWhileRadioWaits() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.talk(anna)
        call.talk(ben)
        call.loss = { path, _, now in
            switch path {
            // A bad moment brings the Internet up; then the radio is away for seven seconds.
            case .local:
                (8_000..<9_000).contains(now) ? 30 : (15_000..<22_000).contains(now) ? 100 : 0
            case .internet: (25_000..<30_000).contains(now) ? 100 : 0
            }
        }
        call.run(to: 25_000)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .internet)
        call.send(.internetReachable(false), to: anna)
        call.run(to: 29_000)
        #expect(call.longestGap(of: anna, at: ben, from: 24_000, to: 28_500) <= 80)
        #expect(call.longestGap(of: ben, at: anna, from: 24_000, to: 28_500) <= 80)
        #expect(call.duplicatesPlayed == 0)
    }

    @Test("Judges learn of a member who came without a radio (A-F-011)")
    func absentIsCounted() {
        let call = GroupCall()
        call.judge = WholeGroupJudge(ThresholdJudge())
        let names = ["Anna", "Ben", "Cleo"]
        let all = names.map { name in call.add(name, knowing: names.filter { $0 != name }) }
        // Cleo is heard over the Internet alone.
        call.loss = { path, ends, _ in path == .local && ends.1 == all[2] ? 100 : 0 }
        all.forEach { call.talk($0) }
        call.run(to: 40_000)
        checkOneOfTwoHeard(by: all[0], judging: all[1], in: call)
    }

    @Test("A second connection to a member by the same path replaces the first without a gap")
    func secondLink() {
        let call = GroupCall()
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        call.talk(anna)
        call.talk(ben)
        call.run(to: 5_000)
        call.forceLink(anna, ben)
        call.run(to: 12_000)
        #expect(call.longestGap(of: anna, at: ben, from: 4_000, to: 11_500) <= 40)
        #expect(call.longestGap(of: ben, at: anna, from: 4_000, to: 11_500) <= 40)
        #expect(call.duplicatesPlayed == 0)
        for phone in [anna, ben] {
            let links = call.phones[phone].coordinator.links(in: Fanout(rawValue: .max))
            #expect(links == call.links, "the former connection is let go of")
        }
    }
}
