public import KodamaEvidence

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
    /// The share of seeds that a change makes worse, in parts per million, with other seeds too: Wilson's
    /// interval, 95 %, of the sign test.
    public var worseShare: SeedShare?
    /// The seed in which it changed most.
    public var most: Most?
    /// How much of the distance between the figure before and its limit the change takes, in parts per
    /// million, all of it at most; negative if it is better, `nil` without a gate or a figure.
    public var limitShare: Int64?
    /// What is said of it.
    public var judgement: Judgement

    /// How a figure is taken over the seeds.
    public enum Basis: String, Sendable, Codable, CaseIterable {
        /// Pooled over all runs, which are of the same seeds on both sides.
        case pooled
        /// The mean of the figures of each run alone, over the seeds that both sides ran.
        case meanOfSeeds = "mean-of-seeds"
    }

    /// The judgement of a change.
    public enum Judgement: String, Sendable, Codable, CaseIterable {
        /// No seed differs.
        case same
        /// It differs, and neither way is better, or not over all seeds.
        case changed
        /// It is better.
        case better
        /// It is worse, and no gate bounds it.
        case worse
        /// A gated figure differs, and is not significantly better, nor worse by more than the margin.
        case moved
        /// A gated figure is worse by more than the margin, over too few seeds to tell that from chance, or
        /// its verdict, which was better, is undecided.
        case undecided
        /// A gated figure is significantly worse by more than the margin or is gone, or its verdict is
        /// worse.
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
        return sign + unit.text(Int64(clamping: after.minus(before).magnitude))
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
    /// Whether the gate is undecided now, and was not before.
    var isTurnedOpen: Bool {
        judgement == .undecided && verdictAfter == .undecided && verdictBefore != .undecided
    }

    /// How far the figure moved, as a share of the greater of both; 1 if one side has none.
    var relativeDifference: Double {
        guard let before, let after else { return 1 }
        let greatest = max(before.magnitude, after.magnitude)
        guard greatest > 0 else { return 0 }
        return abs(Double(after) - Double(before)) / Double(greatest)
    }
}

extension Int64 {
    /// The difference, or the nearest one that has an opposite.
    func minus(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        guard overflows else { return Swift.max(difference, -Int64.max) }
        return self < other ? -Int64.max : Int64.max
    }

    /// The sum, or the end of the range beyond which it lies.
    func plus(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The product, or the end of the range beyond which it lies: a file says what is multiplied.
    func times(_ other: Int64) -> Int64 {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        guard overflows else { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }
}

/// An interval for the share of seeds in which a change makes a figure worse, in parts per million.
public struct SeedShare: Sendable, Equatable, Codable {
    /// The lower end.
    public var lower: Int64
    /// The upper end.
    public var upper: Int64
}
