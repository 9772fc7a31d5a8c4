extension Gate {
    /// The rule for people, such as `p95 <= 120ms` or `value <= 0.5% (warn <= 0.3%)`.
    public var ruleText: String {
        let unit = statistic.unit(of: metricUnit)
        var rule =
            "\(statistic.text(of: metricUnit)) \(comparison.rawValue) \(unit.exactText(written.limit))"
        if let warningLimit = written.warning {
            rule += " (warn \(comparison.rawValue) \(unit.exactText(warningLimit)))"
        }
        if let scope { rule += " \(scope.text)" }
        if let confidence {
            rule += " with \(MetricUnit.percentOfConfidence(confidence))% confidence"
        }
        return rule
    }

    /// The unit of `limit`: that of the statistic of the metric.
    public var unit: MetricUnit { statistic.unit(of: metricUnit) }
}

extension Statistic {
    /// What the statistic counts in, of a metric whose value counts in `unit`.
    public func unit(of unit: MetricUnit) -> MetricUnit {
        switch self {
        case .count: .count
        case .shareAbove: .partsPerMillion
        case .quantile, .maximum, .minimum, .mean, .value: unit
        }
    }

    /// The statistic's name: `p95`, `p99.9`, `max`, `share above 20ms`.
    public func text(of unit: MetricUnit) -> String {
        switch self {
        case .quantile(let perMille):
            perMille.isMultiple(of: 10) ? "p\(perMille / 10)" : "p\(perMille / 10).\(perMille % 10)"
        case .maximum: "max"
        case .minimum: "min"
        case .mean: "mean"
        case .value: "value"
        case .count: "count"
        case .shareAbove(let limit): "share above \(unit.exactText(limit))"
        }
    }
}

extension Comparison {
    /// Whether `value` lies on the right side of `limit`.
    public func holds(_ value: Int64, _ limit: Int64) -> Bool {
        switch self {
        case .atMost: value <= limit
        case .below: value < limit
        case .atLeast: value >= limit
        case .above: value > limit
        case .equal: value == limit
        }
    }
}
