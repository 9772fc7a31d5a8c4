public import KodamaEvidence

/// What a metric found over all runs of a point, and run by run.
public struct MetricReport: Sendable, Equatable, Codable {
    /// The metric's name.
    public var name: String
    /// What its figures count in.
    public var unit: MetricUnit
    /// The form of its findings.
    public var form: MetricForm
    /// Which way is better.
    public var direction: MetricDirection
    /// How many observations stand behind it.
    public var samples: Int
    /// How many occasions were open when their run ended, or cut off before; `nil` if none was.
    public var censored: Int?
    /// Why occasions were left out, and how many; `nil` if none was.
    public var exclusions: [Occasions.Exclusion]?
    /// The one number of a count, or a share in parts per million, rounded up.
    public var value: Int64?
    /// The samples' figures, of a distribution.
    public var figures: Figures?
    /// How many samples lie at or below each value, of a distribution.
    public var cumulative: CumulativeCounts?
    /// The worst sample of all runs, where it is known.
    public var worst: LocatedSample?
    /// The figures of each run alone, in the order of the runs.
    public var bySeed: SeedFigures

    /// Whether there is anything to draw a curve of: what is open at every end has none.
    var hasCurve: Bool { samples > 0 && cumulative != nil }

    /// Figures of samples, by nearest rank where a rank is asked.
    public struct Figures: Sendable, Equatable, Codable {
        /// The least sample.
        public var min: Int64
        /// The mean, rounded towards zero.
        public var mean: Int64
        /// The median.
        public var p50: Int64
        /// The quantile at 90 %.
        public var p90: Int64
        /// The quantile at 95 %.
        public var p95: Int64
        /// The quantile at 99 %.
        public var p99: Int64
        /// The quantile at 99.9 %.
        public var p999: Int64
        /// The greatest sample.
        public var max: Int64
        /// The samples' sum.
        public var sum: Int64

        init?(_ samples: Distribution) {
            guard let least = samples.minimum, let most = samples.maximum,
                let mean = samples.mean
            else { return nil }
            func quantile(_ perMille: Int) -> Int64 { samples.quantile(perMille: perMille) ?? most }
            min = least
            self.mean = mean
            p50 = quantile(500)
            p90 = quantile(900)
            p95 = quantile(950)
            p99 = quantile(990)
            p999 = quantile(999)
            max = most
            sum = samples.sum
        }
    }

    /// How finely curves are kept: a picture of 640 pixels shows no difference from all samples.
    private static let pointCount = 160

    init(_ result: MetricResult, bySeed: SeedFigures) {
        name = result.name
        unit = result.unit
        form = result.value.form
        direction = result.direction
        samples = result.samples
        censored = result.occasions.counts.censored
        exclusions = result.occasions.exclusions.isEmpty ? nil : result.occasions.exclusions
        switch result.value {
        case .distribution(let samples):
            figures = Figures(samples)
            cumulative = samples.cumulativeCounts(pointCount: Self.pointCount)
        case .proportion(let share):
            value = share.partsPerMillion(roundedUp: true)
        case .count(let tally):
            value = tally.total
        }
        worst = result.worst
        self.bySeed = bySeed
    }
}

extension MetricReport {
    /// The three counts for people, as a gate shows them.
    var countsText: String {
        let excluded = exclusions?.map(\.count).heldSum
        return Occasions.text(samples, censored: censored, excluded: excluded)
    }

    /// What was left out, and why; `nil` if nothing was.
    var exclusionsText: String? {
        exclusions.map { exclusions in
            let reasons = exclusions.map { "\($0.count) (\($0.reason))" }
            return "\(name) leaves out \(reasons.joined(separator: ", "))"
        }
    }
}

extension Occasions {
    /// How many were censored and how many excluded; `nil` for none.
    var counts: (censored: Int?, excluded: Int?) {
        (censoredCount > 0 ? censoredCount : nil, excludedCount > 0 ? excludedCount : nil)
    }

    /// Samples, and what gave none, for people.
    static func text(_ samples: Int, censored: Int?, excluded: Int?) -> String {
        "\(samples)" + (censored.map { ", \($0) open" } ?? "")
            + (excluded.map { ", \($0) excluded" } ?? "")
    }
}

/// The figures of one metric in each run, in the order of the runs.
///
/// In the JSON `null` stands where a run has none. What the form of the metric does not offer is not there at all.
public struct SeedFigures: Sendable, Equatable, Codable {
    /// The one number of counts and shares.
    public var value: [Int64?]?
    /// The medians.
    public var p50: [Int64?]?
    /// The quantiles at 95 %.
    public var p95: [Int64?]?
    /// The greatest samples.
    public var max: [Int64?]?
    /// The sums, of the parts of reconnects.
    public var sum: [Int64?]?

    /// Of nothing.
    init() {}

    init(of metric: Int, in outcome: PointOutcome) {
        for (index, column) in outcome.columns.enumerated() where column.metric == metric {
            let figures = outcome.rows.map { $0.figure(index) }
            switch column.figure {
            case .value: value = figures
            case .p50: p50 = figures
            case .p95: p95 = figures
            case .maximum: max = figures
            case .sum: sum = figures
            // Shown pooled, by `ChainReport`.
            case .part, .whole: break
            }
        }
    }
}
