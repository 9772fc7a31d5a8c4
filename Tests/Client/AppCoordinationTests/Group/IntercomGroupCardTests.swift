import AppCoordination
import PeerTransport
import SansIO
import Testing

@Suite("What cards say of the way to a member")
struct IntercomGroupCardTests {
    /// Two by radio alone, which loses everything for a while and tells of nothing (D-09).
    private func pair(losing lost: Range<Int64>) -> (call: GroupCall, anna: Int, ben: Int) {
        let call = GroupCall()
        call.setUpMilliseconds[.internet] = 1_000_000
        call.loss = { _, _, now in lost.contains(now) ? 100 : 0 }
        return (call, call.add("Anna"), call.add("Ben"))
    }

    private func connections(
        _ call: GroupCall,
        _ anna: Int,
        _ ben: Int
    ) -> [IntercomCards.Connection?] {
        [
            call.cards(anna)[call.id(ben)]?.connection,
            call.cards(ben)[call.id(anna)]?.connection,
        ]
    }

    @Test("Six seconds after nothing comes any more a card says so, and the screen (S-UI-001)")
    func quiet() {
        let (call, anna, ben) = pair(losing: 10_000..<25_000)
        call.run(to: 14_000)
        #expect(connections(call, anna, ben) == [.local, .local])
        call.run(to: 16_100)
        #expect(connections(call, anna, ben) == [.connecting, .connecting])
        #expect(call.cards(anna).step == .connecting && call.cards(ben).step == .connecting)
        call.run(to: 26_500)
        #expect(connections(call, anna, ben) == [.local, .local])
        #expect(call.cards(anna).step == .call && call.cards(ben).step == .call)
    }

    @Test("A short silence shows on no card, nor does a path that is asked seldom (S-UI-001)")
    func notQuiet() {
        let (call, anna, ben) = pair(losing: 10_000..<14_000)
        for second in 2..<20 as Range<Int64> {
            call.run(to: second * 1_000)
            #expect(connections(call, anna, ben) == [.local, .local], "at \(second) s")
        }
        let seldom = GroupCall()
        seldom.setUpMilliseconds[.internet] = 1_000_000
        seldom.configuration.probe.period = .seconds(5)
        let (cleo, dan) = (seldom.add("Cleo"), seldom.add("Dan"))
        for second in 2..<30 as Range<Int64> {
            seldom.run(to: second * 1_000)
            #expect(connections(seldom, cleo, dan) == [.local, .local], "at \(second) s")
        }
    }
}
