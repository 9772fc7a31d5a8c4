public import KodamaEvidence

/// A figure by which settings are weighed against each other, such as `session.recovery.time:p95`.
public struct Objective: Sendable, Equatable {
    /// The metric.
    public let metric: MetricDescription
    /// Which of its figures.
    public let statistic: Statistic

    /// What is wrong with a text that names no objective, in a sentence.
    public struct Mistake: Error, Equatable, CustomStringConvertible {
        /// The sentence.
        public var description: String
    }

    /// Reads a metric's name, a colon and a statistic as gates write it.
    ///
    /// - Parameters:
    ///   - text: Such as `session.recovery.time:p95` or `voice.mouth_to_ear.time:share_above 150ms`.
    ///   - metrics: The metrics that there are.
    /// - Throws: `Mistake`.
    public init(_ text: String, among metrics: [MetricDescription]) throws(Mistake) {
        guard let colon = text.firstIndex(of: ":") else {
            let name = text.isEmpty ? "NAME" : text
            throw Mistake(description: "write a metric and a figure of it, such as \(name):p95")
        }
        let name = String(text[..<colon])
        guard let metric = metrics.first(where: { $0.name == name }) else {
            let hint = Suggestion.nearest(to: name, among: metrics.map(\.name))
                .map { "; did you mean '\($0)'?" }
            throw Mistake(
                description:
                    "there is no metric '\(name)'\(hint ?? "; 'kodama list metrics' lists them")"
            )
        }
        let key = String(text[text.index(after: colon)...])
        guard let statistic = Self.statistic(key, of: metric), metric.offers(statistic) else {
            let offered = StatisticName.offered(by: metric).joined(separator: ", ")
            throw Mistake(
                description: "'\(name)' has no figure '\(key)'; it has \(offered)"
            )
        }
        self.metric = metric
        self.statistic = statistic
    }

    private static func statistic(_ key: String, of metric: MetricDescription) -> Statistic? {
        switch StatisticName.parse(key) {
        case .known(let statistic): statistic
        case .shareAbove(let text):
            (try? PlanBuilder.amount(text, in: metric.unit)).flatMap { threshold in
                threshold.isMultiple(of: metric.resolution ?? 1) ? .shareAbove(threshold) : nil
            }
        case nil: nil
        }
    }

    /// The figure's name, such as `p95`.
    public var figure: String { statistic.text(of: metric.unit) }

    /// What it counts in.
    public var unit: MetricUnit { statistic.unit(of: metric.unit) }

    /// A gate that no figure misses: judging it gives the figure, its interval and its value in each run.
    public var measuringGate: Gate {
        var gate = Gate(
            metric: metric.name,
            in: metric.unit,
            statistic: statistic,
            comparison: .atMost,
            limit: .max
        )
        gate.allowsNoData = true
        gate.allowsCensored = true
        return gate
    }
}
