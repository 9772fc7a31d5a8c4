public import Evidence
public import Simulation

/// The names that scenarios may use but that are defined elsewhere.
public struct ScenarioVocabulary: Sendable {
    /// The named links.
    public var profiles: [LinkProfile]
    /// What can be measured.
    public var metrics: [MetricTerm]
    /// The names of what must hold at every record.
    public var invariants: [String]
    /// The kinds of trace records.
    public var eventKinds: [String]
    /// The ids of the requirements.
    public var requirements: [String]
    /// The names of the recorded voices.
    public var voices: [String]
    /// What can be tuned.
    public var parameters: ParameterCatalog

    /// Gathers names.
    public init(
        profiles: [LinkProfile],
        metrics: [MetricTerm],
        invariants: [String],
        eventKinds: [String] = TraceKind.descriptions.map(\.name),
        requirements: [String],
        voices: [String],
        parameters: ParameterCatalog = .intercom
    ) {
        self.profiles = profiles
        self.metrics = metrics
        self.invariants = invariants
        self.eventKinds = eventKinds
        self.requirements = requirements
        self.voices = voices
        self.parameters = parameters
    }
}

/// A metric as scenarios see it.
public struct MetricTerm: Sendable, Equatable {
    /// The name, such as `voice.mouth_to_ear.time`.
    public var name: String
    /// What it counts in.
    public var unit: MetricUnit
    /// Which statistics it offers.
    public var statistics: Statistics
    /// What it measures, in one sentence.
    public var summary: String

    /// Describes a metric.
    public init(_ name: String, _ unit: MetricUnit, _ statistics: Statistics, summary: String = "")
    {
        self.name = name
        self.unit = unit
        self.statistics = statistics
        self.summary = summary
    }

    /// The statistics that a metric offers.
    public struct Statistics: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Makes a set from its bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The one number that the metric gives.
        public static let value = Statistics(rawValue: 1)
        /// Everything that is computed from samples: quantiles, extremes, mean, count, shares.
        public static let samples = Statistics(rawValue: 2)
    }

    /// Whether it offers a statistic.
    func offers(_ statistic: Statistic) -> Bool {
        switch statistic {
        case .value: statistics.contains(.value)
        default: statistics.contains(.samples)
        }
    }

    /// What it offers, for messages.
    var offered: [String] {
        StatisticName.common.filter { name in
            guard case .known(let statistic) = StatisticName.parse(name) else {
                return statistics.contains(.samples)
            }
            return offers(statistic)
        }
    }
}
