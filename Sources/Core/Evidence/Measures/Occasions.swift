public import SansIO

/// What a metric may give a sample of, while it lasts: `Measure.open` begins it, `close` ends it as a
/// sample and `exclude` without one; what is still open when the run ends is censored.
public struct Occasion: Sendable, Equatable {
    /// The metric's own number of it.
    package let number: Int
    /// Since when it lasts.
    public let start: Instant

    /// The same in nanoseconds since the run's beginning.
    package var since: Int64 { start.nanoseconds }
}

/// When a metric's occasions end.
public enum OccasionKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// Each is a sample as soon as it arises, so none is excluded or censored.
    case atOnce = "at once"
    /// Each ends as a sample, as excluded or as censored.
    case lasting
}

/// How many occasions a metric had, and what became of those that gave no sample.
public struct Occasions: Sendable, Equatable, Codable {
    /// Occasions that were left out for one reason.
    public struct Exclusion: Sendable, Equatable, Codable {
        /// The reason, such as `the call was over first`.
        public var reason: String
        /// How many.
        public var count: Int
    }

    /// How many there were.
    public var count = 0
    /// Those left out, in the order of the reasons.
    public private(set) var exclusions: [Exclusion] = []
    /// What the censored ones are known to come to at least; `nil` if there is none.
    public var censored: MetricValue?

    /// Makes the occasions of a metric that had none.
    public init() {}

    /// How many were left out, for whatever reason.
    public var excludedCount: Int { exclusions.reduce(0) { $0 + $1.count } }

    /// How many were open when the run ended, or were cut off before.
    public var censoredCount: Int { censored?.samples ?? 0 }

    /// Counts exclusions for one reason.
    package mutating func exclude(_ reason: String, count: Int = 1) {
        let index = exclusions.firstIndex { $0.reason >= reason } ?? exclusions.endIndex
        if index < exclusions.endIndex, exclusions[index].reason == reason {
            exclusions[index].count += count
        } else {
            exclusions.insert(Exclusion(reason: reason, count: count), at: index)
        }
    }

    /// Pools with those of other runs.
    public mutating func merge(_ other: Occasions) {
        count += other.count
        for exclusion in other.exclusions { exclude(exclusion.reason, count: exclusion.count) }
        guard let theirs = other.censored else { return }
        guard var mine = censored else { return censored = theirs }
        // Let go of the shared storage first, so that merging does not copy it.
        censored = nil
        mine.merge(theirs)
        censored = mine
    }
}

extension MetricResult {
    /// Whether every occasion ended as a sample, as excluded or as censored, and none twice.
    public var addsUp: Bool {
        occasions.count == samples + occasions.excludedCount + occasions.censoredCount
    }

    /// What is wrong with its occasions; `nil` if nothing is.
    fileprivate func fault(of metric: MetricDescription) -> String? {
        let reasons = occasions.exclusions.map(\.reason)
        if let unknown = reasons.first(where: { !metric.exclusions.contains($0) }) {
            return "\(name): excluded for '\(unknown)', which the metric does not declare"
        }
        guard !addsUp else { return nil }
        return """
            \(name): \(occasions.count) occasions, \(samples) samples, \
            \(occasions.excludedCount) excluded, \(occasions.censoredCount) censored
            """
    }

    /// The finding with each censored occasion at its least.
    public var known: MetricValue {
        guard let censored = occasions.censored else { return value }
        var known = value
        known.merge(censored)
        return known
    }

    /// The finding with each censored occasion at its greatest: a time without end, a whole share, and of
    /// a count one more.
    package var greatest: MetricValue {
        guard let censored = occasions.censored else { return value }
        switch (known, censored) {
        case (.distribution, .distribution(let least)):
            guard case .distribution(var samples) = value else { return value }
            samples.add(.max, times: least.count)
            return .distribution(samples)
        case (.proportion(var share), .proportion(let least)):
            share.numerator += least.denominator - least.numerator
            return .proportion(share)
        case (.count(var tally), .count(let least)):
            tally.total += Int64(least.samples)
            return .count(tally)
        default:
            return value
        }
    }
}

extension InvariantDescription {
    /// What the harness asks of every meter.
    package static let occasionsAddUp = InvariantDescription(
        name: "metrics.occasions-add-up",
        meaning: """
            Every occasion of a metric ends once: as a sample, as excluded for a reason that the metric \
            declares, or as censored.
            """,
        source: "HN-01"
    )
}

extension InvariantResult {
    /// Whether the occasions of each metric of a run add up, at its end, and none was excluded for a
    /// reason that its metric does not declare.
    ///
    /// - Parameters:
    ///   - metrics: Each metric with what was found of it.
    ///   - end: When the run ended.
    ///   - position: The number of records.
    package init(
        occasionsOf metrics: [(MetricDescription, MetricResult)],
        at end: Int64,
        position: Int
    ) {
        self.init(name: InvariantDescription.occasionsAddUp.name)
        checkedCount = metrics.count
        for (metric, result) in metrics {
            guard let line = result.fault(of: metric) else { continue }
            violationCount += 1
            guard violations.count < Self.keptViolationCount else { continue }
            violations.append(.init(position: position, instant: end, line: line))
        }
    }
}
