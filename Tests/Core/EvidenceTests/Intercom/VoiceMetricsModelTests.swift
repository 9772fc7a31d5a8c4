@testable import KodamaEvidence
import Testing

@Suite("All voice metrics against a slow, obvious model")
struct VoiceMetricsModelTests {
    /// All but those of handovers, groups, links, phones, stalls, edges and mutes, which the made-up
    /// calls do not have, and of needless openings, for which they are too short;
    /// `HandoverMeterTests`, `PacketRecordTests`, `PhoneMeterTests`, `StallMeterTests`,
    /// `EdgeMeterTests`, `MuteTests` and `OpeningTests` show them.
    private static let modelled = Systems.withoutSessions.metrics.filter { metric in
        ![
            "handover.", "group.", "network.", "phone.", "voice.cross_group.",
            "voice.delay.after_stall.", "voice.edge.", "voice.conduct.",
            "voice.openings.",
        ].contains { metric.name.hasPrefix($0) }
    }

    @Test("On made-up calls every figure is that of the model", arguments: 1...24)
    func figures(seed: Int) {
        let call = RandomCall(seed: UInt64(seed))
        let model = ReferenceMetrics(call.trace)
        let findings = Findings(call.trace)
        for metric in Self.modelled {
            // The model has no spurts that the end, or a farewell, cuts off.
            let isClip = metric.name.hasPrefix("voice.onset.clipped.")
            switch isClip ? findings.ended(metric.name) : findings.value(metric.name) {
            case .distribution(let distribution):
                compare(distribution, model.samples[metric.name] ?? [], metric.name)
            case .proportion(let share):
                let expected = model.shares[metric.name] ?? [0, 0]
                #expect([share.numerator, share.denominator] == expected, "\(metric.name)")
            case .count(let tally):
                #expect(tally.total == model.totals[metric.name], "\(metric.name)")
            case nil:
                Issue.record("\(metric.name) has no result")
            }
        }
    }

    @Test("The made-up calls exercise every metric")
    func exercise() {
        var samples: [String: Int] = [:]
        for seed in 1...24 {
            for result in RunMeter.of(RandomCall(seed: UInt64(seed)).trace).metrics {
                samples[result.name, default: 0] += result.samples
            }
        }
        for metric in Self.modelled
        where metric.name != "voice.delay.growth.time" {
            #expect(samples[metric.name, default: 0] > 20, "\(metric.name)")
        }
    }

    @Test("A device that is in no group changes no figure", arguments: 1...8)
    func bystander(seed: Int) {
        let without = RunMeter.of(RandomCall(seed: UInt64(seed)).trace)
        let with = RunMeter.of(RandomCall(seed: UInt64(seed), bystander: true).trace)
        #expect(with.metrics == without.metrics)
    }

    private func compare(_ distribution: Distribution, _ samples: [Int64], _ name: String) {
        let samples = samples.sorted()
        #expect(distribution.count == samples.count, "\(name)")
        #expect(distribution.sum == samples.reduce(0, +), "\(name)")
        #expect(distribution.minimum == samples.first, "\(name)")
        #expect(distribution.maximum == samples.last, "\(name)")
        guard !samples.isEmpty else { return }
        for perMille in [500, 900, 950, 990] {
            let exact = samples[max(1, (samples.count * perMille + 999) / 1_000) - 1]
            let quantile = distribution.quantile(perMille: perMille) ?? .min
            #expect(quantile >= exact && quantile - exact < distribution.resolution, "\(name)")
        }
    }
}
