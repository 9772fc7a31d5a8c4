/// What a metric found in one run, or in several pooled ones.
public struct MetricResult: Sendable, Equatable, Codable {
    /// The metric's name, as in `MetricCatalog`.
    public var name: String
    /// What the value counts in; parts per million for proportions.
    public var unit: MetricUnit
    /// The finding.
    public var value: MetricValue

    /// Makes a result.
    public init(name: String, unit: MetricUnit, value: MetricValue) {
        self.name = name
        self.unit = unit
        self.value = value
    }

    /// How many observations stand behind it.
    public var samples: Int { value.samples }

    /// Pools with another run's result of the same metric.
    public mutating func merge(_ other: MetricResult) {
        precondition(name == other.name, "\(name) cannot be pooled with \(other.name)")
        value.merge(other.value)
    }
}

/// The forms that a finding can take.
public enum MetricValue: Sendable, Equatable, Codable {
    /// Samples with quantiles.
    case distribution(Distribution)
    /// A part of a whole: of frames, of time.
    case proportion(Proportion)
    /// Successes among runs, each run one trial: judged by its interval, not by its point.
    case successRate(Proportion)
    /// A sum of things.
    case count(Tally)

    /// How many observations stand behind it.
    public var samples: Int {
        switch self {
        case .distribution(let distribution): distribution.count
        case .proportion(let proportion), .successRate(let proportion): proportion.samples
        case .count(let tally): tally.samples
        }
    }

    /// The form without its content.
    public var form: MetricForm {
        switch self {
        case .distribution: .distribution
        case .proportion: .proportion
        case .successRate: .successRate
        case .count: .count
        }
    }

    /// Pools with another finding of the same form.
    public mutating func merge(_ other: MetricValue) {
        switch (self, other) {
        case (.distribution(var mine), .distribution(let theirs)):
            // Let go of the shared storage first, so that merging does not copy it.
            self = .count(Tally())
            mine.merge(theirs)
            self = .distribution(mine)
        case (.proportion(var mine), .proportion(let theirs)):
            mine.merge(theirs)
            self = .proportion(mine)
        case (.successRate(var mine), .successRate(let theirs)):
            mine.merge(theirs)
            self = .successRate(mine)
        case (.count(var mine), .count(let theirs)):
            mine.merge(theirs)
            self = .count(mine)
        default:
            preconditionFailure("a \(form) cannot be pooled with a \(other.form)")
        }
    }
}

/// The forms of findings, for the catalogue.
public enum MetricForm: String, Sendable, Hashable, CaseIterable, Codable {
    /// Samples with quantiles.
    case distribution
    /// A part of a whole.
    case proportion
    /// Successes among runs.
    case successRate = "success-rate"
    /// A sum of things.
    case count

    /// Whether `statistic` can be computed from a finding of this form.
    public func offers(_ statistic: Statistic) -> Bool {
        switch (self, statistic) {
        case (_, .count): true
        case (.distribution, .value): false
        case (.distribution, _): true
        case (_, .value): true
        case (_, _): false
        }
    }
}
