import Evidence
import Testing

@Suite("All voice metrics against a slow, obvious model")
struct VoiceMetricsModelTests {
    @Test("On made-up calls every figure is that of the model", arguments: 1...24)
    func figures(seed: Int) {
        let call = RandomCall(seed: UInt64(seed))
        let model = ReferenceMetrics(call.trace)
        let findings = Findings(call.trace)
        for metric in MetricCatalog.voice {
            switch findings.value(metric.name) {
            case .distribution(let distribution):
                compare(distribution, model.samples[metric.name] ?? [], metric.name)
            case .proportion(let share), .successRate(let share):
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
            var metrics = VoiceMetrics()
            metrics.fold(RandomCall(seed: UInt64(seed)).trace)
            for result in metrics.results {
                samples[result.name, default: 0] += result.samples
            }
        }
        for metric in MetricCatalog.voice where metric.name != "voice.delay.growth.time" {
            #expect(samples[metric.name, default: 0] > 20, "\(metric.name)")
        }
    }

    @Test("A device that is in no group changes no figure", arguments: 1...8)
    func bystander(seed: Int) {
        var without = VoiceMetrics()
        without.fold(RandomCall(seed: UInt64(seed)).trace)
        var with = VoiceMetrics()
        with.fold(RandomCall(seed: UInt64(seed), bystander: true).trace)
        #expect(with.results == without.results)
    }

    @Test("Results are named, measured and formed as the catalogue says")
    func catalogue() {
        let results = VoiceMetrics().results
        #expect(results.map(\.name) == MetricCatalog.voice.map(\.name))
        #expect(results.map(\.unit) == MetricCatalog.voice.map(\.unit))
        #expect(results.map(\.value.form) == MetricCatalog.voice.map(\.form))
        #expect(Set(results.map(\.name)).count == results.count)
        for (result, metric) in zip(results, MetricCatalog.voice) {
            if case .distribution(let distribution) = result.value {
                #expect(distribution.resolution == metric.resolution)
            }
        }
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
