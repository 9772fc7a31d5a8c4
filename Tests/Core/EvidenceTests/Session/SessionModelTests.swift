@testable import KodamaEvidence
import Testing

@Suite("Session metrics against a slow, obvious model")
struct SessionModelTests {
    private static let modelled =
        [
            "session.false_connected.time", "session.connect.time", "session.resume.time",
            "session.reconnect.whole.time", "session.audio.lost.time",
        ] + SessionPartNames.all.map { "session.reconnect.\($0).time" }

    @Test("On made-up sessions every figure is that of the model", arguments: 1...16)
    func figures(seed: Int) {
        let trace = RandomSession(seed: UInt64(seed), .sized).trace
        let model = ReferenceSession(trace)
        let findings = Findings(trace)
        for name in Self.modelled {
            let samples = (model.samples[name] ?? []).sorted()
            let distribution = findings.distribution(name)
            #expect(distribution?.count == samples.count, "\(name)")
            #expect(distribution?.sum == samples.reduce(0, +), "\(name)")
            #expect(distribution?.minimum == samples.first, "\(name)")
            #expect(distribution?.maximum == samples.last, "\(name)")
        }
    }

    @Test("The parts of all reconnects add up to the whole", arguments: 1...200)
    func sums(seed: Int) {
        let trace = RandomSession(seed: UInt64(seed), .reachability).trace
        let findings = Findings(trace)
        let whole = findings.distribution("session.reconnect.whole.time")
        let parts = SessionPartNames.all.map {
            findings.distribution("session.reconnect.\($0).time")
        }
        #expect(parts.allSatisfy { $0?.count == whole?.count })
        #expect(parts.reduce(0) { $0 + ($1?.sum ?? 0) } == whole?.sum)
        var meter = RunMeter()
        meter.fold(trace)
        let sum = meter.invariants.first { $0.name == "session.parts-sum" }
        #expect(sum?.checkedCount == whole?.count)
        #expect(sum?.violationCount == 0)
    }

    @Test("Frames and the state of the path give the same figures", arguments: 1...40)
    func media(seed: Int) {
        var sized = RunMeter()
        sized.fold(RandomSession(seed: UInt64(seed), .sized).trace)
        var reachability = RunMeter()
        reachability.fold(RandomSession(seed: UInt64(seed), .reachability).trace)
        #expect(sized.metrics == reachability.metrics)
    }

    @Test("The made-up sessions exercise every metric that is modelled")
    func exercise() {
        var samples: [String: Int64] = [:]
        for seed in 1...40 {
            let findings = Findings(RandomSession(seed: UInt64(seed), .reachability).trace)
            for name in Self.modelled {
                samples[name, default: 0] += findings.distribution(name)?.sum ?? 0
            }
        }
        for name in Self.modelled {
            #expect(samples[name, default: 0] > 1_000_000_000, "\(name)")
        }
    }
}
