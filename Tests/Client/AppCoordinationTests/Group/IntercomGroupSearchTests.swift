import AppCoordination
import GroupSecurity
import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("Who is missing is looked for, and the cards say when that is in vain")
struct IntercomGroupSearchTests {
    /// The app of somebody who is alone in a group.
    private struct Lonely {
        var app: IntercomGroupCoordinator
        /// When the Internet was asked for, in seconds.
        private(set) var asked: [Int64] = []
        /// What the cards said last of the Internet, as the app was told.
        private(set) var isShownUnavailable = false

        init() {
            var entropy = Entropy(seed: 1, label: "lonely")
            app = IntercomGroupCoordinator(
                identity: MemberIdentity(entropy: &entropy),
                streamID: 7,
                judge: ThresholdJudge(),
                entropy: entropy
            )
            hear(.groupChosen(GroupCall.group, known: []), atSecond: 0)
        }

        mutating func hear(_ event: IntercomGroupEvent, atSecond second: Int64) {
            let now = Instant(nanoseconds: second * 1_000_000_000)
            note(app.handle(event, at: now), at: now)
        }

        /// Does what is due until then.
        mutating func run(toSecond second: Int64) {
            while let due = app.deadline?.instant, due.nanoseconds <= second * 1_000_000_000 {
                note(app.wake(at: due), at: due)
            }
        }

        private mutating func note(_ effects: [IntercomGroupEffect], at now: Instant) {
            for effect in effects {
                switch effect {
                case .seekByInternet: asked.append(now.nanoseconds / 1_000_000_000)
                case .cardsChanged(let cards): isShownUnavailable = cards.isInternetUnavailable
                default: break
                }
            }
        }
    }

    @Test("Whoever is alone and has no Internet reads so, and no longer once it is there (A-F-009)")
    func aloneWithoutInternet() {
        var phone = Lonely()
        phone.run(toSecond: 5)
        #expect(phone.asked == [4] && !phone.isShownUnavailable)
        phone.hear(.internetFailed, atSecond: 5)
        #expect(phone.isShownUnavailable)
        phone.run(toSecond: 25)
        phone.hear(.internetFailed, atSecond: 26)
        #expect(phone.asked == [4, 25] && phone.isShownUnavailable)
        // From here on it does not fail, and nobody else is there who would show that it works.
        phone.run(toSecond: 65)
        #expect(phone.asked == [4, 25, 46] && phone.isShownUnavailable)
        phone.run(toSecond: 66)
        #expect(phone.asked == [4, 25, 46] && !phone.isShownUnavailable)
    }

    @Test("When the phone has the Internet again it is asked for at once, and once (A-F-009)")
    func internetReturns() {
        var phone = Lonely()
        phone.run(toSecond: 5)
        phone.hear(.internetFailed, atSecond: 5)
        phone.hear(.internetReachable(true), atSecond: 12)
        #expect(phone.asked == [4, 12] && !phone.isShownUnavailable)
        phone.hear(.internetReachable(true), atSecond: 13)
        phone.run(toSecond: 20)
        #expect(phone.asked == [4, 12])
        phone.hear(.internetFailed, atSecond: 22)
        #expect(phone.isShownUnavailable, "there was a way and nobody answered")
    }

    @Test("The cards say at once what the system says, where the Internet is wanted (A-F-009)")
    func internetGone() {
        var phone = Lonely()
        phone.hear(.internetReachable(false), atSecond: 1)
        #expect(!phone.isShownUnavailable, "the radio has its time first")
        phone.run(toSecond: 10)
        // Nothing failed: others were looked for, and nobody was there.
        phone.hear(.internetReachable(false), atSecond: 10)
        #expect(phone.isShownUnavailable)
        phone.run(toSecond: 29)
        #expect(phone.isShownUnavailable)
        phone.hear(.internetReachable(true), atSecond: 29)
        #expect(phone.asked == [4, 29] && !phone.isShownUnavailable)
    }

    @Test("Two without coverage meet again after a silence that no transport noticed (D-09)")
    func silentLink() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.loss = { path, _, now in
            path == .internet || (5_000..<29_000).contains(now) ? 100 : 0
        }
        call.talk(anna)
        call.talk(ben)
        call.run(to: 28_900)
        #expect(call.cards(anna)[call.id(ben)]?.connection == .searching)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .searching)
        call.run(to: 40_000)
        #expect(call.cards(anna)[call.id(ben)]?.connection == .local)
        #expect(call.longestGap(of: anna, at: ben, from: 36_000, to: 39_500) == 0)
        #expect(call.longestGap(of: ben, at: anna, from: 36_000, to: 39_500) == 0)
    }

    @Test("Who followed an invite and is lost is looked for over the Internet (A-F-017)")
    func lostGuest() {
        let call = GroupCall()
        let all = ["Anna", "Ben", "Cleo"].map { call.add($0) }
        call.run(to: 6_000)
        #expect(!call.phones[all[0]].wants.contains(.internet), "all are there")
        call.switchOff(all[2])
        call.dropLinks(all[0], all[2])
        call.run(to: 32_000)
        #expect(call.cards(all[0])[call.id(all[2])]?.connection == .searching)
        #expect(call.phones[all[0]].wants.contains(.internet))
    }

    @Test("A guest who follows an invite from afar is heard by all who stand together (A-F-017)")
    func guestFromAfar() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.run(to: 6_000)
        call.send(.inviteMade(validFor: nil), to: anna)
        let cleo = call.add("Cleo", knowing: ["Anna"])
        call.loss = { path, ends, _ in path == .local && ends.1 == cleo ? 100 : 0 }
        call.talk(cleo)
        call.run(to: 26_000)
        #expect(call.cards(anna)[call.id(cleo)]?.connection == .internet)
        #expect(call.cards(ben)[call.id(cleo)]?.connection == .internet, "by what Anna says")
        #expect(call.cards(anna)[call.id(ben)]?.connection == .local)
        #expect(call.longestGap(of: cleo, at: ben, from: 22_000, to: 25_500) == 0)
    }

    @Test("An invite that nobody follows is not waited for beyond its end")
    func guestWhoDoesNotCome() {
        let call = GroupCall()
        let (anna, _) = (call.add("Anna"), call.add("Ben"))
        call.run(to: 6_000)
        call.send(.inviteMade(validFor: .seconds(10)), to: anna)
        call.run(to: 12_000)
        #expect(call.phones[anna].wants.contains(.internet))
        call.run(to: 17_000)
        #expect(!call.phones[anna].wants.contains(.internet))
    }

    @Test("The guest who came is not waited for any more")
    func guestWhoComes() throws {
        let call = GroupCall()
        let anna = call.add("Anna")
        call.add("Ben")
        call.run(to: 2_000)
        call.send(.inviteMade(validFor: nil), to: anna)
        let cleo = try call.add("Cleo", invitedBy: anna)
        call.run(to: 9_000)
        #expect(call.cards(anna).cards.compactMap(\.self).count == 3)
        #expect(call.effects(anna).filter { $0 == .guestCame(call.id(cleo)) }.count == 1)
        #expect(!call.phones[anna].wants.contains(.internet))
    }

    @Test("Another member's guest is not taken for one's own, who is still to come (A-F-017)")
    func guestOfAnother() throws {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.run(to: 2_000)
        for host in [anna, ben] { call.send(.inviteMade(validFor: nil), to: host) }
        try call.add("Dora", invitedBy: ben)
        call.run(to: 9_000)
        #expect(call.cards(anna).cards.compactMap(\.self).count == 3)
        #expect(call.phones[anna].wants.contains(.internet))
        #expect(!call.phones[ben].wants.contains(.internet))
        let cleo = try call.add("Cleo", invitedBy: anna)
        call.run(to: 14_000)
        #expect(call.cards(anna)[call.id(cleo)]?.connection == .local)
        #expect(!call.phones[anna].wants.contains(.internet))
    }

    @Test("Who is lost from the match once given up is asked for anew, by both sides (D-10)")
    func lateLoss() {
        let call = GroupCall()
        let names = ["Anna", "Ben", "Cleo"]
        let all = names.map { name in call.add(name, knowing: names.filter { $0 != name }) }
        let (anna, ben, cleo) = (all[0], all[1], all[2])
        call.loss = { path, ends, now in
            guard path == .internet else { return 100 }
            guard ends.1 == cleo, now >= 15_000 else { return 0 }
            return ends.0 == ben || now < 45_000 ? 100 : 0
        }
        call.run(to: 40_000)
        #expect(call.cards(anna)[call.id(cleo)]?.connection == .searching)
        #expect(call.cards(cleo)[call.id(anna)]?.connection == .searching)
        for other in [anna, ben] { call.dropLinks(other, cleo, by: .internet) }
        for phone in all { #expect(call.phones[phone].internetAsked.last == 40_000) }
        // Cleo meets Anna. The service may have learned of the losses after Cleo's last asking.
        call.run(to: 60_000)
        #expect(call.cards(cleo)[call.id(anna)]?.connection == .internet)
        #expect(call.phones[cleo].internetAsked.last == 40_000, "Ben has his time")
        call.run(to: 75_000)
        #expect(call.phones[cleo].internetAsked.last ?? 0 > 60_000)
    }

    @Test("A connection lost before it is proven is asked for anew, by both sides (D-10)")
    func unprovenLoss() {
        let call = GroupCall()
        let names = ["Anna", "Ben", "Cleo"]
        let all = names.map { name in call.add(name, knowing: names.filter { $0 != name }) }
        let (anna, ben, cleo) = (all[0], all[1], all[2])
        call.loss = { path, ends, now in
            guard path == .internet else { return 100 }
            return ends.1 == cleo && now >= 15_000 && now < 50_000 ? 100 : 0
        }
        call.run(to: 40_000)
        for other in [anna, ben] { call.dropLinks(other, cleo, by: .internet) }
        call.run(to: 50_000)
        #expect(call.cards(anna)[call.id(cleo)]?.connection == .searching)
        #expect(call.cards(cleo)[call.id(anna)]?.connection == .searching)
        #expect(call.phones[anna].internetAsked.last == 40_000)
        // The connections that came since, by which nothing has passed.
        for other in [anna, ben] { call.dropLinks(other, cleo, by: .internet) }
        for phone in all { #expect(call.phones[phone].internetAsked.last == 50_000) }
        call.run(to: 60_000)
        for other in [anna, ben] {
            #expect(call.cards(other)[call.id(cleo)]?.connection == .internet)
        }
    }

    @Test("Who was connected in vain and never met is asked for anew, by both sides (D-10)")
    func firstUnprovenLoss() {
        let call = GroupCall()
        let anna = call.add("Anna", knowing: ["Ben"])
        let ben = call.add("Ben", knowing: ["Anna"])
        call.loss = { path, _, now in path == .internet && now >= 10_000 ? 0 : 100 }
        call.run(to: 10_000)
        call.dropLinks(anna, ben, by: .internet)
        for phone in [anna, ben] { #expect(call.phones[phone].internetAsked.last == 10_000) }
        call.run(to: 20_000)
        #expect(call.cards(anna)[call.id(ben)]?.connection == .internet)
    }

    @Test(
        "Whom others reach and this phone never met is asked for anew, by both, until they meet (D-10)"
    )
    func metByOthersAlone() {
        let call = GroupCall()
        let names = ["Anna", "Ben", "Cleo"]
        let all = names.map { name in call.add(name, knowing: names.filter { $0 != name }) }
        let (anna, ben, cleo) = (all[0], all[1], all[2])
        call.loss = { path, ends, now in
            guard path == .internet else { return 100 }
            return !(ends.0 == anna || ends.1 == anna) && now < 60_000 ? 100 : 0
        }
        call.run(to: 60_000)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .internet)
        for phone in [ben, cleo] {
            let asked = call.phones[phone].internetAsked
            #expect(asked.count >= 3 && asked.last ?? 0 > 40_000, "\(asked)")
        }
        #expect(call.phones[anna].internetAsked.count == 1, "she reaches both")
        call.run(to: 90_000)
        #expect(call.cards(ben)[call.id(cleo)]?.connection == .internet)
        let count = call.phones[ben].internetAsked.count
        call.run(to: 150_000)
        #expect(call.phones[ben].internetAsked.count == count)
    }

    @Test("Whoever connects and never proves itself cannot have the match asked for all the time")
    func unprovenOften() {
        let call = GroupCall()
        let names = ["Anna", "Ben", "Cleo"]
        let all = names.map { name in call.add(name, knowing: names.filter { $0 != name }) }
        let (anna, ben, cleo) = (all[0], all[1], all[2])
        call.loss = { path, _, _ in path == .internet ? 0 : 100 }
        call.run(to: 15_000)
        call.switchOff(cleo)
        call.run(to: 40_000)
        for other in [anna, ben] { call.dropLinks(other, cleo, by: .internet) }
        for number in 0..<100 as Range<UInt32> {
            call.run(to: 50_000 + Int64(number) * 100)
            let stranger = LinkID(number: 1_000 + number)
            call.send(.linkUp(stranger, .internet), to: anna)
            call.send(.linkDown(stranger), to: anna)
        }
        let asked = call.phones[anna].internetAsked.filter { $0 >= 50_000 }
        #expect(asked == [50_000, 52_000, 54_000, 56_000, 58_000])
    }

    @Test("Muting in the middle of a word ends it, for the others as well (S-UI-001)")
    func mutedMidWord() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.talk(anna)
        call.run(to: 4_000)
        #expect(call.cards(ben)[call.id(anna)]?.isTalking == true)
        // She talks on, and her microphone delivers frames as before.
        call.send(.muteChanged(true), to: anna)
        #expect(call.cards(anna)[call.id(anna)]?.isTalking == false)
        call.run(to: 4_100)
        let card = call.cards(ben)[call.id(anna)]
        #expect(card?.isMuted == true && card?.isTalking == false)
        call.run(to: 8_000)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .local)
        #expect(call.voicePackets[.internet] == nil, "a silence is no dead radio")
    }
}
