/// The least and the greatest of a metric's samples with where they arose, while a run is measured.
///
/// Of several equal ones the first counts. A share's observation is great by its part, and small by what
/// is missing of its whole; observations that add nothing are not among a sum's or a share's extremes.
public struct ExtremeOccurrences: Sendable {
    // Every observation is compared, and few are kept: what they are compared with stands apart.
    private var leastRank: Int64?
    private var greatestRank: Int64?
    private var firstStart: Int64?
    private var least: Entry?
    private var greatest: Entry?
    /// The earliest that adds to a sum, which may be found after later ones.
    private var first: Entry?

    private struct Entry {
        var value: Int64?
        var occurrence: Occurrence
    }

    /// Looks at a sample.
    package mutating func observe(_ sample: Int64, at occurrence: () -> Occurrence) {
        if leastRank.map({ sample < $0 }) ?? true {
            leastRank = sample
            least = Entry(value: sample, occurrence: occurrence())
        }
        if greatestRank.map({ sample > $0 }) ?? true {
            greatestRank = sample
            greatest = Entry(value: sample, occurrence: occurrence())
        }
    }

    /// Looks at an observation of a share.
    package mutating func observe(_ part: Int64, of whole: Int64, at occurrence: () -> Occurrence) {
        if part > greatestRank ?? 0 {
            greatestRank = part
            greatest = Entry(value: nil, occurrence: occurrence())
        }
        if part - whole < leastRank ?? 0 {
            leastRank = part - whole
            least = Entry(value: nil, occurrence: occurrence())
        }
    }

    /// Looks at what one observation adds to a sum.
    package mutating func observe(amount: Int64, at occurrence: () -> Occurrence) {
        guard amount > 0 else { return }
        let entry = Entry(value: amount, occurrence: occurrence())
        if amount > greatestRank ?? 0 {
            greatestRank = amount
            greatest = entry
        }
        let start = entry.occurrence.span.start
        if firstStart.map({ start < $0 }) ?? true {
            firstStart = start
            first = entry
        }
    }

    /// The extremes by name.
    package func located(_ lines: TraceLines) -> SampleExtremes {
        func located(_ entry: Entry) -> LocatedSample {
            LocatedSample(value: entry.value, entry.occurrence, lines)
        }
        return SampleExtremes(
            least: least.map { .init(rank: leastRank ?? 0, sample: located($0)) },
            greatest: greatest.map { .init(rank: greatestRank ?? 0, sample: located($0)) },
            first: first.map(located)
        )
    }
}

/// The least and the greatest of a metric's samples with where they arose, over any number of runs.
public struct SampleExtremes: Sendable, Equatable, Codable {
    package struct Entry: Sendable, Equatable, Codable {
        /// What samples are compared by.
        package var rank: Int64
        package var sample: LocatedSample
    }

    private var least: Entry?
    private var greatest: Entry?
    /// The earliest of one run that adds to a sum; what is pooled has none.
    public private(set) var first: LocatedSample?

    /// Those of no sample.
    public init() {}

    package init(least: Entry?, greatest: Entry?, first: LocatedSample? = nil) {
        self.least = least
        self.greatest = greatest
        self.first = first
    }

    /// The one that is worst where the metric is better this way, if there is any; where neither way is,
    /// the greatest.
    public func worst(_ direction: MetricDirection) -> LocatedSample? {
        direction == .higher ? least?.sample : greatest?.sample
    }

    /// The one that lies furthest on the wrong side of a limit, if there is any.
    package func worst(_ comparison: Comparison) -> LocatedSample? {
        switch comparison {
        case .atMost, .below, .equal: greatest?.sample
        case .atLeast, .above: least?.sample
        }
    }

    /// Says which run they are of.
    package mutating func setSeed(_ seed: UInt64) {
        least?.sample.seed = seed
        greatest?.sample.seed = seed
        first?.seed = seed
    }

    /// Pools with those of other runs.
    package mutating func merge(_ other: SampleExtremes) {
        least = Self.first(least, other.least) { $0 < $1 }
        greatest = Self.first(greatest, other.greatest) { $0 > $1 }
        first = nil
    }

    private static func first(
        _ mine: Entry?,
        _ theirs: Entry?,
        _ isBeyond: (Int64, Int64) -> Bool
    ) -> Entry? {
        guard let mine, let theirs else { return mine ?? theirs }
        guard mine.rank == theirs.rank else {
            return isBeyond(mine.rank, theirs.rank) ? mine : theirs
        }
        return LocatedSample.precedes(theirs.sample, mine.sample) ? theirs : mine
    }
}
