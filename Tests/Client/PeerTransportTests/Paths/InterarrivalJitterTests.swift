import SansIOTesting
import Testing

@testable import PeerTransport

@Suite("Interarrival jitter (S-HO-003)")
struct InterarrivalJitterTests {
    @Test(
        "Jitter follows RFC 3550's real-valued form to a sample",
        arguments: [1, 2, 3] as [UInt64]
    )
    func jitter(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var jitter = InterarrivalJitter()
        var (expected, last) = (0.0, 0.0)
        for index in 0..<2000 {
            let transit = 10_000_000 + Int64(random.below(30_000_000))
            jitter.record(transitNanoseconds: transit)
            let samples = Double(transit) * 48 / 1_000_000
            if index > 0 { expected += (abs(samples - last) - expected) / 16 }
            last = samples
        }
        let measured = Double(jitter.nanoseconds) * 48 / 1_000_000
        #expect(abs(measured - expected) < 2)
        #expect(expected > 300)
    }
}
