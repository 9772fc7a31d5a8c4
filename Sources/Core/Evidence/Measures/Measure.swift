public import SansIO

/// One metric: what it is called and means, and what was found of it.
///
/// A meter declares each of its metrics once, as a stored property, and adds to it as records come:
///
/// ```swift
/// private var ring = Measure.time(
///     "call.ring.time", "Push accepted to call screen.", "K-16", excluding: ["Do Not Disturb"])
/// ring.add(shown - accepted, at: Occurrence(record))
/// ```
///
/// Each sample comes with when and where it arose, so that every figure can name its worst one. What
/// lasts is opened, and ends as a sample, as excluded for a reason that is declared, or with the run as
/// censored: none can vanish.
///
/// ```swift
/// let wait = ring.open(at: accepted, of: app)
/// ring.close(wait, at: shown)
/// ring.exclude(wait, "Do Not Disturb")
/// ```
public struct Measure<Finding: MetricFinding>: AnyMeasure {
    /// What it is called and means.
    public let metric: MetricDescription
    /// What was found so far.
    public private(set) var found: Finding
    /// Where the least and the greatest of it arose.
    private var extremes = ExtremeOccurrences()
    /// How many occasions there were, how many of them were left out, and why.
    private var occasions = Occasions()
    /// What the censored ones come to at least.
    private var censored: Finding?
    /// What is open, by its number.
    private var openings: [Int: Occurrence] = [:]
    private var openingCount = 0
    /// All observations, where a gate bounds only some of them.
    private var kept: [(ending: Ending, occurrence: Occurrence)]?

    /// How an occasion ended.
    private enum Ending {
        case sample(Observation)
        case excluded(String)
        case censored(Observation)
    }

    /// Declares a metric of which nothing is found yet.
    package init(_ metric: MetricDescription, _ found: Finding) {
        self.metric = metric
        self.found = found
        kept = ObservationKeeping.metrics.contains(metric.name) ? [] : nil
    }

    /// Adds one observation, of occasions that are counted already or that end as they arise.
    private mutating func add(
        _ observation: Observation,
        isCounted: Bool = false,
        at occurrence: () -> Occurrence
    ) {
        if !isCounted { occasions.count += observation.samples }
        found.add(observation)
        found.look(at: observation, occurrence, &extremes)
        kept?.append((.sample(observation), occurrence()))
    }

    // MARK: Occasions

    /// Opens an occasion, which `close` or `exclude` ends; if neither comes, it is censored.
    ///
    /// - Parameters:
    ///   - start: When it begins.
    ///   - component: To whom it happens.
    ///   - subject: Whom else it concerns, if anybody.
    ///   - record: The record that brought it about, if one did.
    /// - Returns: What `close` or `exclude` takes.
    public mutating func open(
        at start: Instant,
        of component: ComponentIndex,
        about subject: ComponentIndex = .none,
        _ record: TraceRecord? = nil
    ) -> Occasion {
        refuseAtOnce()
        occasions.count += 1
        openingCount += 1
        openings[openingCount] = Occurrence(
            from: start,
            until: start,
            of: component,
            about: subject,
            record
        )
        return Occasion(number: openingCount, start: start)
    }

    /// Ends an occasion as a sample.
    ///
    /// - Parameters:
    ///   - occasion: What was opened.
    ///   - amount: The sample, the part of a share, or what it adds to a sum.
    ///   - whole: The whole of a share.
    ///   - end: When it ended.
    public mutating func close(
        _ occasion: Occasion,
        _ amount: Int64,
        of whole: Int64 = 0,
        at end: Instant
    ) {
        let occurrence = ending(occasion, at: end)
        add(Observation(amount: amount, whole: whole), isCounted: true) { occurrence }
    }

    /// Ends an occasion without a sample, for a reason that the metric declares.
    public mutating func exclude(_ occasion: Occasion, _ reason: String, at end: Instant) {
        let occurrence = ending(occasion, at: end)
        occasions.exclude(reason)
        kept?.append((.excluded(reason), occurrence))
    }

    /// Ends an occasion that something cut off before its sample was known: a time is at least its length.
    public mutating func cutOff(_ occasion: Occasion, at end: Instant) {
        let occurrence = ending(occasion, at: end)
        let least = metric.unit == .nanoseconds ? max(0, occurrence.span.length) : 0
        let whole: Int64 = metric.form == .proportion ? 1 : 0
        addCensored(Observation(amount: least, whole: whole)) { occurrence }
    }

    /// Counts an occasion that gives no sample, for a reason that the metric declares.
    public mutating func exclude(
        _ reason: String,
        at occurrence: @autoclosure () -> Occurrence
    ) {
        refuseAtOnce()
        occasions.count += 1
        occasions.exclude(reason)
        kept?.append((.excluded(reason), occurrence()))
    }

    /// Counts an occasion that was cut off before its sample was known.
    ///
    /// - Parameters:
    ///   - least: What the sample would have been at least.
    ///   - whole: The whole of a share.
    ///   - occurrence: When and where it arose.
    public mutating func censor(
        _ least: Int64,
        of whole: Int64 = 0,
        at occurrence: @autoclosure () -> Occurrence
    ) {
        refuseAtOnce()
        occasions.count += 1
        addCensored(Observation(amount: least, whole: whole), at: occurrence)
    }

    /// The measure at the end of its run: what is open is censored, a time with its length so far.
    public func ended(at end: Instant) -> Measure {
        guard !openings.isEmpty else { return self }
        var ended = self
        for number in openings.keys.sorted() {
            ended.cutOff(Occasion(number: number, start: end), at: end)
        }
        return ended
    }

    private mutating func addCensored(
        _ observation: Observation,
        at occurrence: () -> Occurrence
    ) {
        var least = censored ?? .nothing(of: metric)
        // It is this one's alone, so that adding to it copies nothing.
        censored = nil
        least.add(observation)
        censored = least
        found.look(at: observation, occurrence, &extremes)
        kept?.append((.censored(observation), occurrence()))
    }

    /// Takes an occasion out of those that are open; one that is not open breaks the sum of the endings.
    private mutating func ending(_ occasion: Occasion, at end: Instant) -> Occurrence {
        var occurrence =
            openings.removeValue(forKey: occasion.number)
            ?? Occurrence(from: occasion.start, until: end, of: .none)
        occurrence.span.end = max(occurrence.span.start, end.nanoseconds)
        return occurrence
    }

    private func refuseAtOnce() {
        precondition(metric.occasions == .lasting, "\(metric.name) ends its occasions at once")
    }

    /// What was found of the observations that arose so, in the lines of its run; `nil` where
    /// they were not kept.
    public func result(
        _ lines: TraceLines,
        where isIncluded: (Occurrence) -> Bool
    ) -> MetricResult? {
        guard let kept else { return nil }
        var part = Measure(metric, .nothing(of: metric))
        for (ending, occurrence) in kept where isIncluded(occurrence) {
            switch ending {
            case .sample(let observation): part.add(observation) { occurrence }
            case .excluded(let reason): part.exclude(reason, at: occurrence)
            case .censored(let least):
                part.censor(least.amount, of: least.whole, at: occurrence)
            }
        }
        return part.result(lines)
    }

    /// What was kept of samples and of what was censored, in the lines of its run.
    public func keptSamples(_ lines: TraceLines) -> [KeptSample] {
        (kept ?? []).compactMap { ending, occurrence in
            switch ending {
            case .sample(let found): KeptSample(found, occurrence, lines)
            case .censored(let least): KeptSample(least, occurrence, lines, isOpen: true)
            case .excluded: nil
            }
        }
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
        var occasions = occasions
        occasions.censored = censored?.value
        return MetricResult(metric, found.value, extremes.located(lines), occasions)
    }
}

/// A metric of a meter, whatever its findings are kept in.
public protocol AnyMeasure: Sendable {
    /// What it is called and means.
    var metric: MetricDescription { get }
    /// What was found so far, in the lines of its run.
    func result(_ lines: TraceLines) -> MetricResult
    /// The measure at the end of its run: what is open is censored.
    func ended(at end: Instant) -> Self
    /// What was found of the observations that arose so; `nil` where they were not kept.
    func result(
        _ lines: TraceLines,
        where isIncluded: (Occurrence) -> Bool
    ) -> MetricResult?
    /// The components at which observations were kept.
    var keptComponents: [ComponentIndex] { get }
    /// What was kept of samples and of what was censored.
    func keptSamples(_ lines: TraceLines) -> [KeptSample]
}

/// One sample of a run, or what is known of one that was open.
public struct KeptSample: Sendable, Equatable {
    /// When and where it arose.
    public var sample: LocatedSample
    /// The sample, the part of a share, or what it adds to a sum.
    public var amount: Int64
    /// The whole of a share.
    public var whole: Int64
    /// For how many samples it counts: for none if it only adds to a sum or to the part of a share.
    public var count: Int
    /// Whether it was open when its run ended, or cut off: `amount` is the least that it comes to.
    public var isOpen: Bool

    fileprivate init(
        _ found: Observation,
        _ occurrence: Occurrence,
        _ lines: TraceLines,
        isOpen: Bool = false
    ) {
        sample = LocatedSample(value: found.amount, occurrence, lines)
        (amount, whole, count) = (found.amount, found.whole, found.samples)
        self.isOpen = isOpen
    }
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
// arises, and lists the requirement ids and outside sources that ask for it. `occasions: .atOnce` says
// that none can be excluded or censored, `excluding:` names the reasons that `exclude` may be given.

extension Measure where Finding == Distribution {
    /// Declares samples of time, in nanoseconds.
    public static func time(
        _ name: String,
        _ meaning: String,
        _ source: String,
        better: MetricDirection = .lower,
        occasions: OccasionKind = .lasting,
        excluding reasons: [String] = []
    ) -> Measure {
        samples(name, .nanoseconds, meaning, source, better, occasions, reasons)
    }

    /// Declares samples that are numbers of things.
    public static func number(
        _ name: String,
        _ meaning: String,
        _ source: String,
        better: MetricDirection = .lower,
        occasions: OccasionKind = .lasting,
        excluding reasons: [String] = []
    ) -> Measure {
        samples(name, .count, meaning, source, better, occasions, reasons)
    }

    /// Declares samples that are amounts of data, in bytes.
    public static func size(
        _ name: String,
        _ meaning: String,
        _ source: String,
        occasions: OccasionKind = .lasting,
        excluding reasons: [String] = []
    ) -> Measure {
        samples(name, .bytes, meaning, source, .lower, occasions, reasons)
    }

    /// Declares samples that are mean opinion scores, in thousandths.
    public static func score(
        _ name: String,
        _ meaning: String,
        _ source: String,
        occasions: OccasionKind = .lasting,
        excluding reasons: [String] = []
    ) -> Measure {
        samples(name, .thousandthsMOS, meaning, source, .higher, occasions, reasons)
    }

    private static func samples(
        _ name: String,
        _ unit: MetricUnit,
        _ meaning: String,
        _ source: String,
        _ better: MetricDirection,
        _ occasions: OccasionKind,
        _ reasons: [String]
    ) -> Measure {
        let metric = MetricDescription(
            name: name,
            unit: unit,
            form: .distribution,
            direction: better,
            meaning: meaning,
            source: source,
            occasions: occasions,
            exclusions: reasons
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

    /// Counts one sample, or the least of one that lasts when the run ends.
    public mutating func add(
        _ sample: Int64,
        isOpen: Bool,
        at occurrence: @autoclosure () -> Occurrence
    ) {
        if isOpen { censor(sample, at: occurrence()) } else { add(sample, at: occurrence()) }
    }

    /// Ends an occasion as a sample of how long it lasted.
    public mutating func close(_ occasion: Occasion, at end: Instant) {
        close(occasion, end.nanoseconds - occasion.since, at: end)
    }
}

extension Measure where Finding == Proportion {
    /// Declares a part of a whole.
    public static func share(
        _ name: String,
        _ meaning: String,
        _ source: String,
        better: MetricDirection = .lower,
        occasions: OccasionKind = .lasting,
        excluding reasons: [String] = []
    ) -> Measure {
        let metric = MetricDescription(
            name: name,
            unit: .partsPerMillion,
            form: .proportion,
            direction: better,
            meaning: meaning,
            source: source,
            occasions: occasions,
            exclusions: reasons
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
        better: MetricDirection = .lower,
        occasions: OccasionKind = .lasting,
        excluding reasons: [String] = []
    ) -> Measure {
        sum(name, .count, meaning, source, better, occasions, reasons)
    }

    /// Declares a sum of bytes.
    public static func bytes(
        _ name: String,
        _ meaning: String,
        _ source: String,
        occasions: OccasionKind = .lasting,
        excluding reasons: [String] = []
    ) -> Measure {
        sum(name, .bytes, meaning, source, .lower, occasions, reasons)
    }

    private static func sum(
        _ name: String,
        _ unit: MetricUnit,
        _ meaning: String,
        _ source: String,
        _ better: MetricDirection,
        _ occasions: OccasionKind,
        _ reasons: [String]
    ) -> Measure {
        let metric = MetricDescription(
            name: name,
            unit: unit,
            form: .count,
            direction: better,
            meaning: meaning,
            source: source,
            occasions: occasions,
            exclusions: reasons
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
