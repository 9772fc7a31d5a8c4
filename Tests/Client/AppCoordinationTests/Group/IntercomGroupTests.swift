import AppCoordination
import GroupSecurity
import PeerTransport
import SansIO
import Testing

@Suite("A group of phones, whole: who, by which path, and their voices")
struct IntercomGroupTests {
    private static func phases(_ call: GroupCall, _ index: Int) -> [Handover.Phase] {
        call.effects(index).compactMap { effect in
            if case .phaseChanged(_, let phase, _) = effect { phase } else { nil }
        }
    }

    @Test("Two meet by radio, prove themselves and talk both ways (A-F-003, A-F-006)")
    func two() {
        let call = GroupCall()
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        call.talk(anna)
        call.talk(ben)
        call.run(to: 5_000)
        #expect(call.longestGap(of: anna, at: ben, from: 1_000, to: 4_800) == 0)
        #expect(call.longestGap(of: ben, at: anna, from: 1_000, to: 4_800) == 0)
        let card = call.cards(anna)[call.id(ben)]
        #expect(card?.name?.text == "Ben" && card?.connection == .local && card?.isTalking == true)
        #expect(call.cards(anna)[call.id(anna)]?.isTalking == true)
        let owners = [anna, ben].map { call.cards($0)[min(call.id(anna), call.id(ben))]?.isOwner }
        #expect(owners == [true, true])
        call.talk(ben, false)
        call.run(to: 6_000)
        #expect(call.cards(anna)[call.id(ben)]?.isTalking == false)
        #expect(call.voicePackets[.internet] == nil, "nobody needed the Internet")
    }

    @Test(
        "A cut radio with a cold Internet and with one that stands by: no frame sounds twice (K-14)"
    )
    func handover() {
        let call = GroupCall()
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        call.talk(anna)
        call.loss = { path, _, now in
            guard path == .local else { return 0 }
            if (8_000..<9_000).contains(now) { return 30 }
            return now >= 15_000 && now < 22_000 ? 100 : 0
        }
        call.run(to: 15_000)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .local)
        call.run(to: 21_000)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .internet)
        let gap = call.longestGap(of: anna, at: ben, from: 14_900, to: 20_500)
        #expect(gap > 0 && gap <= 200, "hard cut, Internet standing by: \(gap) ms lost (K-13)")
        call.run(to: 45_000)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .local)
        #expect(call.longestGap(of: anna, at: ben, from: 20_500, to: 44_500) == 0)
        #expect(
            Self.phases(call, anna).suffix(3) == [.localProbing, .handoverToLocal, .localConnected]
        )
        #expect(call.duplicatesPlayed == 0)
    }

    @Test("With the Internet standing by, the first word after a pause survives a cut radio (K-15)")
    func firstWord() {
        let call = GroupCall()
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        call.talk(anna)
        call.loss = { path, _, now in
            guard path == .local else { return 0 }
            // A bad moment brings the Internet up, which then stands by.
            return (8_000..<9_000).contains(now) ? 30 : now >= 20_000 ? 100 : 0
        }
        call.run(to: 15_000)
        call.talk(anna, false)
        call.run(to: 17_000)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .local)
        let before = call.voicePackets
        call.talk(anna)
        call.run(to: 18_000)
        call.talk(anna, false)
        call.run(to: 20_000)
        let copies = call.voicePackets[.internet, default: 0] - before[.internet, default: 0]
        let frames = call.voicePackets[.local, default: 0] - before[.local, default: 0]
        #expect(frames > 50 && (1...14).contains(copies), "\(copies) of \(frames) frames twice")
        #expect(call.cards(ben)[call.id(anna)]?.connection == .local)
        // The radio ends as Anna begins.
        call.talk(anna)
        call.run(to: 25_000)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .internet)
        #expect(call.longestGap(of: anna, at: ben, from: 20_000, to: 24_500) == 0)
        #expect(call.duplicatesPlayed == 0)
    }

    @Test(
        "The owner goes in the middle of a handover: the others' handover does not notice (S-OWN-004)"
    )
    func ownerLeaves() throws {
        func run(ownerLeavesAt time: Int64?) -> (gap: Int64, call: GroupCall, others: [Int]) {
            let call = GroupCall()
            let all = ["Anna", "Ben", "Cleo"].map { call.add($0) }
            let owner = all.min { call.id($0) < call.id($1) } ?? 0
            let others = all.filter { $0 != owner }
            call.talk(others[0])
            call.loss = { path, ends, now in
                guard path == .local, ends == (others[0], others[1]), now >= 8_000 else { return 0 }
                return now < 12_500 ? 12 : 100
            }
            call.run(to: time ?? 11_500)
            if time != nil { call.switchOff(owner) }
            call.run(to: 40_000)
            return (
                call.longestGap(of: others[0], at: others[1], from: 11_500, to: 39_000), call,
                others
            )
        }
        let without = run(ownerLeavesAt: nil)
        let with = run(ownerLeavesAt: 11_500)
        #expect(without.gap <= 40 && with.gap <= 40, "\(without.gap) and \(with.gap) ms")
        let next = with.others.map(with.call.id).min()
        for other in with.others {
            let cards = with.call.cards(other)
            #expect(cards.cards.compactMap(\.self).first { $0.isOwner }?.id == next)
            #expect(cards.cards.count { $0 != nil && $0?.connection != .searching } == 2)
        }
        #expect(with.call.duplicatesPlayed == 0)
    }

    @Test(
        "Two stand together, the third is far away: radio for the one, the Internet for the other"
    )
    func oneFarAway() {
        let call = GroupCall()
        let names = ["Anna", "Ben", "Cleo"]
        let all = names.map { name in call.add(name, knowing: names.filter { $0 != name }) }
        // The radio of the third reaches nobody.
        call.loss = { path, ends, _ in path == .local && ends.1 == all[2] ? 100 : 0 }
        call.talk(all[0])
        call.talk(all[2])
        call.run(to: 16_000)
        let cards = call.cards(all[0])
        #expect(cards[call.id(all[1])]?.connection == .local)
        #expect(cards[call.id(all[2])]?.connection == .internet)
        for listener in all.dropLast() {
            #expect(call.longestGap(of: all[2], at: listener, from: 10_000, to: 15_500) == 0)
        }
        #expect(call.longestGap(of: all[0], at: all[2], from: 10_000, to: 15_500) == 0)
        let before = call.voicePackets
        call.run(to: 18_000)
        let after = call.voicePackets
        // Of 100 frames each in 2 s: the first talker's go once by each path, the third's twice by Internet.
        #expect(after[.local, default: 0] - before[.local, default: 0] == 100)
        #expect(after[.internet, default: 0] - before[.internet, default: 0] == 300)
        #expect(call.duplicatesPlayed == 0)
    }

    @Test(
        "Six in a group; a seventh reads why; who starts again is heard at once (A-F-004, A-F-005)"
    )
    func six() {
        let call = GroupCall()
        for name in ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn"] { call.add(name) }
        call.run(to: 6_000)
        for index in 0..<6 {
            #expect(call.cards(index).cards.compactMap(\.self).count == 6)
        }
        let seats = call.cards(0)
        call.talk(3)
        call.talk(4)
        call.run(to: 8_000)
        #expect(call.longestGap(of: 3, at: 0, from: 6_200, to: 7_800) == 0, "overlapping speech")
        #expect(call.longestGap(of: 4, at: 0, from: 6_200, to: 7_800) == 0)
        call.restart(3)
        call.run(to: 10_000)
        // 500 ms until the radio has it again, a handshake, a hello, an attack of the gate.
        for listener in [0, 1, 2, 4, 5] {
            let played = call.phones[listener].played[call.phones[3].streamID] ?? [:]
            #expect(played.values.joined().min() ?? .max < 8_800, "at \(listener)")
        }
        #expect(
            call.cards(0).cards.map { $0?.id } == seats.cards.map { $0?.id },
            "everybody keeps the card that they had (S-UI-001)"
        )
        let gina = call.add("Gina")
        call.run(to: 14_000)
        #expect(call.effects(gina).contains(.refused(.groupFull(capacity: 6))))
        #expect(call.cards(gina) == IntercomCards())
        #expect((0..<6).allSatisfy { call.cards($0).cards.compactMap(\.self).count == 6 })
        #expect(call.duplicatesPlayed == 0)
    }

    @Test(
        "A stranger whom a transport connects is cut at once and hears nothing (A-F-018, A-F-019)"
    )
    func stranger() {
        let call = GroupCall()
        let anna = call.add("Anna")
        let zoe = call.add("Zoe", in: GroupCall.makeGroup(2))
        call.talk(anna)
        call.talk(zoe)
        call.forceLink(anna, zoe)
        call.run(to: 4_000)
        let cuts = [anna, zoe].flatMap { call.effects($0) }.filter { effect in
            if case .cutLink(_, .foreignGroup) = effect { true } else { false }
        }
        #expect(!cuts.isEmpty && call.voicePackets.isEmpty)
        #expect(call.phones.allSatisfy { $0.played.isEmpty })
        #expect(call.cards(anna).cards.compactMap(\.self).count == 1)
    }

    @Test("Packets changed on the way are dropped; who sends nothing else is cut (S-SEC-004)")
    func forged() {
        let call = GroupCall()
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        call.talk(anna)
        var count = 0
        call.tamper = { packet in
            guard packet.count > 90 else { return }
            count += 1
            if count.isMultiple(of: 100) { packet[packet.count / 2] ^= 0x20 }
        }
        call.run(to: 10_000)
        #expect(call.cards(ben)[call.id(anna)] != nil)
        #expect(call.longestGap(of: anna, at: ben, from: 2_000, to: 9_500) <= 20)
        call.tamper = { packet in packet[packet.count / 2] ^= 0x20 }
        call.run(to: 20_000)
        let cuts = call.effects(ben).filter { effect in
            if case .cutLink(_, .forged) = effect { true } else { false }
        }
        #expect(cuts.count >= 1)
    }

    @Test("From the list of groups to the call and back: the cards say how far one is (S-UI-002)")
    func flow() {
        #expect(IntercomCards().step == .groups)
        let call = GroupCall()
        call.setUpMilliseconds[.local] = 3_000
        let anna = call.add("Anna", knowing: ["Ben"])
        let ben = call.add("Ben", knowing: ["Anna"])
        call.run(to: 2_500)
        #expect([anna, ben].map { call.cards($0).step } == [.connecting, .connecting])
        call.run(to: 5_000)
        #expect([anna, ben].map { call.cards($0).step } == [.call, .call])
        // Nobody is reached any more, and nobody said goodbye.
        call.switchOff(ben)
        call.run(to: 45_000)
        #expect(call.cards(anna).step == .connecting)
        call.send(.groupLeft, to: anna)
        #expect(call.cards(anna).step == .groups)
    }

    @Test("Leaving shows on the other's cards at once, and the seat is free (A-F-005)")
    func leaves() {
        let call = GroupCall()
        let anna = call.add("Anna")
        let ben = call.add("Ben")
        call.run(to: 2_000)
        #expect(call.cards(anna)[call.id(ben)] != nil)
        call.send(.muteChanged(true), to: ben)
        call.run(to: 2_100)
        #expect(call.cards(anna)[call.id(ben)]?.isMuted == true)
        call.send(.groupLeft, to: ben)
        call.run(to: 2_200)
        #expect(call.cards(anna)[call.id(ben)] == nil)
        #expect(call.cards(ben) == IntercomCards())
    }
}
