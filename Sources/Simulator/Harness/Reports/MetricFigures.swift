import Evidence

/// The figures of one metric in one run, in whole units.
public struct MetricFigures: Sendable, Encodable {
    /// The metric's name.
    public var name: String
    var unit: String
    var samples: Int
    var value: Int64?
    var minimum: Int64?
    var mean: Int64?
    var p50: Int64?
    var p95: Int64?
    var p99: Int64?
    var maximum: Int64?

    enum CodingKeys: String, CodingKey {
        case unit, samples, value, mean, p50, p95, p99
        case minimum = "min"
        case maximum = "max"
    }

    /// Figures keyed by their metrics' names, as reports hold them.
    static func byName(_ figures: [MetricFigures]) -> [String: MetricFigures] {
        Dictionary(uniqueKeysWithValues: figures.map { ($0.name, $0) })
    }

    init(_ result: MetricResult) {
        name = result.name
        unit = result.unit.rawValue
        samples = result.samples
        switch result.value {
        case .distribution(let distribution):
            minimum = distribution.minimum
            mean = distribution.mean
            p50 = distribution.quantile(perMille: 500)
            p95 = distribution.quantile(perMille: 950)
            p99 = distribution.quantile(perMille: 990)
            maximum = distribution.maximum
        case .proportion(let share), .successRate(let share):
            value = share.partsPerMillion(roundedUp: true)
        case .count(let tally):
            value = tally.total
        }
    }
}
