import AppCoordination
import PeerTransport
import SansIO
import Testing

@Suite("Members who come to the last seats at once")
struct IntercomGroupSeatTests {
    @Test("Whoever had no seat for a moment keeps its connections, and is heard (S-GRP-001)")
    func unseated() {
        // By their ids, since those who come in one second rank by them.
        let names = ["Anna", "Ben", "Cleo", "Dan"]
        let draft = GroupCall()
        let ids = names.map { draft.id(draft.add($0)) }
        let ranked = names.indices.sorted { ids[$0] < ids[$1] }.map { names[$0] }

        let call = GroupCall()
        call.configuration.membership.capacity = 3
        call.setUpMilliseconds[.internet] = 1_000_000
        // The first two do not meet at once: each takes the others in.
        call.loss = { _, ends, now in ends == (2, 3) && now < 4_000 ? 100 : 0 }
        let (third, fourth) = (call.add(ranked[2]), call.add(ranked[3]))
        call.run(to: 300)
        let (first, second) = (call.add(ranked[0]), call.add(ranked[1]))
        call.run(to: 700)
        #expect(call.cards(third)[call.id(fourth)]?.connection == .local)
        call.run(to: 3_000)
        #expect(call.cards(third)[call.id(fourth)] == nil, "their seats are the first two's")
        #expect(call.cards(fourth)[call.id(third)] == nil)
        // For the first the second is one too many.
        call.run(to: 25_000)
        #expect(call.effects(second).contains(.refused(.groupFull(capacity: 3))))
        for one in [first, third, fourth] {
            for other in [first, third, fourth] where other != one {
                #expect(call.cards(one)[call.id(other)]?.connection == .local)
            }
        }
        call.talk(third)
        call.run(to: 28_000)
        #expect(call.longestGap(of: third, at: fourth, from: 25_500, to: 27_500) <= 20)
    }
}
