import KodamaEvidence
public import KodamaLanguage

extension ScenarioPoint {
    /// Tells each gate how many seeds are run, where the scenario asks for another number.
    ///
    /// - Parameters:
    ///   - count: How many seeds are run.
    ///   - isQuick: Whether only that fails which all seeds would fail as well, and samples are asked for in
    ///     proportion.
    public mutating func tellGates(_ count: Int, isQuick: Bool = false) {
        let metrics = plan.systems.evidence.metrics
        for index in expectations.gates.indices {
            let gate = expectations.gates[index]
            expectations.gates[index] = gate.running(
                count,
                of: seeds,
                form: metrics.first { $0.name == gate.metric }?.form,
                isQuick: isQuick,
                scalesSamples: isQuick
            )
        }
    }

    /// The point as one run alone is held against it: its gates count one seed, ask for one sample and
    /// for no interval.
    package var alone: ScenarioPoint {
        var point = self
        point.tellGates(1)
        for index in point.expectations.gates.indices {
            let needed = point.expectations.gates[index].minimumSamples
            point.expectations.gates[index].minimumSamples = min(needed, 1)
            point.expectations.gates[index].confidence = nil
        }
        return point
    }
}
