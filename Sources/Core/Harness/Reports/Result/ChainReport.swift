import KodamaEvidence

/// A chain of shares over all runs of a point: how many came in at each link, and how many it kept.
public struct ChainReport: Sendable, Equatable, Codable {
    /// What runs through the chain, in the plural, such as `mornings`.
    public var name: String
    /// The links that something came to, from the first one.
    public var links: [Share]
    /// What all links multiply to.
    public var whole: Share
    /// The same as the app's own analytics would show it; `nil` if they have nothing.
    public var known: Share?

    /// A part of a whole, as exact numbers and as a share.
    public struct Share: Sendable, Equatable, Codable {
        /// What it is called.
        public var name: String
        /// The metric that measures it.
        public var metric: String
        /// How many it kept.
        public var part: Int64
        /// Of how many.
        public var whole: Int64
        /// The share in parts per million, rounded down.
        public var value: Int64
        /// Between which values the true share lies, if the runs say so.
        public var interval: GateReport.Interval?

        /// Reads it from the runs; `nil` without a sample.
        init?(_ link: MetricChain.Link, _ outcome: PointOutcome) {
            let metrics = outcome.judgement.metrics
            guard let index = metrics.firstIndex(where: { $0.name == link.metric }),
                case .proportion(let share) = metrics[index].value,
                let value = share.partsPerMillion(roundedUp: false)
            else { return nil }
            name = link.name
            metric = link.metric
            (part, whole) = (share.numerator, share.denominator)
            self.value = value
            func column(_ figure: MetricColumn.Figure) -> Int? {
                outcome.columns.firstIndex(of: MetricColumn(metric: index, figure: figure))
            }
            guard let parts = column(.part), let wholes = column(.whole) else { return }
            let runs = outcome.rows.map { row in
                let share = Proportion(
                    numerator: row.figure(parts) ?? 0,
                    denominator: row.figure(wholes) ?? 0
                )
                return RunPart(seed: row.seed, .proportion(share))
            }
            let estimate = IntervalEstimate(runs, confidence: Gate.usualConfidence)
            interval = estimate.share(share).map {
                GateReport.Interval(lower: $0.lower, upper: $0.upper, confidence: $0.confidence)
            }
        }
    }

    /// Reads a chain from the runs of a point; `nil` if nothing came to its first link.
    init?(_ chain: MetricChain, _ outcome: PointOutcome) {
        guard let whole = Share(chain.whole, outcome) else { return nil }
        let links = chain.links.map { Share($0, outcome) }.prefix { $0 != nil }
        guard !links.isEmpty else { return nil }
        name = chain.name
        self.links = links.compactMap(\.self)
        self.whole = whole
        known = chain.known.flatMap { Share($0, outcome) }
    }

    /// Whether each link counts what the one before it kept, and all of them multiply to the whole.
    public var multiplies: Bool {
        guard let first = links.first, let last = links.last else { return false }
        return zip(links, links.dropFirst()).allSatisfy { $0.part == $1.whole }
            && first.whole == whole.whole && last.part == whole.part
    }

    /// Which part of all that came to the first link was lost at a link, in parts per million, rounded down.
    func lost(at link: Share) -> Int64 {
        let lost = min(max(0, link.lost), max(0, whole.whole))
        let share = Proportion(numerator: lost, denominator: whole.whole)
        return share.partsPerMillion(roundedUp: false) ?? 0
    }

    /// What the app's own share hides, in a sentence; `nil` if the app has none.
    var gapSentence: String? {
        guard let known else { return nil }
        let unit = MetricUnit.partsPerMillion
        return "the app's own analytics show \(unit.text(known.value)) of \(known.whole) \(name), "
            + "where \(unit.text(whole.value)) of \(whole.whole) is true"
    }
}
