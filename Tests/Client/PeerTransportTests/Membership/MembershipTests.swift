import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("Who is in the group, and who owns it")
struct MembershipTests {
    private static func id(_ number: Int) -> MemberID { Neighbourhood.id(number) }

    private static func lists(_ group: Neighbourhood) -> [[MemberID]] {
        group.phones.map { ($0.machine.others.map(\.id) + [$0.id]).sorted() }
    }

    @Test("A list keeps the laws of its contract", arguments: 0..<10 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        for seed in decade * 10..<decade * 10 + 10 {
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { Membership(own: Member(id: Self.id(4), streamID: 40)) },
                event: { random, _ in Self.event(&random) }
            )
        }
    }

    private static func tenure(_ random: inout LawRandom) -> Tenure {
        guard random.chance(percent: 80) else { return Tenure() }
        return Tenure(
            arrival: UInt16(random.below(9)),
            groupAge: random.chance(percent: 95) ? UInt16(random.below(20)) : .max
        )
    }

    private static func event(_ random: inout LawRandom) -> Membership.Event {
        let number = random.below(12)
        func members() -> [MemberID] {
            (0..<12).filter { _ in random.chance(percent: 40) }.prefix(6).map(id)
        }
        switch random.below(30) {
        case 0...4: return .memberProven(id(number))
        case 5: return .memberLost(id(number))
        case 15: return .memberHeard(id(number))
        case 6: return .muteChanged(random.chance(percent: 50))
        case 7 where random.chance(percent: 3): return .leave
        case 8: return .streamHeard(UInt32(number * 10 + random.below(2)), from: id(number))
        case 9:
            let reason: Goodbye.Reason = random.chance(percent: 50) ? .left : .groupFull
            let goodbye = Goodbye(
                reason,
                streamID: UInt32(number * 10),
                revision: SerialNumber(UInt32(random.below(4)))
            )
            return .messageReceived(.goodbye(goodbye), from: id(number))
        case 10...14:
            let claim = OwnerClaim(
                term: SerialNumber(UInt32(random.below(50))),
                owner: id(number),
                members: Array((Set(members().prefix(5)).union([id(number)])).sorted())
            )
            return .messageReceived(.ownerClaim(claim), from: id(number))
        default:
            let hello = Hello(
                member: id(random.chance(percent: 95) ? number : 3),
                streamID: UInt32(number * 10 + random.below(random.chance(percent: 10) ? 3 : 1)),
                revision: SerialNumber(UInt32(random.below(9))),
                tenure: tenure(&random),
                capacity: random.chance(percent: 95) ? 6 : 2 + random.below(5),
                isMuted: random.chance(percent: 20),
                members: members()
            )
            return .messageReceived(.hello(hello), from: id(number))
        }
    }

    @Test(
        "Six who come at once all know each other, and the smallest id owns (A-F-004, A-F-023)",
        arguments: 0..<12 as Range<UInt64>
    )
    func six(seed: UInt64) {
        let group = Neighbourhood(seed: seed)
        group.lossPercent = seed.isMultiple(of: 2) ? 0 : 30
        for number in [5, 3, 6, 1, 4, 2] { group.arrive(number) }
        group.run(forMilliseconds: seed.isMultiple(of: 2) ? 1_000 : 12_000)
        let all = (1...6).map(Self.id)
        #expect(Self.lists(group).allSatisfy { $0 == all })
        #expect(group.phones.allSatisfy { $0.machine.owner == Self.id(1) })
        #expect(group[2]?.others.first?.name?.text == "Member 1", "the cards have names (S-UI-001)")
        let sent = group.messagesSent
        group.lossPercent = 0
        group.run(forMilliseconds: 60_000)
        let perPhonePerMinute = (group.messagesSent - sent) / 6
        #expect(perPhonePerMinute <= 5 * 12 + 5 * 12, "\(perPhonePerMinute) messages a minute")
    }

    @Test(
        "A seventh is told why, and can read it; nobody else is disturbed (S-GRP-001)",
        arguments: [7, 0]
    )
    func seventh(number: Int) {
        let group = Neighbourhood(seed: 1)
        for number in 1...6 { group.arrive(number) }
        group.run(forMilliseconds: 2_000)
        let before = (1...6).map { group.effects(of: $0).count }
        group.arrive(number)
        group.run(forMilliseconds: 3_000)
        #expect(group[number]?.isFinished == true)
        let refusals = group.effects(of: number).compactMap { effect in
            if case .refused(let refusal) = effect { refusal } else { nil }
        }
        #expect(refusals == [.groupFull(capacity: 6)])
        #expect(refusals.first?.description.contains("6 are in it") == true)
        for (index, count) in before.enumerated() {
            let news = group.effects(of: index + 1).dropFirst(count)
            #expect(news.allSatisfy { $0 == .turnedAway(Self.id(number)) }, "\(news)")
        }
        #expect((1...6).allSatisfy { group[$0]?.others.count == 5 })
    }

    @Test("An owner that does not count this phone hears of it at once (A-F-023)")
    func uncounted() {
        func hellos(claiming members: [Int]) -> Int {
            var list = Membership(own: Member(id: Self.id(4), streamID: 40))
            list.handle(.memberProven(Self.id(1)), at: .zero)
            let hello = Hello(
                member: Self.id(1),
                streamID: 10,
                revision: SerialNumber(1),
                members: [Self.id(1), Self.id(4)]
            )
            list.handle(.messageReceived(.hello(hello), from: Self.id(1)), at: .zero)
            let settled = Instant(nanoseconds: 1_000_000_000)
            list.wake(at: settled)
            let claim = OwnerClaim(
                term: SerialNumber(1),
                owner: Self.id(1),
                members: members.map(Self.id)
            )
            let claimed = Membership.Event.messageReceived(.ownerClaim(claim), from: Self.id(1))
            let effects = list.handle(claimed, at: settled) + list.wake(at: settled)
            return effects.count { if case .send(.hello, _) = $0 { true } else { false } }
        }
        #expect(hellos(claiming: [1, 4]) == 0)
        #expect(hellos(claiming: [1, 2]) == 1)
    }

    @Test("When somebody leaves, the next who asks gets the seat")
    func freeSeat() {
        let group = Neighbourhood(seed: 2)
        for number in 1...6 { group.arrive(number) }
        group.run(forMilliseconds: 2_000)
        group.send(.leave, to: 4)
        group.run(forMilliseconds: 200)
        #expect(group.effects(of: 1).last == .left(Self.id(4), .goodbye))
        group.arrive(7)
        group.run(forMilliseconds: 2_000)
        #expect(group[7]?.others.count == 5 && group[1]?.others.count == 5)
    }

    @Test("Who left and chooses the group again in the same run of the app is in again")
    func comesBack() throws {
        let group = Neighbourhood(seed: 5)
        for number in 1...3 { group.arrive(number) }
        group.run(forMilliseconds: 2_000)
        group.send(.leave, to: 2)
        // Its last goodbye is still on its way when it comes back, and arrives after that.
        group.run(forMilliseconds: 1_000)
        #expect(group[1]?.others.count == 1)
        let former = try #require(group[2])
        let own = Member(id: Self.id(2), streamID: 20)
        group.arrive(2, as: Membership(own: own, after: former))
        group.run(forMilliseconds: 1_000)
        #expect(group.phones.allSatisfy { $0.machine.others.count == 2 })
        let count = group.effects(of: 1).count
        let late = Goodbye(.left, streamID: 20, revision: SerialNumber(1))
        group.send(.messageReceived(.goodbye(late), from: Self.id(2)), to: 1)
        #expect(group.effects(of: 1).count == count, "old: it has come back since")
    }

    @Test(
        "Who starts again in a full group is heard at once, by its hello or by its voice",
        arguments: [true, false]
    )
    func restart(byVoice: Bool) {
        let group = Neighbourhood(seed: 3)
        for number in 1...6 { group.arrive(number) }
        group.run(forMilliseconds: 2_000)
        // Its loss notice has not come, and all six seats are taken.
        if byVoice {
            group.lossPercent = 100
            group.arrive(4, streamID: 41)
            group.send(.streamHeard(41, from: Self.id(4)), to: 1)
        } else {
            group.arrive(4, streamID: 41)
            group.run(forMilliseconds: 61)
        }
        let member = Member(id: Self.id(4), streamID: 41, name: DisplayName("Member 4"))
        #expect(group.effects(of: 1).last == .restarted(member, formerStreamID: 40))
        group.lossPercent = 0
        group.run(forMilliseconds: 2_000)
        #expect(group[4]?.others.count == 5 && group[1]?.others.count == 5)
        // What the former life still says is old.
        let old = Hello(
            member: Self.id(4),
            streamID: 40,
            revision: SerialNumber(900),
            members: [Self.id(4)]
        )
        let count = group.effects(of: 1).count
        group.send(.messageReceived(.hello(old), from: Self.id(4)), to: 1)
        group.send(.streamHeard(40, from: Self.id(4)), to: 1)
        #expect(group.effects(of: 1).count == count)
    }

    @Test("The owner goes without a word: the next owns, and talk needs neither (A-F-023, A-F-024)")
    func succession() {
        let group = Neighbourhood(seed: 4)
        for number in 1...4 { group.arrive(number) }
        group.run(forMilliseconds: 2_000)
        group.vanish(1)
        group.run(forMilliseconds: 10_000)
        let others = (2...4).map { group[$0]?.others.count }
        #expect(others == [3, 3, 3], "nobody was touched while the owner was missing")
        group.arrive(5)
        group.run(forMilliseconds: 1_000)
        #expect(group[5]?.others.count == 3, "somebody joins a group without an owner")
        group.run(forMilliseconds: 12_000)
        #expect(group.phones.allSatisfy { $0.machine.owner == Self.id(2) })
        #expect(group.effects(of: 3).contains(.left(Self.id(1), .silent)))
        group.arrive(1, streamID: 11)
        group.run(forMilliseconds: 1_000)
        #expect(group.phones.allSatisfy { $0.machine.owner == Self.id(1) })
    }

    @Test(
        "Two come to the last seat at once: one gets it, the other reads why",
        arguments: 0..<24 as Range<UInt64>
    )
    func lastSeat(seed: UInt64) {
        let group = Neighbourhood(seed: seed)
        group.lossPercent = Int(seed % 3) * 10
        for number in [2, 3, 5, 7, 8] { group.arrive(number) }
        group.run(forMilliseconds: 8_000)
        // One of them has the smallest id of all.
        let rivals = seed.isMultiple(of: 2) ? [1, 9] : [4, 6]
        for rival in rivals { group.arrive(rival) }
        group.run(forMilliseconds: 15_000)
        group.lossPercent = 0
        group.run(forMilliseconds: 20_000)
        let finished = rivals.filter { group[$0]?.isFinished == true }
        #expect(finished.count == 1, "seed \(seed): \(finished) of \(rivals) withdrew")
        for phone in group.phones where !phone.machine.isFinished {
            #expect(phone.machine.others.count == 5, "seed \(seed): \(phone.id.high)")
        }
    }

    @Test("Groups that formed apart become one when they meet")
    func halves() {
        let group = Neighbourhood(seed: 6)
        var isApart = true
        group.isCut = { one, other in isApart && (one.high <= 3) != (other.high <= 3) }
        for number in 1...6 { group.arrive(number) }
        group.run(forMilliseconds: 15_000)
        #expect(group[5]?.others.count == 2 && group[5]?.owner == Self.id(4))
        isApart = false
        for one in 1...3 {
            for other in 4...6 {
                group.send(.memberProven(Self.id(one)), to: other)
                group.send(.memberProven(Self.id(other)), to: one)
            }
        }
        group.run(forMilliseconds: 3_000)
        #expect(group.phones.allSatisfy { $0.machine.others.count == 5 })
        #expect(group.phones.allSatisfy { $0.machine.owner == Self.id(1) })
    }

    @Test(
        "A goodbye is said five times: loss may eat four, and it is reported once (A-F-005)",
        arguments: [0, 100, 600, 1_700] as [Int64]
    )
    func goodbyeRepeated(burstMilliseconds: Int64) {
        let group = Neighbourhood(seed: 11)
        for number in 1...3 { group.arrive(number) }
        group.run(forMilliseconds: 2_000)
        let sent = group.messagesSent
        group.lossPercent = burstMilliseconds > 0 ? 100 : 0
        group.send(.leave, to: 1)
        #expect(group[1]?.isLeaving == true && group[1]?.isFinished == false)
        #expect(group.messagesSent - sent == 2, "one goodbye each, at once")
        group.run(forMilliseconds: burstMilliseconds)
        group.lossPercent = 0
        group.run(forMilliseconds: 1_900 - burstMilliseconds)
        for number in 2...3 {
            #expect(group[number]?.others.count == 1 && group[number]?.owner == Self.id(2))
            let departures = group.effects(of: number).filter { effect in
                if case .left = effect { true } else { false }
            }
            #expect(departures == [.left(Self.id(1), .goodbye)], "reported once")
        }
        #expect(group[1]?.isFinished == true && group[1]?.deadline == nil)
        let joined = group.effects(of: 2).count
        group.run(forMilliseconds: 10_000)
        #expect(group.effects(of: 2).count == joined, "nobody comes back from a repeated goodbye")
    }

    @Test("Who leaves is deaf: neither hellos nor news of sessions bring it back")
    func leavesDeaf() {
        let group = Neighbourhood(seed: 12)
        for number in 1...2 { group.arrive(number) }
        group.run(forMilliseconds: 1_000)
        group.lossPercent = 100
        group.send(.leave, to: 1)
        let count = group.effects(of: 1).count
        group.send(.memberProven(Self.id(2)), to: 1)
        group.send(.memberLost(Self.id(2)), to: 1)
        group.lossPercent = 0
        group.run(forMilliseconds: 440)
        #expect(group.effects(of: 1).count == count && group[2]?.others.count == 1)
        group.run(forMilliseconds: 700)
        #expect(group[2]?.others.isEmpty == true)
    }

    @Test("Who comes back where every goodbye was lost is believed: its numbers count on")
    func returnsUnmissed() throws {
        let own = Member(id: Self.id(1), streamID: 10)
        let group = Neighbourhood(seed: 13)
        for number in 1...2 { group.arrive(number) }
        for isMuted in [true, false, true, false] { group.send(.muteChanged(isMuted), to: 1) }
        group.run(forMilliseconds: 1_000)
        let former = try #require(group[1])
        group.lossPercent = 100
        group.send(.leave, to: 1)
        group.run(forMilliseconds: 1_100)
        group.lossPercent = 0
        group.arrive(1, as: Membership(own: own, after: former))
        group.send(.muteChanged(true), to: 1)
        group.run(forMilliseconds: 1_000)
        #expect(group[2]?.others.first?.isMuted == true)
    }

    @Test("A microphone that is turned off shows on all cards (S-UI-001)")
    func mute() {
        let group = Neighbourhood(seed: 7)
        for number in 1...3 { group.arrive(number) }
        group.run(forMilliseconds: 1_000)
        group.send(.muteChanged(true), to: 2)
        group.run(forMilliseconds: 100)
        #expect(group[1]?.others.first { $0.id == Self.id(2) }?.isMuted == true)
    }

    @Test(
        "A mute is told three times: a burst of loss may eat two (S-UI-001)",
        arguments: [0, 100, 600] as [Int64],
        [true, false]
    )
    func muteRepeated(burstMilliseconds: Int64, isMuted: Bool) {
        let group = Neighbourhood(seed: 14)
        for number in 1...3 { group.arrive(number) }
        group.send(.muteChanged(!isMuted), to: 2)
        group.run(forMilliseconds: 3_000)
        let sent = group.messagesSent
        group.lossPercent = burstMilliseconds > 0 ? 100 : 0
        group.send(.muteChanged(isMuted), to: 2)
        #expect(group.messagesSent - sent == 2, "one hello each, at once")
        group.run(forMilliseconds: burstMilliseconds)
        group.lossPercent = 0
        group.run(forMilliseconds: 1_100 - burstMilliseconds)
        for number in [1, 3] {
            #expect(group[number]?.others.first { $0.id == Self.id(2) }?.isMuted == isMuted)
        }
    }

    @Test("Who comes later reads at once who is muted (S-UI-001)")
    func muteBefore() {
        let group = Neighbourhood(seed: 15)
        for number in 1...2 { group.arrive(number) }
        group.run(forMilliseconds: 1_000)
        group.send(.muteChanged(true), to: 2)
        group.run(forMilliseconds: 8_000)
        group.arrive(3)
        group.run(forMilliseconds: 200)
        #expect(group[3]?.others.first { $0.id == Self.id(2) }?.isMuted == true)
        #expect(group.effects(of: 3).contains { $0 == .joined(Self.muted(2)) })
    }

    private static func muted(_ number: Int) -> Member {
        Member(
            id: id(number),
            streamID: UInt32(number * 10),
            name: DisplayName("Member \(number)"),
            isMuted: true
        )
    }

    @Test("Who was muted, starts again and is heard before its hello comes is not muted (S-UI-001)")
    func muteEndsWithStream() {
        let group = Neighbourhood(seed: 16)
        for number in 1...2 { group.arrive(number) }
        group.run(forMilliseconds: 1_000)
        group.send(.muteChanged(true), to: 2)
        group.run(forMilliseconds: 100)
        #expect(group[1]?.others.first?.isMuted == true)
        group.lossPercent = 100
        group.arrive(2, streamID: 21)
        group.send(.streamHeard(21, from: Self.id(2)), to: 1)
        #expect(group[1]?.others.first?.isMuted == false)
    }

    @Test("The group is as small as its most careful member wants it")
    func smallest() {
        let group = Neighbourhood(seed: 8)
        var small = Membership.Configuration()
        small.capacity = 3
        group.arrive(1)
        group.arrive(2, configuration: small)
        group.arrive(3)
        group.run(forMilliseconds: 1_000)
        group.arrive(4)
        group.run(forMilliseconds: 3_000)
        #expect(group.effects(of: 4).last == .refused(.groupFull(capacity: 3)))
    }

    @Test("A hello that names somebody else than who sent it changes nothing")
    func impostor() {
        let group = Neighbourhood(seed: 9)
        for number in 1...2 { group.arrive(number) }
        group.run(forMilliseconds: 1_000)
        let lie = Hello(
            member: Self.id(0),
            streamID: 1,
            revision: SerialNumber(99),
            members: [Self.id(0)]
        )
        let count = group.effects(of: 1).count
        group.send(.messageReceived(.hello(lie), from: Self.id(2)), to: 1)
        #expect(group.effects(of: 1).count == count && group[1]?.owner == Self.id(1))
    }
}
