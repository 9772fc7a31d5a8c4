@testable import KodamaSimulation
import SansIO
import Testing

@Suite("A link's determinism")
struct LinkDeterminismTests {
    private static let everything = LinkDirection.with {
        $0.capacity = .rate(DataRate(bitsPerSecond: 48_000))
        $0.queue = .coDel(
            target: .milliseconds(20),
            interval: .milliseconds(100),
            limitBytes: 4_000
        )
        $0.loss = .gilbert(p: .ppm(17_500), r: .ppm(333_000))
        $0.delay = .milliseconds(8)
        $0.jitter = .held(.halfNormal(deviation: .milliseconds(9)), period: .milliseconds(50))
        $0.duplication = .ppm(20_000)
        $0.corruption = .ppm(20_000)
    }

    /// FNV-1a over all that the verdicts say.
    private func digest(_ verdicts: [LinkOutcome]) -> UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ value: Int64) {
            digest = (digest ^ UInt64(bitPattern: value)) &* 0x0000_0100_0000_01B3
        }
        for verdict in verdicts {
            mix(verdict.dropReason.map { Int64($0.rawValue) } ?? -1)
            for arrival in [verdict.arrival, verdict.secondArrival] {
                mix(arrival?.instant.nanoseconds ?? -1)
                mix(Int64(arrival?.corruptedBit ?? -1))
            }
        }
        return digest
    }

    @Test("The same link and seed give the same verdicts in every build and process (HN-01)")
    func golden() {
        var link = Link(Self.everything, seed: 7, name: "aoi-phone/ren-phone forward")
        let verdicts = link.send(count: 20_000, bytes: 125)
        #expect(link.statistics.dropped(for: .queueManaged) > 0)
        #expect(digest(verdicts) == 16_295_200_682_361_343_544)
    }

    @Test("A copy of a link is a checkpoint: both go on alike")
    func checkpoint() {
        var link = Link(Self.everything, seed: 7, name: "test")
        _ = link.send(count: 777, bytes: 125)
        var copy = link
        let (left, right) = (
            link.send(count: 500, bytes: 125, from: 20_000_000_000),
            copy.send(count: 500, bytes: 125, from: 20_000_000_000)
        )
        #expect(left == right)
        #expect(link == copy)
    }
}
