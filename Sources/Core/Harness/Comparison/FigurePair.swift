import KodamaEvidence

/// A figure that both sides have: what it is made of, and which way is better.
struct FigurePair {
    var metric: String
    var figure: String
    var unit: MetricUnit
    var direction: MetricDirection
    /// The gates of both sides, if a gate bounds it.
    var gates: (before: GateReport, after: GateReport)?
    var before: Int64?
    var after: Int64?
    var rowBefore: [Int64?]
    var rowAfter: [Int64?]
    /// Over how many runs the limit of a sum is meant.
    var runCount = 1

    /// How much worse one run's figure is after than before, as if all runs were like it.
    private func harm(ofRun before: Int64, _ after: Int64) -> Int64 {
        harm(ofRunsLike(before), ofRunsLike(after))
    }

    private func ofRunsLike(_ value: Int64) -> Int64 {
        gates?.after.figure(ofRunsLike: value, runCount) ?? value
    }

    /// How much worse `after` is than `before`; negative if it is better, 0 where neither way is.
    private func harm(_ before: Int64, _ after: Int64) -> Int64 {
        if let gate = gates?.after, gate.comparison == .equal {
            return gate.distance(of: after).minus(gate.distance(of: before))
        }
        switch direction {
        case .lower: return after.minus(before)
        case .higher: return before.minus(after)
        case .neutral: return 0
        }
    }

    /// Compares both sides.
    ///
    /// - Parameters:
    ///   - seeds: The seeds of both sides, with the index of each on either.
    ///   - isSame: Whether both sides ran the same seeds and no others.
    /// - Returns: What changed; a gated figure that moved is judged with all others of the suite.
    func change(_ seeds: [PointComparison.SeedPair], isSame: Bool) -> FigureChange {
        let rows = seeds.map {
            (seed: $0.seed, before: rowBefore[$0.before], after: rowAfter[$0.after])
        }
        let harms = rows.map { row -> Int64? in
            guard let before = row.before, let after = row.after else { return nil }
            return harm(ofRun: before, after)
        }
        let worse = harms.filter { $0 ?? 0 > 0 }.count
        let better = harms.filter { $0 ?? 0 < 0 }.count
        let lost = rows.filter { $0.before != nil && $0.after == nil }.count
        let gained = rows.filter { $0.before == nil && $0.after != nil }.count
        let pair = isSame ? (before, after) : means(rows.map(\.before), rows.map(\.after))
        let interval = WilsonInterval(successes: Int64(worse), trials: Int64(worse + better))
        let moved = rows.indices.filter { rows[$0].before != rows[$0].after }
        let other = moved.filter { harms[$0] == 0 }.count
        // Means are figures of one run.
        let all = isSame ? pair : (pair.0.map(ofRunsLike), pair.1.map(ofRunsLike))
        let whole = all.0.flatMap { before in all.1.map { harm(before, $0) } } ?? 0
        let most = Self.most(of: moved, harms, whole: whole).map { rows[$0] }
        return FigureChange(
            metric: metric,
            figure: figure,
            unit: unit,
            rule: gates?.after.rule,
            limit: gates?.after.limit,
            file: gates?.after.file,
            line: gates?.after.line,
            basis: isSame ? .pooled : .meanOfSeeds,
            before: pair.0,
            after: pair.1,
            verdictBefore: isSame ? gates?.before.verdict : nil,
            verdictAfter: isSame ? gates?.after.verdict : nil,
            betterSeeds: better,
            worseSeeds: worse,
            equalSeeds: rows.count - moved.count,
            otherSeeds: other > 0 ? other : nil,
            lostSeeds: lost > 0 ? lost : nil,
            gainedSeeds: gained > 0 ? gained : nil,
            worseShare: interval.map {
                SeedShare(lower: $0.lowerPartsPerMillion, upper: $0.upperPartsPerMillion)
            },
            most: most.map { .init(seed: $0.seed, before: $0.before, after: $0.after) },
            limitShare: all.0.flatMap { before in
                all.1.flatMap { limitShare(harm(before, $0), from: before) }
            },
            judgement: judgement(all.0, all.1, isSame: isSame, isMoved: most != nil)
        )
    }

    /// Of what is worse the worst row, of what is better the best one; the first among equals.
    private static func most(of rows: [Int], _ harms: [Int64?], whole: Int64) -> Int? {
        rows.max { left, right in
            let (one, other) = (harms[left] ?? 0, harms[right] ?? 0)
            if whole == 0 { return (one.magnitude, right) < (other.magnitude, left) }
            return whole > 0 ? (one, right) < (other, left) : (-one, right) < (-other, left)
        }
    }

    /// The means of the seeds that have a figure on both sides; of those that have one if none has.
    private func means(_ before: [Int64?], _ after: [Int64?]) -> (Int64?, Int64?) {
        let both = zip(before, after).compactMap { one, other in
            one.flatMap { one in other.map { (one, $0) } }
        }
        func mean(_ values: [Int64]) -> Int64? {
            guard !values.isEmpty else { return nil }
            let count = Int64(values.count)
            // Dividing first keeps sums of any figures within 64 bits; the rests are added apart.
            return values.reduce(0) { $0 + $1 / count }
                + values.reduce(0) { $0 + $1 % count } / count
        }
        guard both.isEmpty else { return (mean(both.map(\.0)), mean(both.map(\.1))) }
        return (mean(before.compactMap(\.self)), mean(after.compactMap(\.self)))
    }

    private func judgement(
        _ before: Int64?,
        _ after: Int64?,
        isSame: Bool,
        isMoved: Bool
    ) -> FigureChange.Judgement {
        let isVerdictWorse =
            isSame
            && gates.map { $0.before.verdict < $0.after.verdict && !$0.after.isGreen } ?? false
        // More runs, or longer ones, could turn it back.
        let isTurnedOpen = isVerdictWorse && gates?.after.verdict == .undecided
        if isVerdictWorse, !isTurnedOpen { return .regression }
        guard let before, let after else {
            // What is gone keeps no limit, unless its gate says that it may be missing.
            if before != nil, after == nil, let gates, !gates.after.isGreen { return .regression }
            return before == after && !isMoved ? .same : .changed
        }
        if isTurnedOpen { return .undecided }
        let harm = harm(before, after)
        guard harm != 0 else { return before == after && !isMoved ? .same : .changed }
        return gates != nil ? .moved : harm < 0 ? .better : .worse
    }

    /// A harm as a share of what was left to the limit.
    private func limitShare(_ harm: Int64, from before: Int64) -> Int64? {
        guard let gate = gates?.after else { return nil }
        let slack = max(0, Int64(0).minus(gate.distance(of: before))).magnitude
        guard harm != 0 else { return 0 }
        var share: UInt64 = 1_000_000
        if slack > harm.magnitude {
            share = slack.dividingFullWidth(harm.magnitude.multipliedFullWidth(by: share)).quotient
        }
        return harm < 0 ? -Int64(share) : Int64(share)
    }
}

// MARK: - Finding pairs

extension FigurePair {
    /// The figures that both sides have: those of gates, then a few of each other metric.
    static func all(_ old: PointReport, _ new: PointReport) -> [FigurePair] {
        var pairs = new.gates.compactMap { FigurePair($0, of: new.runs.count, in: old) }
        for metric in new.metrics {
            guard let other = old.metric(named: metric.name), other.form == metric.form else {
                continue
            }
            let fresh = figures(other, metric).filter { pair in
                !pairs.contains { $0.metric == pair.metric && $0.figure == pair.figure }
            }
            pairs += fresh
        }
        return pairs
    }

    /// The figure of a gate; `nil` if the point before has none for it.
    private init?(_ gate: GateReport, of runCount: Int, in old: PointReport) {
        let others = old.gates.filter { $0.isOfSameFigure(as: gate) }
        // Two gates may bound one figure, from below and from above.
        guard let other = others.first(where: { $0.rule == gate.rule }) ?? others.first else {
            return nil
        }
        let direction: MetricDirection
        switch gate.comparison {
        case .atMost, .below, .equal: direction = .lower
        case .atLeast, .above: direction = .higher
        }
        self.init(
            metric: gate.metric,
            figure: gate.figure,
            unit: gate.unit,
            direction: direction,
            gates: (other, gate),
            before: other.value,
            after: gate.value,
            rowBefore: other.bySeed,
            rowAfter: gate.bySeed,
            runCount: runCount
        )
    }

    /// The figures of a metric that both sides have.
    private static func figures(_ old: MetricReport, _ new: MetricReport) -> [FigurePair] {
        var pairs: [FigurePair] = []
        for (figure, before, after, rowBefore, rowAfter) in [
            ("value", old.value, new.value, old.bySeed.value, new.bySeed.value),
            ("p50", old.figures?.p50, new.figures?.p50, old.bySeed.p50, new.bySeed.p50),
            ("p95", old.figures?.p95, new.figures?.p95, old.bySeed.p95, new.bySeed.p95),
            ("max", old.figures?.max, new.figures?.max, old.bySeed.max, new.bySeed.max),
        ] {
            guard let rowBefore, let rowAfter else { continue }
            pairs.append(
                FigurePair(
                    metric: new.name,
                    figure: figure,
                    unit: new.unit,
                    direction: new.direction,
                    gates: nil,
                    before: before,
                    after: after,
                    rowBefore: rowBefore,
                    rowAfter: rowAfter
                )
            )
        }
        return pairs
    }
}
