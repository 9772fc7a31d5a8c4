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
    /// How many samples there are.
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
