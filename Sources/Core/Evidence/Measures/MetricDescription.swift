/// What a metric is called and what it means.
public struct MetricDescription: Sendable, Equatable {
    /// The name in scenarios and reports.
    public var name: String
    /// What its value counts in; parts per million for proportions.
    public var unit: MetricUnit
    /// The form of its findings.
    public var form: MetricForm
    /// Which way is better.
    public var direction: MetricDirection
    /// What exactly is measured, and when a sample arises.
    public var meaning: String
    /// The requirement ids and outside sources that ask for it.
    public var source: String
    /// When its occasions end.
    public var occasions: OccasionKind
    /// The reasons for which an occasion may give no sample; none has to do with how great it is.
    public var exclusions: [String]

    package init(
        name: String,
        unit: MetricUnit,
        form: MetricForm,
        direction: MetricDirection,
        meaning: String,
        source: String,
        occasions: OccasionKind = .lasting,
        exclusions: [String] = []
    ) {
        self.name = name
        self.unit = unit
        self.form = form
        self.direction = direction
        self.meaning = meaning
        self.source = source
        self.occasions = occasions
        self.exclusions = exclusions
    }

    /// Whether `statistic` can be asked of it.
    public func offers(_ statistic: Statistic) -> Bool {
        form.offers(statistic)
    }

    /// The width of a fine bucket of its distributions; `nil` if it has none.
    public var resolution: Int64? {
        guard form == .distribution else { return nil }
        return unit == .nanoseconds ? Distribution.timeResolution : 1
    }
}

/// Which way a metric is better.
public enum MetricDirection: String, Sendable, Hashable, CaseIterable, Codable {
    /// Less is better.
    case lower
    /// More is better.
    case higher
    /// Neither: the figure is for information.
    case neutral
}
