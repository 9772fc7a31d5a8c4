import KodamaEvidence

/// How statistics are written as keys: `p95`, `max`, `share_above 20ms`.
enum StatisticName {
    /// The usual ones, for messages.
    static let common = [
        "p50", "p95", "p99", "p99.9", "min", "max", "mean", "value", "count", "share_above 20ms",
    ]

    /// The rule as a regular expression, for the schema.
    static let pattern =
        "^(p(0\\.[1-9]|[1-9][0-9]?(\\.[1-9])?)|min|max|mean|value|count|share_above [0-9].*)$"

    /// A statistic whose threshold is still text.
    enum Parsed: Equatable {
        case known(Statistic)
        case shareAbove(String)
    }

    /// The prefix of the statistic with a threshold.
    static let shareAbove = "share_above "

    /// The usual ones that a metric offers, for messages: a threshold is of the metric's own unit.
    static func offered(by metric: MetricDescription) -> [String] {
        common.compactMap { name in
            switch parse(name) {
            case .known(let statistic): metric.offers(statistic) ? name : nil
            case .shareAbove:
                metric.offers(.shareAbove(0)) ? shareAbove + threshold(in: metric.unit) : nil
            case nil: nil
            }
        }
    }

    /// A threshold as one may be written.
    private static func threshold(in unit: MetricUnit) -> String {
        switch unit {
        case .nanoseconds: "20ms"
        case .partsPerMillion: "20%"
        case .count: "2"
        case .bytes: "1kB"
        case .thousandthsMOS: "3"
        }
    }

    /// Reads the key of a statistic; `nil` if it is none.
    static func parse(_ key: String) -> Parsed? {
        switch key {
        case "min": return .known(.minimum)
        case "max": return .known(.maximum)
        case "mean": return .known(.mean)
        case "value": return .known(.value)
        case "count": return .known(.count)
        default: break
        }
        if key.hasPrefix(shareAbove) {
            return .shareAbove(String(key.dropFirst(shareAbove.count)))
        }
        guard key.first == "p", let number = try? ExactDecimal(key.dropFirst()),
            let perMille = try? number.scaled(by: 10), (1...999).contains(perMille)
        else { return nil }
        return .known(.quantile(perMille: Int(perMille)))
    }
}
