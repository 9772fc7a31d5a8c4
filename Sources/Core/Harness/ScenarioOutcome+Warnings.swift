import KodamaEvidence
import KodamaLanguage

extension ScenarioOutcome {
    /// What was found odd before the runs, and the quantiles that have too few samples to mean anything.
    var warnings: [String] {
        let gates = points.flatMap { point in
            zip(point.judgement.gates, point.gateLocations).filter { $0.0.isThin }
        }
        let texts = gates.map { gate, location in
            let place = location?.description ?? about.file
            return "\(place): warning: \(gate.metric) \(gate.ruleText): of \(gate.tailText)"
        }
        return about.warnings + texts.distinct
    }
}

extension GateResult {
    /// How many samples it takes for one of them to lie beyond the quantile: 20 for p95, 1,000 for p99.9.
    private var samplesOfTail: Int {
        guard case .quantile(let perMille) = gate.statistic else { return 0 }
        let tail = max(1, min(perMille, 1_000 - perMille))
        return (1_000 + tail - 1) / tail
    }

    /// Whether its quantile is that of an extreme under another name; a part of the seeds promises none.
    var isThin: Bool {
        verdict <= .warn && samples < samplesOfTail && !(gate.plan?.isPart ?? false)
    }

    /// How many samples there are, and how many the quantile takes.
    var tailText: String {
        "\(counted(samples, "sample")), where one beyond the quantile takes \(samplesOfTail)"
    }
}
