import AppCoordination
import PeerTransport
import SansIO
import Testing

@Suite("Who mutes in a group is heard by nobody, and all read why (K-22, S-UI-001)")
struct IntercomGroupMuteTests {
    /// Whether one's screen says that another's microphone is off.
    private func saysMuted(_ call: GroupCall, _ screen: Int, of subject: Int) -> Bool? {
        call.cards(screen)[call.id(subject)]?.isMuted
    }

    @Test("Not a frame of the mute sounds, and from the unmute on every one does (K-22, K-15)")
    func unheard() throws {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.talk(anna)
        call.run(to: 4_000)
        call.send(.muteChanged(true), to: anna)
        #expect(saysMuted(call, anna, of: anna) == true)
        call.run(to: 8_000)
        let played = try #require(call.phones[ben].played[call.phones[anna].streamID])
        #expect(played.keys.max() ?? 0 <= 4_000 / 20)
        call.send(.muteChanged(false), to: anna)
        call.run(to: 10_000)
        #expect(call.longestGap(of: anna, at: ben, from: 8_040, to: 9_800) == 0)
        #expect(saysMuted(call, ben, of: anna) == false)
        #expect(call.duplicatesPlayed == 0)
    }

    @Test(
        "A burst that eats the first hello leaves a card wrong for half a second",
        arguments: [true, false]
    )
    func lost(isMuted: Bool) {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.send(.muteChanged(!isMuted), to: anna)
        call.run(to: 4_000)
        #expect(saysMuted(call, ben, of: anna) == !isMuted)
        call.loss = { _, _, now in now < 4_300 ? 100 : 0 }
        call.send(.muteChanged(isMuted), to: anna)
        call.run(to: 4_400)
        #expect(saysMuted(call, ben, of: anna) == !isMuted)
        call.run(to: 4_600)
        #expect(saysMuted(call, ben, of: anna) == isMuted)
    }

    @Test("A mute amid the change from radio to Internet is told by the way that carries")
    func handover() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.talk(anna)
        call.talk(ben)
        call.loss = { path, _, now in
            guard path == .local else { return 0 }
            // A bad moment brings the Internet up, which then stands by.
            return (8_000..<9_000).contains(now) ? 30 : now >= 15_000 ? 100 : 0
        }
        call.run(to: 15_050)
        call.send(.muteChanged(true), to: anna)
        call.run(to: 15_200)
        #expect(saysMuted(call, ben, of: anna) == true)
        call.run(to: 21_000)
        #expect(call.cards(ben)[call.id(anna)]?.connection == .internet)
        #expect(saysMuted(call, ben, of: anna) == true)
    }

    @Test("Who joins reads who is muted; who starts again begins with the microphone on")
    func others() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.run(to: 3_000)
        call.send(.muteChanged(true), to: anna)
        call.run(to: 10_000)
        let cleo = call.add("Cleo")
        call.run(to: 12_000)
        #expect(saysMuted(call, cleo, of: anna) == true)
        #expect(saysMuted(call, cleo, of: ben) == false)
        call.restart(anna)
        call.talk(anna)
        call.run(to: 14_000)
        for screen in [ben, cleo] { #expect(saysMuted(call, screen, of: anna) == false) }
        #expect(saysMuted(call, anna, of: anna) == false)
        #expect(call.longestGap(of: anna, at: ben, from: 13_000, to: 13_800) == 0)
    }

    @Test("Who is muted and chooses a group is muted there, and the others read it")
    func betweenGroups() {
        let call = GroupCall()
        let (anna, ben) = (call.add("Anna"), call.add("Ben"))
        call.run(to: 3_000)
        call.send(.groupLeft, to: anna)
        call.run(to: 5_000)
        call.send(.muteChanged(true), to: anna)
        call.send(.groupChosen(GroupCall.group, known: []), to: anna)
        call.talk(anna)
        call.run(to: 8_000)
        #expect(saysMuted(call, ben, of: anna) == true)
        let before = call.phones[ben].played[call.phones[anna].streamID] ?? [:]
        #expect(before.isEmpty)
    }
}
