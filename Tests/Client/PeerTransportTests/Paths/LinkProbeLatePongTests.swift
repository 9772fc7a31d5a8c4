import SansIO
import Testing

@testable import PeerTransport

@Suite("A pong that comes late")
struct LinkProbeLatePongTests {
    @Test(
        "A ping counts once: as lost when its pong is overdue, and not as answered later (S-HO-001)"
    )
    func onceLost() {
        var bench = ProbeBench(roundTripMilliseconds: 20)
        bench.send(.pathCameUp)
        bench.run(forMilliseconds: 800)
        let (answered, expected) = (bench.probe.losses.received, bench.probe.losses.expected)
        #expect(answered > 0 && answered == expected)
        // A pong is overdue after 100 ms; these come after 600.
        bench.roundTripMilliseconds = 600
        bench.run(forMilliseconds: 900)
        #expect(bench.probe.losses.received == answered)
        #expect(bench.probe.losses.expected > expected)
        #expect(
            bench.metrics.roundTrip.map { $0 > .milliseconds(50) } ?? false,
            "they show the way"
        )
    }
}
