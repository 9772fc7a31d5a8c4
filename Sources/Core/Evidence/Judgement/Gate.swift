/// A bound on one figure: what a scenario expects.
public struct Gate: Sendable, Equatable, Codable {
    /// The metric's name, as in `Systems.metrics`.
    public var metric: String
    /// What the metric's own value counts in.
    public var metricUnit: MetricUnit
    /// Which figure of the metric is bounded.
    public var statistic: Statistic
    /// On which side of the limit the figure must lie.
    public var comparison: Comparison
    /// The limit, in the unit of the statistic (`Statistic.unit(of:)`).
    public var limit: Int64
    /// A stricter limit that only warns, if any.
    public var warningLimit: Int64?
    /// Which of the metric's samples are bounded, if not all of them.
    public var scope: GateScope?
    /// How sure it must be that the true figure keeps the limit, in parts per million, if the figure of
    /// these runs is not enough.
    public var confidence: Int64?
    /// How many samples the figure needs to count; fewer leave it undecided, none gives no-data.
    public var minimumSamples: Int = 1
    /// Whether no-data passes.
    public var allowsNoData: Bool = false
    /// Whether what was open at the end counts by its least alone, however great it may have become.
    public var allowsCensored: Bool = false
    /// The requirement ids that this gate shows.
    public var covers: [String] = []
    /// What the scenario asked for, where another number of seeds is run.
    public private(set) var plan: Plan?

    /// Makes a gate.
    public init(
        metric: String,
        in unit: MetricUnit,
        statistic: Statistic,
        comparison: Comparison,
        limit: Int64
    ) {
        self.metric = metric
        metricUnit = unit
        self.statistic = statistic
        self.comparison = comparison
        self.limit = limit
    }
}

extension Gate {
    /// What a gate was written for, where another number of seeds is run.
    public struct Plan: Sendable, Equatable, Codable {
        /// How many seeds its scenario asks for.
        public var seeds: Int
        /// Whether fewer are run.
        public var isPart: Bool
        /// Whether only that fails which all seeds would fail as well.
        public var isQuick: Bool
        /// How many samples are needed of so few seeds; `nil` if as many as of all.
        public var samples: Int?
        /// The limit of a sum over all seeds; `nil` if the limit does not grow with their number.
        public var sum: Int64?
        /// The limit that warns of such a sum.
        fileprivate var warningSum: Int64?
    }

    /// The gate over another number of seeds than its scenario asks for.
    ///
    /// A sum means per run what it means per run there. Where that is no whole number, the limit gives way. Of a
    /// quick run a part of the samples is needed, as of the seeds.
    ///
    /// - Parameters:
    ///   - count: How many seeds are run.
    ///   - planned: How many the scenario asks for.
    ///   - form: The metric's form, if it is known.
    ///   - isQuick: Whether only that fails which all seeds would fail as well.
    ///   - scalesSamples: Whether fewer seeds need fewer samples in proportion, and no interval.
    /// - Returns: The gate; the same where the number is no other.
    public func running(
        _ count: Int,
        of planned: Int,
        form: MetricForm?,
        isQuick: Bool,
        scalesSamples: Bool = false
    ) -> Gate {
        guard count != planned, count > 0, planned > 0 else { return self }
        var gate = self
        (gate.limit, gate.warningLimit) = written
        let (limit, warningLimit) = written
        let grows = isSum(of: form) && limit != 0
        gate.plan = Plan(
            seeds: planned,
            isPart: count < planned,
            isQuick: isQuick,
            samples: scalesSamples && count < planned ? part(count, of: planned) : nil,
            sum: grows ? limit : nil,
            warningSum: grows ? warningLimit : nil
        )
        guard grows else { return gate }
        func share(_ limit: Int64) -> Int64 {
            let (high, low) = limit.magnitude.multipliedFullWidth(by: UInt64(count))
            guard high < UInt64(planned) else { return limit < 0 ? .min : .max }
            let (whole, rest) = UInt64(planned).dividingFullWidth((high, low))
            let isUp = rest > 0 && (comparison == .atMost || comparison == .below)
            return (limit < 0 ? -1 : 1) * Int64(clamping: isUp ? whole + 1 : whole)
        }
        gate.limit = share(limit)
        gate.warningLimit = warningLimit.map(share)
        return gate
    }

    /// How many of the samples that all seeds need some of them need: one at least.
    private func part(_ count: Int, of planned: Int) -> Int {
        let (high, low) = minimumSamples.multipliedFullWidth(by: count)
        return max(1, planned.dividingFullWidth((high, low)).quotient)
    }

    /// How many samples are needed of the seeds that are run.
    package var neededSamples: Int { plan?.samples ?? minimumSamples }

    /// Whether the figure of a metric of this form is a sum over all runs.
    func isSum(of form: MetricForm?) -> Bool {
        statistic == .count || statistic == .value && form == .count
    }

    /// Whether a run's own figure misses what each of the planned seeds adds on average to a sum, unrounded.
    ///
    /// One run proves nothing against a sum of all; where the sum is missed, this tells the runs that miss it.
    package func missesShare(_ value: Int64) -> Bool {
        guard let plan, let sum = plan.sum else { return false }
        let (all, overflows) = value.multipliedReportingOverflow(by: Int64(plan.seeds))
        return !comparison.holds(overflows ? (value < 0 ? .min : .max) : all, sum)
    }

    /// The limits as the scenario has them.
    var written: (limit: Int64, warning: Int64?) {
        plan?.sum.map { ($0, plan?.warningSum) } ?? (limit, warningLimit)
    }
}

/// A figure computed from a metric's samples, by nearest rank where a rank is asked.
public enum Statistic: Sendable, Hashable, Codable {
    /// The quantile at so many thousandths: `p95` is 950, `p99.9` is 999.
    case quantile(perMille: Int)
    /// The greatest sample.
    case maximum
    /// The least sample.
    case minimum
    /// The mean, rounded towards zero.
    case mean
    /// The one number that a counting or proportional metric gives.
    case value
    /// How many samples there are; what was open at the end is none, and may have become one.
    case count
    /// The share of samples above so much, in parts per million.
    case shareAbove(Int64)
}

/// On which side of a limit a figure must lie.
public enum Comparison: String, Sendable, Hashable, CaseIterable, Codable {
    /// At the limit or below.
    case atMost = "<="
    /// Below the limit.
    case below = "<"
    /// At the limit or above.
    case atLeast = ">="
    /// Above the limit.
    case above = ">"
    /// At the limit.
    case equal = "=="
}

/// What a metric counts in.
public enum MetricUnit: String, Sendable, Hashable, CaseIterable, Codable {
    /// Time.
    case nanoseconds = "ns"
    /// Shares.
    case partsPerMillion = "ppm"
    /// Things, or what the metric's name says, such as millijoules.
    case count
    /// Data.
    case bytes
    /// Mean opinion scores in thousandths.
    case thousandthsMOS = "mMOS"
}
