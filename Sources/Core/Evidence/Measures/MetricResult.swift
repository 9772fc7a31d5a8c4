/// What a metric found in one run, or in several pooled ones.
public struct MetricResult: Sendable, Equatable, Codable {
    /// The metric's name, as in `Systems.metrics`.
    public var name: String
    /// What the value counts in; parts per million for proportions.
    public var unit: MetricUnit
    /// Which way is better.
    public var direction: MetricDirection
    /// The finding.
    public var value: MetricValue
    /// Where the least and the greatest of it arose.
    public var extremes: SampleExtremes
    /// How many occasions there were, and what became of those that gave no sample.
    public var occasions: Occasions

    /// Makes a result; of as many occasions as there are samples, unless it is said.
    public init(
        name: String,
        unit: MetricUnit,
        direction: MetricDirection = .lower,
        value: MetricValue,
        extremes: SampleExtremes = SampleExtremes(),
        occasions: Occasions? = nil
    ) {
        self.name = name
        self.unit = unit
        self.direction = direction
        self.value = value
        self.extremes = extremes
        var counted = Occasions()
        counted.count = value.samples
        self.occasions = occasions ?? counted
    }

    /// Makes a metric's result.
    package init(
        _ metric: MetricDescription,
        _ value: MetricValue,
        _ extremes: SampleExtremes,
        _ occasions: Occasions
    ) {
        self.init(
            name: metric.name,
            unit: metric.unit,
            direction: metric.direction,
            value: value,
            extremes: extremes,
            occasions: occasions
        )
    }

    /// How many observations stand behind it.
    public var samples: Int { value.samples }
    /// The worst sample, if there is any.
    public var worst: LocatedSample? { extremes.worst(direction) }

    /// Pools with another run's result of the same metric.
    public mutating func merge(_ other: MetricResult) {
        precondition(name == other.name, "\(name) cannot be pooled with \(other.name)")
        value.merge(other.value)
        extremes.merge(other.extremes)
        occasions.merge(other.occasions)
    }
}

/// The forms that a finding can take.
public enum MetricValue: Sendable, Equatable, Codable {
    /// Samples with quantiles.
    case distribution(Distribution)
    /// A part of a whole: of frames, of time.
    case proportion(Proportion)
    /// A sum of things.
    case count(Tally)

    /// How many observations stand behind it.
    public var samples: Int {
        switch self {
        case .distribution(let distribution): distribution.count
        case .proportion(let proportion): proportion.samples
        case .count(let tally): tally.samples
        }
    }

    /// The form without its content.
    public var form: MetricForm {
        switch self {
        case .distribution: .distribution
        case .proportion: .proportion
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
        case (.count(var mine), .count(let theirs)):
            mine.merge(theirs)
            self = .count(mine)
        default:
            preconditionFailure("a \(form) cannot be pooled with a \(other.form)")
        }
    }
}
