/// One metric: what it is called and means, and what was found of it.
///
/// A meter declares each of its metrics once, as a stored property, and adds to it as records come:
///
/// ```swift
/// private var ring = Measure.time("call.ring.time", "Push accepted to call screen.", "K-16")
/// ring.add(shown - accepted, at: Occurrence(record))
/// ```
///
/// Each sample comes with when and where it arose, so that every figure can name its worst one.
public struct Measure<Finding: MetricFinding>: AnyMeasure {
    /// What it is called and means.
    public let metric: MetricDescription
    /// What was found so far.
    public private(set) var found: Finding
    /// Where the least and the greatest of it arose.
    private var extremes = ExtremeOccurrences()
    /// All observations, where a gate bounds only some of them.
    private var kept: [(observation: Observation, occurrence: Occurrence)]?

    /// Declares a metric of which nothing is found yet.
    package init(_ metric: MetricDescription, _ found: Finding) {
        self.metric = metric
        self.found = found
        kept = ObservationKeeping.metrics.contains(metric.name) ? [] : nil
    }

    /// Adds one observation.
    private mutating func add(_ observation: Observation, at occurrence: () -> Occurrence) {
        found.add(observation)
        found.look(at: observation, occurrence, &extremes)
        kept?.append((observation, occurrence()))
    }

    /// What was found of the observations that arose so, in the lines of its run; `nil` where
    /// they were not kept.
    public func result(
        _ lines: TraceLines,
        where isIncluded: (Occurrence) -> Bool
    ) -> MetricResult? {
        guard let kept else { return nil }
        var part = Measure(metric, .nothing(of: metric))
        for (observation, occurrence) in kept where isIncluded(occurrence) {
            part.add(observation) { occurrence }
        }
        return part.result(lines)
    }

    /// The components at which observations were kept, in the order in which they first came.
    public var keptComponents: [ComponentIndex] {
        var components: [ComponentIndex] = []
        for (_, occurrence) in kept ?? [] where !components.contains(occurrence.component) {
            components.append(occurrence.component)
        }
        return components
    }

    /// The metric's name with what was found, in the lines of its run.
    public func result(_ lines: TraceLines) -> MetricResult {
        MetricResult(metric, found.value, extremes.located(lines))
    }
}

/// A metric of a meter, whatever its findings are kept in.
public protocol AnyMeasure: Sendable {
    /// What it is called and means.
    var metric: MetricDescription { get }
    /// What was found so far, in the lines of its run.
    func result(_ lines: TraceLines) -> MetricResult
    /// What was found of the observations that arose so; `nil` where they were not kept.
    func result(
        _ lines: TraceLines,
        where isIncluded: (Occurrence) -> Bool
    ) -> MetricResult?
    /// The components at which observations were kept.
    var keptComponents: [ComponentIndex] { get }
}

/// One observation of a metric, whatever its form.
public struct Observation: Sendable {
    /// The sample, the part of a share, or what is added to a sum.
    package var amount: Int64
    /// The whole of a share.
    package var whole: Int64 = 0
    /// How many observations it counts for.
    package var samples = 1
}

/// Which metrics keep their observations while a run's meters are made; the few that gates bound in part.
///
/// Measures are declared as stored properties, deep within meters: this is said around their making
/// instead of through every initializer.
package enum ObservationKeeping {
    @TaskLocal package static var metrics: Set<String> = []
}

// Each declaration names the metric, says in a sentence what exactly is measured and when a sample
// arises, and lists the requirement ids and outside sources that ask for it.

extension Measure where Finding == Distribution {
    /// Declares samples of time, in nanoseconds.
    public static func time(
        _ name: String,
        _ meaning: String,
        _ source: String,
        better: MetricDirection = .lower
    ) -> Measure {
        samples(name, .nanoseconds, meaning, source, better)
    }

    /// Declares samples that are numbers of things.
    public static func number(
        _ name: String,
        _ meaning: String,
        _ source: String,
        better: MetricDirection = .lower
    ) -> Measure {
        samples(name, .count, meaning, source, better)
    }

    /// Declares samples that are amounts of data, in bytes.
    public static func size(_ name: String, _ meaning: String, _ source: String) -> Measure {
        samples(name, .bytes, meaning, source, .lower)
    }

    /// Declares samples that are mean opinion scores, in thousandths.
    public static func score(_ name: String, _ meaning: String, _ source: String) -> Measure {
        samples(name, .thousandthsMOS, meaning, source, .higher)
    }

    private static func samples(
        _ name: String,
        _ unit: MetricUnit,
        _ meaning: String,
        _ source: String,
        _ better: MetricDirection
    ) -> Measure {
        let metric = MetricDescription(
            name: name,
            unit: unit,
            form: .distribution,
            direction: better,
            meaning: meaning,
            source: source
        )
        return Measure(metric, Distribution(resolution: metric.resolution ?? 1))
    }

    /// Counts one sample.
    ///
    /// - Parameters:
    ///   - sample: The sample, in the metric's unit.
    ///   - occurrence: When and where it arose; read only where that is kept.
    public mutating func add(_ sample: Int64, at occurrence: @autoclosure () -> Occurrence) {
        add(Observation(amount: sample), at: occurrence)
    }
}

extension Measure where Finding == Proportion {
    /// Declares a part of a whole.
    public static func share(
        _ name: String,
        _ meaning: String,
        _ source: String,
        better: MetricDirection = .lower
    ) -> Measure {
        let metric = MetricDescription(
            name: name,
            unit: .partsPerMillion,
            form: .proportion,
            direction: better,
            meaning: meaning,
            source: source
        )
        return Measure(metric, Proportion())
    }

    /// Adds one observation: `part` of `whole`.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - whole: The whole.
    ///   - samples: How many observations it counts for.
    ///   - occurrence: When and where it arose; read only where that is kept.
    public mutating func add(
        _ part: Int64,
        of whole: Int64,
        samples: Int = 1,
        at occurrence: @autoclosure () -> Occurrence
    ) {
        add(Observation(amount: part, whole: whole, samples: samples), at: occurrence)
    }
}

extension Measure where Finding == Tally {
    /// Declares a sum of things.
    public static func count(
        _ name: String,
        _ meaning: String,
        _ source: String,
        better: MetricDirection = .lower
    ) -> Measure {
        sum(name, .count, meaning, source, better)
    }

    /// Declares a sum of bytes.
    public static func bytes(_ name: String, _ meaning: String, _ source: String) -> Measure {
        sum(name, .bytes, meaning, source, .lower)
    }

    private static func sum(
        _ name: String,
        _ unit: MetricUnit,
        _ meaning: String,
        _ source: String,
        _ better: MetricDirection
    ) -> Measure {
        let metric = MetricDescription(
            name: name,
            unit: unit,
            form: .count,
            direction: better,
            meaning: meaning,
            source: source
        )
        return Measure(metric, Tally())
    }

    /// Adds one observation.
    ///
    /// - Parameters:
    ///   - amount: What it adds to the sum.
    ///   - samples: How many observations it counts for.
    ///   - occurrence: When and where it arose; read only where that is kept.
    public mutating func add(
        _ amount: Int64,
        samples: Int = 1,
        at occurrence: @autoclosure () -> Occurrence
    ) {
        add(Observation(amount: amount, samples: samples), at: occurrence)
    }
}
