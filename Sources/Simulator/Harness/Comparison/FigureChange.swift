public import Evidence

/// One figure before and after, seed by seed under the same weather.
public struct FigureChange: Sendable, Equatable, Codable {
    /// The metric's name.
    public var metric: String
    /// The figure's name, such as `p95`.
    public var figure: String
    /// What it counts in.
    public var unit: MetricUnit
    /// The gate's rule, if a gate bounds it.
    public var rule: String?
    /// The gate's limit, if there is one.
    public var limit: Int64?
    /// The file and line of the gate, if there is one.
    public var file: String?
    /// The line of the gate in its file, from 1.
    public var line: Int?
    /// How the figure is taken over the seeds.
    public var basis: Basis
    /// The figure before, if there is one.
    public var before: Int64?
    /// The figure after, if there is one.
    public var after: Int64?
    /// The gate's verdict before, where both sides ran the same seeds.
    public var verdictBefore: Verdict?
    /// The gate's verdict after, where both sides ran the same seeds.
    public var verdictAfter: Verdict?
    /// In how many seeds it is better.
    public var betterSeeds: Int
    /// In how many seeds it is worse.
    public var worseSeeds: Int
    /// In how many seeds it is the same.
    public var equalSeeds: Int
    /// In how many seeds it differs, and neither way is better; `nil` if in none.
    public var otherSeeds: Int?
    /// In how many seeds there is no figure any more; `nil` if in none.
    public var lostSeeds: Int?
    /// In how many seeds there is a figure only now; `nil` if in none.
    public var gainedSeeds: Int?
    /// Between which shares, in parts per million, a change makes it worse in other seeds too: Wilson's
    /// interval, 95 %, of the sign test.
    public var worseShare: SeedShare?
    /// The seed in which it changed most.
    public var most: Most?
    /// What is said of it.
    public var judgement: Judgement

    /// How a figure is taken over the seeds.
    public enum Basis: String, Sendable, Codable, CaseIterable {
        /// Pooled over all runs, which are of the same seeds on both sides.
        case pooled
        /// The mean of the figures of each run alone, over the seeds that both sides ran.
        case meanOfSeeds = "mean-of-seeds"
    }

    /// What is said of a change.
    public enum Judgement: String, Sendable, Codable, CaseIterable {
        /// Nothing differs, in no seed.
        case same
        /// It differs, and neither way is better, or not over all seeds.
        case changed
        /// It is better.
        case better
        /// It is worse, but no gate bounds it, or not by more than the margin.
        case worse
        /// A gated figure is worse by more than the margin or is gone, or its verdict is worse.
        case regression
    }

    /// A seed with its figures.
    public struct Most: Sendable, Equatable, Codable {
        /// The seed.
        public var seed: UInt64
        /// The run's figure before.
        public var before: Int64?
        /// The run's figure after.
        public var after: Int64?
    }

    /// The figure before and after for people, in the scale of the limit where there is one.
    public var texts: (before: String, after: String) { (text(before), text(after)) }

    func text(_ value: Int64?) -> String {
        guard let value else { return "-" }
        return limit.map { unit.texts(value, limit: $0).value } ?? unit.text(value)
    }

    /// The difference for people, with its sign.
    public var difference: String {
        guard let before, let after else { return "-" }
        let sign = after > before ? "+" : after < before ? "−" : "±"
        return sign + unit.text(Int64(clamping: (after - before).magnitude))
    }

    /// How the seeds changed, such as `worse in 17 of 20 seeds, better in 1`.
    public var seedsText: String {
        let (other, lost, gained) = (otherSeeds ?? 0, lostSeeds ?? 0, gainedSeeds ?? 0)
        let judged = betterSeeds + worseSeeds
        let all = counted(judged + equalSeeds + other + lost + gained, "seed")
        guard judged + other + lost + gained > 0 else { return "the same in \(all)" }
        var parts = judged > 0 ? ["worse in \(worseSeeds)", "better in \(betterSeeds)"] : []
        if other > 0 { parts.append("neither better nor worse in \(other)") }
        if lost > 0 { parts.append("without a figure now in \(lost)") }
        if gained > 0 { parts.append("with a figure only now in \(gained)") }
        var text = "\(parts.joined(separator: ", ")) of \(all)"
        if let worseShare, judged > 1 {
            let unit = MetricUnit.partsPerMillion
            text += " (a change is worse in \(unit.text(worseShare.lower)) to "
            text += "\(unit.text(worseShare.upper)) of seeds)"
        }
        return text
    }
}

extension FigureChange {
    /// How far the figure moved, as a share of the greater of both; 1 if one side has none.
    var relativeDifference: Double {
        guard let before, let after else { return 1 }
        let greatest = max(before.magnitude, after.magnitude)
        guard greatest > 0 else { return 0 }
        return abs(Double(after) - Double(before)) / Double(greatest)
    }
}

/// Between which shares of seeds a change makes a figure worse, in parts per million.
public struct SeedShare: Sendable, Equatable, Codable {
    /// The lower end.
    public var lower: Int64
    /// The upper end.
    public var upper: Int64
}

/// What a figure is made of on one side, and which way is better.
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

    /// How much worse `after` is than `before`; negative if it is better, 0 where neither way is.
    private func harm(_ before: Int64, _ after: Int64) -> Int64 {
        if let gate = gates?.after, gate.comparison == .equal {
            return gate.distance(of: after) &- gate.distance(of: before)
        }
        switch direction {
        case .lower: return after &- before
        case .higher: return before &- after
        case .neutral: return 0
        }
    }

    /// Compares both sides.
    ///
    /// - Parameters:
    ///   - seeds: The seeds of both sides, with the index of each on either.
    ///   - isSame: Whether both sides ran the same seeds and no others.
    ///   - marginPartsPerMillion: How much worse, as a share of the figure before, is no regression.
    /// - Returns: What changed.
    func change(
        _ seeds: [PointComparison.SeedPair],
        isSame: Bool,
        marginPartsPerMillion: Int64
    ) -> FigureChange {
        let rows = seeds.map {
            (seed: $0.seed, before: rowBefore[$0.before], after: rowAfter[$0.after])
        }
        let harms = rows.map { row -> Int64? in
            guard let before = row.before, let after = row.after else { return nil }
            return harm(before, after)
        }
        let worse = harms.filter { $0 ?? 0 > 0 }.count
        let better = harms.filter { $0 ?? 0 < 0 }.count
        let lost = rows.filter { $0.before != nil && $0.after == nil }.count
        let gained = rows.filter { $0.before == nil && $0.after != nil }.count
        let pair = isSame ? (before, after) : means(rows.map(\.before), rows.map(\.after))
        let interval = WilsonInterval(successes: Int64(worse), trials: Int64(worse + better))
        let moved = rows.indices.filter { rows[$0].before != rows[$0].after }
        let other = moved.filter { harms[$0] == 0 }.count
        let whole = pair.0.flatMap { before in pair.1.map { harm(before, $0) } } ?? 0
        // Of what is worse the worst seed, of what is better the best one; the first among equals.
        let most = moved.max { left, right in
            let (one, other) = (harms[left] ?? 0, harms[right] ?? 0)
            if whole == 0 { return (one.magnitude, right) < (other.magnitude, left) }
            return whole > 0 ? (one, right) < (other, left) : (-one, right) < (-other, left)
        }.map { rows[$0] }
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
            judgement: judgement(
                pair.0,
                pair.1,
                isSame: isSame,
                isMoved: most != nil,
                marginPartsPerMillion: marginPartsPerMillion
            )
        )
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
        isMoved: Bool,
        marginPartsPerMillion: Int64
    ) -> FigureChange.Judgement {
        let isVerdictWorse =
            isSame
            && gates.map { $0.before.verdict < $0.after.verdict && !$0.after.isGreen } ?? false
        if isVerdictWorse { return .regression }
        guard let before, let after else {
            // What is gone keeps no limit, unless its gate says that it may be missing.
            if before != nil, after == nil, let gates, !gates.after.isGreen { return .regression }
            return before == after && !isMoved ? .same : .changed
        }
        let harm = harm(before, after)
        guard harm > 0 else {
            return harm < 0 ? .better : before == after && !isMoved ? .same : .changed
        }
        let product = before.magnitude.multipliedFullWidth(by: UInt64(marginPartsPerMillion))
        let margin = UInt64(1_000_000).dividingFullWidth(
            product.high < 1_000_000 ? product : (high: 999_999, low: .max)
        ).quotient
        return gates != nil && harm.magnitude > margin ? .regression : .worse
    }
}
