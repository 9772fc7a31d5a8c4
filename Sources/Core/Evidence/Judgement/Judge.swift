/// What one run gave, as far as it can be judged.
public struct RunEvidence: Sendable, Equatable {
    /// The run's seed.
    public var seed: UInt64
    /// The findings of its metrics.
    public var metrics: [MetricResult]
    /// The findings of its invariants.
    public var invariants: [InvariantResult]
    /// The findings of metrics in the scopes of gates.
    public var scoped: [ScopedResult]

    /// Makes a run's evidence.
    public init(
        seed: UInt64,
        metrics: [MetricResult],
        invariants: [InvariantResult] = [],
        scoped: [ScopedResult] = []
    ) {
        self.seed = seed
        self.metrics = metrics
        self.invariants = invariants
        self.scoped = scoped
    }

    /// What it gave of a gate's metric, in the gate's scope; of each device by its name where that is asked.
    package func findings(for gate: Gate) -> [(device: String?, result: MetricResult)] {
        guard let scope = gate.scope else {
            return metrics.first { $0.name == gate.metric }.map { [(nil, $0)] } ?? []
        }
        let scoped = ScopedMetric(metric: gate.metric, scope: scope)
        return self.scoped.first { $0.scoped == scoped }?.findings ?? []
    }

    /// The run's own figure of a gate, at the device where it is worst; `nil` if there is none.
    public func figure(of gate: Gate) -> Int64? {
        findings(for: gate).compactMap { gate.figure(of: $0.result) }
            .max { gate.badness($0) < gate.badness($1) }
    }
}

/// Pools runs and holds them against gates and invariants.
///
/// Runs are folded one at a time, so memory does not grow with them; the order in which they come, or
/// in which judges of disjoint sets of runs are merged, does not matter.
public struct Judge: Sendable, Codable {
    private var gates: [GateFolding]
    private var invariantNames: [String]
    private var metrics: [MetricResult] = []
    private var invariants: [InvariantResult] = []
    private var runCount = 0

    private enum CodingKeys: String, CodingKey {
        case gates, invariantNames, metrics, invariants, runCount
    }

    /// Reads what was written.
    ///
    /// - Throws: What the decoder throws, and `fault` where there is one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        gates = try container.decode([GateFolding].self, forKey: .gates)
        invariantNames = try container.decode([String].self, forKey: .invariantNames)
        metrics = try container.decode([MetricResult].self, forKey: .metrics)
        invariants = try container.decode([InvariantResult].self, forKey: .invariants)
        runCount = try container.decode(Int.self, forKey: .runCount)
        guard let fault else { return }
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: fault)
        )
    }

    /// Makes a judge of no run yet.
    ///
    /// - Parameters:
    ///   - gates: The bounds that the pooled figures must keep.
    ///   - invariants: The names of those that must have been checked; all must hold.
    public init(gates: [Gate], invariants: [String] = []) {
        self.gates = gates.map(GateFolding.init)
        invariantNames = invariants
    }

    /// Pools one more run.
    public mutating func add(_ run: RunEvidence) {
        for index in gates.indices {
            gates[index].observe(run)
        }
        var (metrics, invariants) = (run.metrics, run.invariants)
        for index in metrics.indices { metrics[index].extremes.setSeed(run.seed) }
        for index in invariants.indices {
            for violation in invariants[index].violations.indices {
                invariants[index].violations[violation].seed = run.seed
            }
        }
        pool(metrics, invariants)
        runCount += 1
    }

    /// Pools the runs of another judge with the same gates and other runs.
    public mutating func merge(_ other: Judge) {
        precondition(
            gates.map(\.gate) == other.gates.map(\.gate) && invariantNames == other.invariantNames,
            "judges of different expectations"
        )
        for index in gates.indices {
            gates[index].merge(other.gates[index])
        }
        pool(other.metrics, other.invariants)
        runCount += other.runCount
    }

    /// Takes the runs so far for a part: only that fails which more seeds cannot mend.
    public mutating func cutShort(to count: Int, of planned: Int) {
        for index in gates.indices {
            let metric = metrics.first { $0.name == gates[index].gate.metric }
            gates[index].cutShort(to: count, of: planned, form: metric?.value.form)
        }
    }

    /// Whether the runs of another judge can be pooled: it holds the same expectations, and measured
    /// the same metrics in the same way.
    public func canMerge(_ other: Judge) -> Bool {
        func shapes(_ metrics: [MetricResult]) -> [String] {
            metrics.map { "\($0.name) \($0.unit) \($0.value.shape)" }
        }
        let (mine, theirs) = (shapes(metrics), shapes(other.metrics))
        return gates.map(\.gate) == other.gates.map(\.gate)
            && invariantNames == other.invariantNames
            && (mine.isEmpty || theirs.isEmpty || mine == theirs)
    }

    /// Why it can be neither pooled nor judged, in a sentence; `nil` if it can, as all can that runs were added to.
    ///
    /// Where two judges have none, their sum is computed without overflow, and may have one.
    public var fault: String? {
        if let fault = FigureBounds.fault("runs", runCount) { return fault }
        for metric in metrics {
            if let fault = metric.fault { return "\(metric.name): \(fault)" }
        }
        for invariant in invariants {
            if let fault = invariant.fault { return "\(invariant.name): \(fault)" }
        }
        for gate in gates {
            if let fault = gate.fault(in: metrics) {
                return "the gate on \(gate.gate.metric): \(fault)"
            }
        }
        return nil
    }

    /// What is to be said of the runs so far.
    public var judgement: Judgement {
        Judgement(
            runCount: runCount,
            gates: gates.map { folding in
                folding.result(metrics.first { $0.name == folding.gate.metric })
            },
            invariants: judgedInvariants.map { name in
                let result = invariants.first { $0.name == name } ?? InvariantResult(name: name)
                let held: Verdict = result.violationCount == 0 ? .pass : .fail
                let verdict = result.checkedCount == 0 ? .noData : held
                return InvariantJudgement(result: result, verdict: verdict)
            },
            metrics: metrics
        )
    }

    /// Those asked for, then those that were broken although nobody asked.
    private var judgedInvariants: [String] {
        let broken = invariants.filter { $0.violationCount > 0 }.map(\.name)
        return invariantNames + broken.filter { !invariantNames.contains($0) }
    }

    private mutating func pool(_ metrics: [MetricResult], _ invariants: [InvariantResult]) {
        for (place, metric) in metrics.enumerated() {
            if let index = Self.place(of: metric.name, place, in: self.metrics, by: \.name) {
                self.metrics[index].merge(metric)
            } else {
                self.metrics.append(metric)
            }
        }
        for (place, invariant) in invariants.enumerated() {
            if let index = Self.place(of: invariant.name, place, in: self.invariants, by: \.name) {
                self.invariants[index].merge(invariant)
            } else {
                self.invariants.append(invariant)
            }
        }
    }

    /// Where a name stands.
    ///
    /// Runs mostly list the same names in the same order: the same place is looked at first.
    private static func place<Result>(
        of name: String,
        _ guess: Int,
        in results: [Result],
        by itsName: (Result) -> String
    ) -> Int? {
        if guess < results.count, itsName(results[guess]) == name { return guess }
        return results.firstIndex { itsName($0) == name }
    }
}

extension Gate {
    /// The gate's figure of a metric with each censored occasion at its least: it is no sample yet.
    package func figure(of metric: MetricResult) -> Int64? {
        guard statistic == .count else { return figure(of: metric.known) }
        let isEmpty = metric.samples + metric.occasions.censoredCount == 0
        return isEmpty ? nil : Int64(metric.samples)
    }

    /// The same with each censored occasion at its greatest: it has become a sample.
    func greatestFigure(of metric: MetricResult) -> Int64? {
        guard statistic == .count else { return figure(of: metric.greatest) }
        return Int64(metric.samples + metric.occasions.censoredCount)
    }

    /// The gate's figure of a finding, if it has one.
    ///
    /// Shares become whole parts per million, rounded such that the comparison with any limit comes
    /// out as with the exact share.
    public func figure(of value: MetricValue) -> Int64? {
        guard value.form.offers(statistic), value.samples > 0 else { return nil }
        switch (value, statistic) {
        case (_, .count): return Int64(value.samples)
        case (.distribution(let distribution), .shareAbove(let limit)):
            return share(distribution.shareAbove(limit))
        case (.distribution(let distribution), _): return figure(of: distribution)
        case (.proportion(let proportion), _): return share(proportion)
        case (.count(let tally), _): return tally.total
        }
    }

    /// The sample of a metric that lies furthest on the wrong side; none of a mere number of samples.
    ///
    /// A gate on the greatest or the least sample is missed by that one, whichever side is wrong.
    package func worstSample(of metric: MetricResult) -> LocatedSample? {
        switch statistic {
        case .count: nil
        case .maximum: metric.extremes.worst(.atMost)
        case .minimum: metric.extremes.worst(.atLeast)
        case .quantile, .mean, .value, .shareAbove: metric.extremes.worst(comparison)
        }
    }

    /// How far `value` lies on the wrong side; the greater, the worse.
    package func badness(_ value: Int64) -> Int64 {
        switch comparison {
        case .atMost, .below: value
        case .atLeast, .above: -value
        case .equal:
            value.subtractingReportingOverflow(limit).overflow
                ? .max : Int64(clamping: (value - limit).magnitude)
        }
    }

    package func verdict(_ value: Int64) -> Verdict {
        guard comparison.holds(value, limit) else { return .fail }
        guard let warningLimit else { return .pass }
        return comparison.holds(value, warningLimit) ? .pass : .warn
    }

    private func figure(of distribution: Distribution) -> Int64? {
        switch statistic {
        case .quantile(let perMille): distribution.quantile(perMille: perMille)
        case .maximum: distribution.maximum
        case .minimum: distribution.minimum
        case .mean: distribution.mean
        case .value, .count, .shareAbove: nil
        }
    }

    private func share(_ proportion: Proportion) -> Int64? {
        switch comparison {
        case .atMost, .above: proportion.partsPerMillion(roundedUp: true)
        case .below, .atLeast: proportion.partsPerMillion(roundedUp: false)
        case .equal:
            // A share between two whole parts per million equals no limit.
            proportion.partsPerMillion(roundedUp: false).flatMap {
                $0 == limit ? proportion.partsPerMillion(roundedUp: true) : $0
            }
        }
    }
}
