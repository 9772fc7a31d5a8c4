@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import Testing

@Suite("What probes cost (K-19)")
struct SessionProbeTests {
    /// The exact samples of a metric, from its extremes and count.
    private func samples(_ probes: [Int64], _ name: String) -> [Int64?] {
        var scene = SessionScene()
        for (index, instant) in probes.enumerated() {
            scene.add(ProbeSent(operation: Int64(index), host: TraceWord(.other)), at: instant)
        }
        let found = scene.findings(until: 100_000).distribution(name)
        return [found.map { Int64($0.count) }, found?.quantile(perMille: 1_000)]
    }

    @Test("Probes are counted by outage: a pause of 5 s makes another one")
    func counts() {
        let name = "session.probe.packets.count"
        #expect(samples([1_000, 1_500, 6_400], name) == [1, 3])
        #expect(samples([1_000, 1_500, 6_500], name) == [2, 2])
    }

    @Test("A probe's rate is how many left the phone in the second that ends with it")
    func rate() {
        let name = "session.probe.packets.rate"
        #expect(samples([1_000, 1_500, 1_999], name) == [3, 3])
        // At 2,000 the first is a whole second old.
        #expect(samples([1_000, 1_500, 2_000], name) == [3, 2])
    }

    @Test("A probe costs the radio's promotion and tail, each second that it is kept up 1.06 J")
    func energy() {
        let name = "session.probe.energy.millijoules"
        // 0.2601 s · 1,210.7 mW + 11.576 s · 1,060 mW.
        #expect(samples([1_000], name) == [1, 12_585])
        #expect(samples([1_000, 2_000], name) == [1, 13_645])
    }
}
