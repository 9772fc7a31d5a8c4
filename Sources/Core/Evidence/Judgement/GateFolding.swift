/// One gate and what its runs gave so far.
package struct GateFolding: Sendable, Codable {
    /// What the runs gave of the gate's metric, at one device where each is judged by itself.
    private struct Group: Codable {
        var device: String?
        /// The findings pooled; of a gate without a scope the judge has them.
        var pooled: MetricResult?
        var runs: [RunPart] = []
        /// The run whose figure is worst; of an exact sum the one that adds most.
        var worst: GateResult.WorstRun?
        /// The run that adds least to an exact sum: worst where the sum is too small.
        var least: GateResult.WorstRun?

        mutating func keepWorse(_ other: Group, _ gate: Gate) {
            let isExactSum = least != nil
            worst = Self.worse(worst, other.worst) { isExactSum ? $0 : gate.badness($0) }
            least = Self.worse(least, other.least) { -$0 }
        }

        /// The run of the higher rank, the lowest seed among equals.
        private static func worse(
            _ one: GateResult.WorstRun?,
            _ other: GateResult.WorstRun?,
            _ rank: (Int64) -> Int64
        ) -> GateResult.WorstRun? {
            guard let one, let other else { return one ?? other }
            let (mine, theirs) = (rank(one.value), rank(other.value))
            return theirs > mine || theirs == mine && other.seed < one.seed ? other : one
        }

        /// The worst run beside the figure of all.
        func worst(_ gate: Gate, beside value: Int64?) -> GateResult.WorstRun? {
            value ?? gate.limit < gate.limit ? least ?? worst : worst
        }
    }

    package private(set) var gate: Gate
    /// In the order of the devices' names.
    private var groups: [Group] = []
    private var runsWithoutDataCount = 0

    package init(_ gate: Gate) {
        self.gate = gate
    }

    /// Why it can be neither pooled nor judged beside what was found of every metric, in a sentence; `nil` if it
    /// can.
    func fault(in metrics: [MetricResult]) -> String? {
        if let fault = gate.fault ?? FigureBounds.fault("runs without data", runsWithoutDataCount) {
            return fault
        }
        let shape = metrics.first { $0.name == gate.metric }?.value.shape
        for group in groups {
            let worst = [group.worst, group.least].compactMap(\.?.value)
            let fault =
                group.pooled?.fault
                ?? worst.lazy.compactMap { FigureBounds.fault("worst figure", $0) }.first
            guard fault == nil else { return fault }
            guard let pooled = group.pooled else { continue }
            guard pooled.name == gate.metric, pooled.value.shape == shape else {
                return "it holds a \(pooled.value.shape) of \(pooled.name)"
            }
        }
        return nil
    }

    package mutating func observe(_ run: RunEvidence) {
        var hasFigure = false
        for (device, result) in run.findings(for: gate) {
            let figure = gate.figure(of: result)
            guard figure != nil || gate.scope != nil else { continue }
            hasFigure = hasFigure || figure != nil
            var group = Group(device: device)
            if gate.scope != nil {
                group.pooled = result
                group.pooled?.extremes.setSeed(run.seed)
            }
            if let figure {
                var sample = gate.worstSample(of: result)
                sample?.seed = run.seed
                group.runs = [RunPart(seed: run.seed, result.known, of: gate.statistic)]
                group.worst = GateResult.WorstRun(seed: run.seed, value: figure, sample: sample)
                let isExactSum = gate.comparison == .equal && gate.isSum(of: result.value.form)
                if isExactSum { group.least = group.worst }
            }
            merge(group)
        }
        if !hasFigure { runsWithoutDataCount += 1 }
    }

    /// Takes the runs so far for a part of those that the gate was written for.
    mutating func cutShort(to count: Int, of planned: Int, form: MetricForm?) {
        guard count < planned else { return }
        gate = gate.running(count, of: planned, form: form, isQuick: true)
    }

    package mutating func merge(_ other: GateFolding) {
        runsWithoutDataCount += other.runsWithoutDataCount
        for group in other.groups { merge(group) }
    }

    private mutating func merge(_ other: Group) {
        let name = other.device ?? ""
        let index = groups.firstIndex { ($0.device ?? "") >= name } ?? groups.endIndex
        guard index < groups.endIndex, groups[index].device == other.device else {
            groups.insert(other, at: index)
            return
        }
        if let theirs = other.pooled {
            // Let go of the shared storage first, so that merging does not copy it.
            var pooled = groups[index].pooled ?? theirs
            let isFirst = groups[index].pooled == nil
            groups[index].pooled = nil
            if !isFirst { pooled.merge(theirs) }
            groups[index].pooled = pooled
        }
        groups[index].runs += other.runs
        groups[index].keepWorse(other, gate)
    }

    /// What is to be said of the gate; of several devices, of the worst one.
    ///
    /// - Parameter metric: The metric's findings over all runs, whatever the gate's scope.
    /// - Returns: The figure with its verdict.
    package func result(_ metric: MetricResult?) -> GateResult {
        let isKnown = metric != nil
        let results = groups.map { group in
            result(gate.scope == nil ? metric : group.pooled, group, isKnown: isKnown)
        }
        let worst = results.indices.max { left, right in
            let (one, other) = (results[left], results[right])
            guard one.verdict == other.verdict else { return one.verdict < other.verdict }
            let ranks = [one, other].map { $0.value.map { gate.badness($0) } ?? .max }
            // Of equals the first device is named.
            return (ranks[0], right) < (ranks[1], left)
        }
        if let worst { return results[worst] }
        return result(gate.scope == nil ? metric : nil, Group(), isKnown: isKnown)
    }

    private func result(_ metric: MetricResult?, _ group: Group, isKnown: Bool) -> GateResult {
        let value = metric.flatMap { gate.figure(of: $0) }
        let interval = metric.flatMap { gate.interval(of: $0.known, group.runs) }
        let all = verdict(metric, value, interval, isKnown: isKnown)
        let (verdict, reason) = gate.softened(all, value, of: metric)
        return GateResult(
            gate: gate,
            unit: gate.unit,
            device: group.device,
            value: value,
            samples: metric?.samples ?? 0,
            occasions: metric?.occasions ?? Occasions(),
            interval: value == nil ? nil : interval,
            verdict: verdict,
            noDataReason: reason,
            worst: group.worst(gate, beside: value),
            runsWithoutDataCount: runsWithoutDataCount
        )
    }

    private func verdict(
        _ metric: MetricResult?,
        _ value: Int64?,
        _ interval: FigureInterval?,
        isKnown: Bool
    ) -> (Verdict, NoDataReason?) {
        guard isKnown else { return (.noData, .unknownMetric) }
        guard let metric else { return (.noData, .tooFewSamples) }
        guard metric.value.form.offers(gate.statistic) else { return (.noData, .wrongStatistic) }
        let countedSamples = metric.samples + metric.occasions.censoredCount
        guard let value, countedSamples > 0 else { return (.noData, .tooFewSamples) }
        guard countedSamples >= gate.neededSamples || gate.isMissedForGood(value, of: metric)
        else {
            return (.undecided, .tooFewSamples)
        }
        if gate.isTurned(from: value, by: metric) { return (.undecided, .openAtEnd) }
        let promises = gate.confidence != nil && gate.plan?.samples == nil
        guard promises else { return (gate.verdict(value), nil) }
        guard gate.comparison.holds(value, gate.limit) else { return (.fail, nil) }
        guard let cautious = interval.flatMap({ gate.cautious($0) }),
            gate.comparison.holds(cautious, gate.limit)
        else { return (.undecided, .tooFewRuns) }
        return (gate.verdict(cautious), nil)
    }
}

extension Gate {
    /// What is said of other seeds than the scenario asks for: what has no sample may have one with more, a sum is
    /// held against its rule where they are fewer, an exact sum where they are more, and a quick run fails and warns
    /// only of what more seeds cannot mend.
    fileprivate func softened(
        _ said: (verdict: Verdict, reason: NoDataReason?),
        _ value: Int64?,
        of metric: MetricResult?
    ) -> (Verdict, NoDataReason?) {
        guard let plan else { return said }
        let isPart = plan.isQuick && plan.isPart
        switch said.verdict {
        case .pass, .undecided: return said
        case .warn:
            guard isPart, let value, let metric, let warning = written.warning else { return said }
            return growsBeyond(warning, value, of: metric) ? said : (.pass, nil)
        case .noData:
            let isMissing = said.reason == .tooFewSamples && plan.isPart
            return isMissing ? (.undecided, said.reason) : said
        case .fail:
            guard let value, let metric, !isMissedForGood(value, of: metric) else { return said }
            let isOtherSum = plan.sum != nil && (plan.isPart || comparison == .equal)
            if isOtherSum { return (.undecided, .otherSeeds) }
            return isPart ? (.undecided, .beyondSoFar) : said
        }
    }

    /// Whether no more samples could bring a figure back to the right side of the limit: an extreme and
    /// a number of things only grow.
    fileprivate func isMissedForGood(_ value: Int64, of metric: MetricResult) -> Bool {
        guard !comparison.holds(value, limit) else { return false }
        if let plan, plan.sum != nil, !plan.isPart { return comparison != .equal }
        return growsBeyond(written.limit, value, of: metric)
    }

    /// Whether a figure is on the wrong side of a limit, and of a kind that more samples only take further.
    private func growsBeyond(_ limit: Int64, _ value: Int64, of metric: MetricResult) -> Bool {
        guard !comparison.holds(value, limit) else { return false }
        let isTooGreat = value > limit || value == limit && comparison == .below
        switch statistic {
        case .maximum, .count: return isTooGreat
        case .minimum: return !isTooGreat
        case .value: return metric.value.form == .count && isTooGreat
        case .quantile, .mean, .shareAbove: return false
        }
    }

    /// Whether the verdict on a figure hangs on how great the censored occasions have become.
    ///
    /// The figure with each at its least and that with each at its greatest bound what it may truly be.
    fileprivate func isTurned(from least: Int64, by metric: MetricResult) -> Bool {
        guard !allowsCensored, metric.occasions.censoredCount > 0,
            let greatest = greatestFigure(of: metric)
        else { return false }
        guard comparison != .equal else {
            return least != greatest && min(least, greatest) <= limit
                && limit <= max(least, greatest)
        }
        return comparison.holds(least, limit) != comparison.holds(greatest, limit)
    }
}
