/// Every metric that can be gated, charted or compared.
public enum MetricCatalog {
    /// All metrics, in the order in which reports list them.
    public static let all: [MetricDescription] = voice + session

    /// The metric called `name`, if there is one.
    public static func metric(named name: String) -> MetricDescription? {
        all.first { $0.name == name }
    }
}

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

    /// Whether `statistic` can be asked of it.
    public func offers(_ statistic: Statistic) -> Bool {
        form.offers(statistic)
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

extension MetricCatalog {
    /// What is wrong with a gate, in a sentence for people; `nil` if it can be judged.
    public static func problem(with gate: Gate) -> String? {
        guard let metric = metric(named: gate.metric) else {
            return "no metric is called '\(gate.metric)'"
        }
        guard metric.offers(gate.statistic) else {
            let figure = gate.statistic.text(of: metric.unit)
            return "'\(gate.metric)' is a \(metric.form.rawValue) and has no '\(figure)'"
        }
        if case .shareAbove(let limit) = gate.statistic,
            let resolution = metric.resolution, limit % resolution != 0 || limit < 0
        {
            let step = metric.unit.exactText(resolution)
            return "a share above a limit is exact only at multiples of \(step)"
        }
        return nil
    }
}

extension MetricDescription {
    /// The width of a fine bucket of its distributions; `nil` if it has none.
    public var resolution: Int64? {
        guard form == .distribution else { return nil }
        return unit == .nanoseconds ? Distribution.timeResolution : 1
    }
}
