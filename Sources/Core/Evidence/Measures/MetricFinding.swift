/// What a metric's findings are kept in: a `Distribution`, a `Proportion` or a `Tally`.
public protocol MetricFinding: Sendable {
    /// The finding of no observation.
    static func nothing(of metric: MetricDescription) -> Self

    /// Adds an observation.
    mutating func add(_ observation: Observation)

    /// Keeps where an observation arose if it is extreme.
    func look(
        at observation: Observation,
        _ occurrence: () -> Occurrence,
        _ extremes: inout ExtremeOccurrences
    )

    /// The finding in its form.
    var value: MetricValue { get }
}

extension Distribution: MetricFinding {
    /// No sample.
    public static func nothing(of metric: MetricDescription) -> Distribution {
        Distribution(resolution: metric.resolution ?? 1)
    }

    /// Counts a sample.
    public mutating func add(_ observation: Observation) { add(observation.amount) }

    /// Keeps where a sample arose if it is extreme.
    public func look(
        at observation: Observation,
        _ occurrence: () -> Occurrence,
        _ extremes: inout ExtremeOccurrences
    ) {
        extremes.observe(observation.amount, at: occurrence)
    }

    /// Samples with quantiles.
    public var value: MetricValue { .distribution(self) }
}

extension Proportion: MetricFinding {
    /// A part of nothing.
    public static func nothing(of metric: MetricDescription) -> Proportion { Proportion() }

    /// Adds a part of a whole.
    public mutating func add(_ observation: Observation) {
        numerator += observation.amount
        denominator += observation.whole
        samples += observation.samples
    }

    /// Keeps where a part arose if it is extreme.
    public func look(
        at observation: Observation,
        _ occurrence: () -> Occurrence,
        _ extremes: inout ExtremeOccurrences
    ) {
        extremes.observe(observation.amount, of: observation.whole, at: occurrence)
    }

    /// A part of a whole.
    public var value: MetricValue { .proportion(self) }
}

extension Tally: MetricFinding {
    /// A sum of nothing.
    public static func nothing(of metric: MetricDescription) -> Tally { Tally() }

    /// Adds an amount.
    public mutating func add(_ observation: Observation) {
        total += observation.amount
        samples += observation.samples
    }

    /// Keeps where an amount arose if it is extreme.
    public func look(
        at observation: Observation,
        _ occurrence: () -> Occurrence,
        _ extremes: inout ExtremeOccurrences
    ) {
        extremes.observe(amount: observation.amount, at: occurrence)
    }

    /// A sum of things.
    public var value: MetricValue { .count(self) }
}
