public import KodamaEvidence
import KodamaLanguage

/// A gate with what was found.
public struct GateReport: Sendable, Equatable, Codable {
    /// The metric's name.
    public var metric: String
    /// What the metric means, where the gate is missed and pictures were asked for.
    public var meaning: String?
    /// The rule for people, such as `p95 <= 120ms`.
    public var rule: String
    /// The figure's name, such as `p95`.
    public var figure: String
    /// Which of the metric's samples are bounded, as the rule says it; `nil` if all are.
    public var scope: String?
    /// On which side of the limit the figure must lie.
    public var comparison: Comparison
    /// The limit, in `unit`.
    public var limit: Int64
    /// A stricter limit that only warns, if there is one.
    public var warningLimit: Int64?
    /// What the value and the limits count in.
    public var unit: MetricUnit
    /// The figure over all runs, if there is one.
    public var value: Int64?
    /// The device at which it is worst, where the gate must hold at each.
    public var device: String?
    /// Between which values the true figure lies, if the runs say so.
    public var interval: Interval?
    /// How many samples stand behind the value.
    public var samples: Int
    /// How many occasions were open when their run ended, or cut off before; `nil` if none was.
    public var censored: Int?
    /// How many occasions were left out; `nil` if none was.
    public var excluded: Int?
    /// How many samples are needed.
    public var samplesNeeded: Int
    /// How many of them a quick run needs; `nil` of any other.
    public var samplesNeededHere: Int?
    /// Whether no data passes; `nil` if it does not.
    public var allowsNoData: Bool?
    /// Whether what was open counts by its least alone; `nil` if it does not.
    public var allowsCensored: Bool?
    /// The verdict.
    public var verdict: Verdict
    /// Whether the gate lets the scenario pass.
    public var isGreen: Bool
    /// Why the verdict is undecided or no-data, if it is.
    public var noDataReason: NoDataReason?
    /// The requirement ids that the gate shows.
    public var covers: [String]
    /// The run whose own figure was worst, the lowest seed among equals.
    public var worst: WorstRun?
    /// The figure of each run alone, in the order of the runs.
    public var bySeed: [Int64?]
    /// The line in the scenario's file, from 1.
    public var line: Int?
    /// The file of that line, if it is not the scenario's own.
    public var file: String?

    /// The ends of an interval.
    public struct Interval: Sendable, Equatable, Codable {
        /// The lower end; `nil` if the runs bound it nowhere.
        public var lower: Int64?
        /// The upper end.
        public var upper: Int64?
        /// How likely the true figure lies in it, at least, in parts per million.
        public var confidence: Int64?
    }

    /// A run with its figure.
    public struct WorstRun: Sendable, Equatable, Codable {
        /// The seed.
        public var seed: UInt64
        /// The run's own figure.
        public var value: Int64
        /// Its worst sample, where it is known.
        public var sample: LocatedSample?
    }

    init(_ result: GateResult, location: SourceLocation?, bySeed: [Int64?]) {
        let gate = result.gate
        metric = result.metric
        rule = result.ruleText
        figure = gate.statistic.text(of: gate.metricUnit)
        scope = gate.scope?.text
        comparison = gate.comparison
        limit = gate.limit
        warningLimit = gate.warningLimit
        unit = result.unit
        value = result.value
        device = result.device
        interval = result.interval.map {
            Interval(lower: $0.lower, upper: $0.upper, confidence: $0.confidence)
        }
        samples = result.samples
        censored = result.occasions.counts.censored
        excluded = result.occasions.counts.excluded
        samplesNeeded = gate.minimumSamples
        samplesNeededHere = gate.plan?.samples
        allowsNoData = gate.allowsNoData ? true : nil
        allowsCensored = gate.allowsCensored ? true : nil
        verdict = result.verdict
        isGreen = result.isGreen
        noDataReason = result.noDataReason
        covers = result.covers
        worst = result.worst.map {
            WorstRun(seed: $0.seed, value: $0.value, sample: $0.sample)
        }
        self.bySeed = bySeed
        line = location?.line
        file = location?.file
    }

    /// The value and the limit for people; they order as they truly do.
    public var texts: (value: String, limit: String) {
        guard let value else {
            // Beside one that fails for lack of data it must not look the same.
            let none = isGreen && verdict == .noData ? "- (allowed)" : "-"
            return (none, unit.texts(limit, limit: limit).limit)
        }
        return unit.texts(value, limit: limit)
    }

    /// The three counts for people: `38`, or `38, 2 open, 1 excluded`.
    var countsText: String { Occasions.text(samples, censored: censored, excluded: excluded) }

    /// What is wrong, in a sentence.
    public var sentence: String {
        if let noDataReason {
            var detail = ""
            if noDataReason == .openAtEnd {
                detail = "; \(countsText)"
            } else if noDataReason == .tooFewSamples {
                detail = " (\(samples) of at least \(samplesNeededHere ?? samplesNeeded))"
            } else if noDataReason == .otherSeeds {
                detail = ": \(limitText) for these"
            } else if noDataReason == .beyondSoFar {
                return "\(figure) was \(texts.value) so far, \(limitText); \(noDataReason.rawValue)"
            } else if noDataReason == .tooFewRuns {
                detail = ": \(intervalText ?? "no interval over so few")"
            }
            let figure = value == nil ? "" : "\(figure) was \(texts.value), but "
            return "\(rule): \(figure)\(noDataReason.rawValue)\(detail)"
        }
        let place = device.map { " at \($0)" } ?? ""
        let part = device == nil ? scope.map { " \($0)" } ?? "" : ""
        let interval = intervalText.map { " (\($0))" } ?? ""
        let nearness = verdict == .warn ? "near its limit: " : ""
        let finding = "\(figure)\(part) was \(texts.value)\(place)\(interval)"
        let value = "\(nearness)\(finding), \(limitText)"
        guard let worst else { return value }
        let figure = unit.texts(worst.value, limit: limit).value
        return "\(value); worst in seed \(worst.seed): \(figure)"
    }

    /// The limit for people, such as `limit 10 ms`.
    private var limitText: String {
        switch comparison {
        case .atMost: "limit \(texts.limit)"
        case .below: "limit below \(texts.limit)"
        case .atLeast: "limit at least \(texts.limit)"
        case .above: "limit above \(texts.limit)"
        case .equal: "expected \(texts.limit)"
        }
    }

    /// The interval for people, such as `81 ms to 93 ms with 95 %`.
    var intervalText: String? {
        guard let interval else { return nil }
        let sureness = interval.confidence ?? Gate.usualConfidence
        let confidence = "\(MetricUnit.percentOfConfidence(sureness)) %"
        func text(_ end: Int64?) -> String? {
            end.map { unit.texts($0, limit: limit).value }
        }
        switch (text(interval.lower), text(interval.upper)) {
        case (let lower?, let upper?): return "\(lower) to \(upper) with \(confidence)"
        case (let lower?, nil): return "\(lower) or more with \(confidence)"
        case (nil, let upper?): return "\(upper) or less with \(confidence)"
        case (nil, nil): return nil
        }
    }

    /// Whether it deserves a word: it is not green, or it warns.
    public var isMissed: Bool { !isGreen || verdict == .warn }

    /// Whether its figure is a sum over all runs; the value of a share is none.
    var isSum: Bool { figure == "count" || figure == "value" && unit != .partsPerMillion }

    /// The figure of a number of runs like one with its own figure, which the limit of all can be held against.
    func figure(ofRunsLike value: Int64, _ count: Int) -> Int64 {
        guard isSum else { return value }
        let (sum, overflows) = value.multipliedReportingOverflow(by: Int64(count))
        return overflows ? (value < 0 ? .min : .max) : sum
    }

    /// How far its figure lies on the wrong side of the limit; without a figure, nowhere.
    var distance: Int64 { value.map { distance(of: $0) } ?? .min }

    /// How far a figure lies on the wrong side of the limit.
    func distance(of value: Int64) -> Int64 {
        switch comparison {
        case .atMost, .below: value.minus(limit)
        case .atLeast, .above: limit.minus(value)
        case .equal: Int64(value.minus(limit).magnitude)
        }
    }
}

/// An invariant with what was found.
public struct InvariantReport: Sendable, Equatable, Codable {
    /// The name.
    public var name: String
    /// Pass, fail, or no-data if no record was checked.
    public var verdict: Verdict
    /// How many records were checked.
    public var checked: Int
    /// How many of them broke it.
    public var violations: Int
    /// The requirement ids that it shows; `nil` if it shows none.
    public var covers: [String]?
    /// The first that did.
    public var first: Violation?

    /// A record that broke an invariant.
    public struct Violation: Sendable, Equatable, Codable {
        /// The run's seed.
        public var seed: UInt64?
        /// When it happened, in nanoseconds since the run's beginning.
        public var instant: Int64?
        /// The record's line of the trace.
        public var line: String
    }

    init(_ judgement: InvariantJudgement, covers: [String]) {
        name = judgement.result.name
        verdict = judgement.verdict
        checked = judgement.result.checkedCount
        violations = judgement.result.violationCount
        self.covers = covers.isEmpty ? nil : covers
        first = judgement.result.violations.first.map {
            Violation(seed: $0.seed, instant: $0.instant, line: $0.line)
        }
    }

    /// What is wrong, in a sentence.
    public var sentence: String {
        checked == 0
            ? "nothing happened that it speaks of" : "broken \(counted(violations, "time"))"
    }
}
