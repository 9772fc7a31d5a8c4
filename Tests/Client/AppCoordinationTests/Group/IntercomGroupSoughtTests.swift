import AppCoordination
import GroupSecurity
import PeerTransport
import SansIO
import Testing

@Suite("The cards of those who are sought")
struct IntercomGroupSoughtTests {
    @Test("Whoever is sought has a card from the start, and keeps its seat in the call (S-UI-001)")
    func sought() {
        let call = GroupCall()
        call.setUpMilliseconds[.local] = 3_000
        let anna = call.add("Anna", knowing: ["Ben", "Cleo"])
        let before = call.cards(anna)
        let names = before.cards.compactMap { $0?.name?.text }
        #expect(names == ["Anna", "Ben", "Cleo"])
        #expect(before.cards[1]?.connection == .searching && before.step == .connecting)
        let cleo = call.add("Cleo", knowing: ["Anna"])
        call.run(to: 6_000)
        let during = call.cards(anna)
        #expect(during.cards[2]?.id == call.id(cleo) && during.cards[2]?.connection == .local)
        #expect(during.cards[1] == before.cards[1], "Ben is still sought")
        call.send(.groupLeft, to: cleo)
        call.run(to: 8_000)
        #expect(call.cards(anna).cards[1] == before.cards[1])
        #expect(call.cards(anna)[call.id(cleo)] == nil, "who said goodbye is shown no more")
    }

    @Test("A card of somebody who is sought makes room for whoever comes (S-UI-001)")
    func soughtMakesRoom() {
        let call = GroupCall()
        let names = ["Ben", "Cleo", "Dan", "Eve", "Finn", "Gus"]
        let anna = call.add("Anna", knowing: names)
        let before = call.cards(anna).cards.map { $0?.name?.text }
        #expect(before == ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn"])
        let gus = call.add("Gus", knowing: ["Anna"])
        call.run(to: 3_000)
        let cards = call.cards(anna)
        let after = Array(before.dropLast()) + ["Gus"]
        #expect(cards.cards.map { $0?.name?.text } == after)
        #expect(cards[call.id(gus)]?.connection == .local)
    }

    @Test("Who was lost from the call keeps a card before those who never came (S-UI-001)")
    func latestFirst() {
        let call = GroupCall()
        let anna = call.add("Anna", knowing: ["Ben", "Cleo", "Dan", "Eve", "Finn", "Gus"])
        let gus = call.add("Gus", knowing: ["Anna"])
        call.run(to: 3_000)
        let during = call.cards(anna)
        call.switchOff(gus)
        call.dropLinks(anna, gus)
        call.run(to: 32_000)
        let after = call.cards(anna)
        #expect(during.cards[5]?.id == call.id(gus) && after.cards[5]?.id == call.id(gus))
        #expect(after[call.id(gus)]?.connection == .searching)
    }
}
