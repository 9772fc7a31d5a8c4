import KodamaEvidence

extension RunReport {
    /// What comparisons need of the report, and no more: gates with their figures of each seed, invariants,
    /// digests of runs, and without a sweep a coarse curve of each gated metric.
    public var asBaseline: RunReport {
        var slim = self
        for scenario in slim.scenarios.indices {
            slim.scenarios[scenario].stories = nil
            slim.scenarios[scenario].about.summary = nil
            slim.scenarios[scenario].about.warnings = []
            for point in slim.scenarios[scenario].points.indices {
                slim.scenarios[scenario].points[point].trim()
            }
        }
        return slim
    }
}

extension PointReport {
    private static let curvePointCountMax = 12

    fileprivate mutating func trim() {
        let gated = Set(gates.map(\.metric))
        about.settings.removeAll(where: \.isOfPreset)
        // What came before is not needed to see that it does not come any more.
        triggers?.removeAll { $0.firedRuns > 0 }
        if triggers?.isEmpty ?? false { triggers = nil }
        metrics.removeAll { !about.values.isEmpty || !gated.contains($0.name) }
        for index in metrics.indices {
            metrics[index].bySeed = SeedFigures()
            metrics[index].worst = nil
            metrics[index].cumulative?.thin(to: Self.curvePointCountMax)
        }
        for index in gates.indices {
            gates[index].worst = nil
            gates[index].interval = nil
            gates[index].line = nil
            gates[index].file = nil
        }
        for index in runs.indices {
            runs[index].components = [:]
        }
    }
}

extension CumulativeCounts {
    /// Keeps at most this number of points, the first and the last among them, each of them exact.
    mutating func thin(to count: Int) {
        guard values.count > count, count > 1 else { return }
        let kept = (0..<count).map { $0 * (values.count - 1) / (count - 1) }
        values = kept.map { values[$0] }
        counts = kept.map { counts[$0] }
    }
}
