public import KodamaEvidence

/// What a set of runs gave: the one value that every rendering is made from.
///
/// It holds no clock time, no host and no path but those that the user named, so equal runs give equal
/// reports; what made it is said apart, by `RunManifest`.
public struct RunReport: Sendable, Equatable, Codable {
    /// Raised when a key changes its meaning or goes away.
    public static let currentSchemaVersion = 2

    /// The version of the format in which it is written.
    public var schemaVersion = RunReport.currentSchemaVersion
    /// What was heard and coded: voices, packages and codec, with their versions.
    public var material: String
    /// Whether warnings fail.
    public var isStrict: Bool
    /// The arguments besides scenario, point and seed that repeat a run, such as `--set` and its value;
    /// `nil` where a miss needs no command that repeats it.
    public var options: [String]?
    /// The scenarios, in the order in which they were named.
    public var scenarios: [ScenarioReport]
    /// What an interruption left undone; `nil` if it left nothing.
    ///
    /// Titles of scenarios, with points where only some are missing.
    public var notRun: [String]?
    /// How little the result promises; `nil` of a whole run.
    public var tier: Tier?

    /// What a result is good for, if not for everything.
    public enum Tier: String, Sendable, Hashable, CaseIterable, Codable {
        /// A part of the seeds was run: what fails fails, and what does not is no promise.
        case quick
        /// Nothing is judged.
        case explored
    }

    /// Reports scenarios.
    ///
    /// - Parameters:
    ///   - scenarios: What each gave, in the order in which they were named.
    ///   - material: What was heard and coded.
    ///   - options: The arguments that repeat a run.
    ///   - isStrict: Whether warnings fail.
    public init(
        _ scenarios: [ScenarioReport],
        material: String,
        options: [String]? = [],
        isStrict: Bool = false
    ) {
        self.scenarios = scenarios
        self.material = material
        self.options = options
        self.isStrict = isStrict
    }

    /// Reports outcomes.
    ///
    /// - Parameters:
    ///   - outcomes: The scenarios, in the order in which they were named.
    ///   - material: What was heard and coded.
    ///   - options: The arguments that repeat a run.
    ///   - isStrict: Whether warnings fail.
    public init(
        _ outcomes: [ScenarioOutcome],
        material: String,
        options: [String]? = [],
        isStrict: Bool = false
    ) {
        self.init(
            outcomes.map { ScenarioReport($0, isStrict: isStrict) },
            material: material,
            options: options,
            isStrict: isStrict
        )
    }

    /// Whether every scenario was run and is what it says of itself.
    public var isGreen: Bool {
        guard notRun == nil else { return false }
        return switch tier {
        case nil: scenarios.allSatisfy(\.ending.isGreen)
        case .quick: !scenarios.contains(where: \.ending.isFailure)
        case .explored: true
        }
    }

    /// Whether every scenario was run, and none fails, and some are undecided.
    public var isUndecided: Bool {
        notRun == nil && !isGreen && !scenarios.contains(where: \.ending.isFailure)
    }

    /// How many runs there were.
    public var runCount: Int { scenarios.reduce(0) { $0 + $1.runCount } }

    /// The command that repeats a run, if one is wanted.
    ///
    /// - Parameters:
    ///   - seed: The run's seed.
    ///   - point: Its point.
    ///   - scenario: Its scenario.
    ///   - moment: Where in the run to look, if that is known.
    /// - Returns: The command, quoted for a shell.
    public func replay(
        _ seed: UInt64,
        of point: PointDescription,
        in scenario: ScenarioDescription,
        around moment: Moment? = nil
    ) -> String? {
        guard let options = actingOptions(of: [point]) else { return nil }
        var words = ["kodama", "replay", scenario.file, "--seed", "\(seed)"]
        words += point.values.flatMap { ["--only", $0.description] } + options
        words += moment?.options ?? []
        return words.map(ShellText.quoted).joined(separator: " ")
    }

    /// The command that makes a page of one scenario alone.
    func command(for scenario: ScenarioReport) -> String {
        let options = actingOptions(of: scenario.points.map(\.about)) ?? []
        let words = ["kodama", "run", scenario.about.file] + options
        return (words + ["--html", "\(scenario.about.name).html"]).map(ShellText.quoted)
            .joined(separator: " ")
    }

    /// The options that do something where only some points are run: without sound no voice is chosen.
    private func actingOptions(of points: [PointDescription]) -> [String]? {
        let makesSound = points.contains { $0.audio == "real" }
        return options?.filter { makesSound || $0 != "--synthetic" }
    }
}

/// What the runs of one scenario gave.
public struct ScenarioReport: Sendable, Equatable {
    /// What was known of it before it ran.
    public var about: ScenarioDescription
    /// The worst verdict of all points.
    public var verdict: Verdict
    /// How it ended, held against what it says of itself.
    public var ending: ScenarioEnding
    /// One digest over those of all runs, in the order of points and seeds; of one run its own.
    public var digest: String
    /// What each point gave; one without a sweep.
    public var points: [PointReport]
    /// The stories of single runs, if the report was asked for them.
    public var stories: [RunStory]?
    /// Whether an interruption left some points without a result; `nil` if not.
    public var isPartial: Bool?

    /// Reports an outcome; what was pooled over its runs, some megabytes a point, is not kept.
    ///
    /// - Parameters:
    ///   - outcome: What the runs gave.
    ///   - isStrict: Whether warnings fail.
    ///   - isPartial: Whether an interruption left some points without a result.
    public init(_ outcome: ScenarioOutcome, isStrict: Bool, isPartial: Bool = false) {
        self.isPartial = isPartial ? true : nil
        about = outcome.about
        about.warnings = outcome.warnings
        verdict = outcome.verdict
        let ending = outcome.ending(isStrict: isStrict)
        // The points that are documented to fail may be those that were not run.
        self.ending = isPartial && ending == .passedUnexpectedly ? .passed : ending
        digest = outcome.digest.description
        points = outcome.points.map(PointReport.init)
    }

    /// How many runs there were.
    public var runCount: Int { points.reduce(0) { $0 + $1.runs.count } }

    /// Whether anything was expected at all.
    public var isGated: Bool { points.contains { $0.isGated } }

    /// The points at which a gate failed.
    var missedPoints: [PointReport] {
        points.filter { $0.gates.contains { $0.verdict == .fail } }
    }

    /// The invariants that are judged at any point, in the order of the scenario.
    var invariantNames: [String] {
        points.reduce(into: []) { names, point in
            names += point.invariants.map(\.name).filter { !names.contains($0) }
        }
    }
}

/// What the runs of one point gave.
public struct PointReport: Sendable, Equatable {
    /// What was known of it before it ran.
    public var about: PointDescription
    /// The worst verdict of its gates, its invariants and what its timeline waits for.
    public var verdict: Verdict
    /// The gates, in the order of the scenario.
    public var gates: [GateReport]
    /// The invariants, in the order of the scenario, then all others that were broken.
    public var invariants: [InvariantReport]
    /// What entries of the timeline wait for, in the order of the file; `nil` if none waits.
    public var triggers: [TriggerReport]?
    /// The chains of shares of which there is a sample; `nil` if there is none.
    public var chains: [ChainReport]?
    /// Every metric of which there is a sample, pooled over the runs, in the order of `Systems.metrics`.
    public var metrics: [MetricReport]
    /// The runs, in the order of their seeds.
    public var runs: [RunEntry]

    /// One run; its figures stand with their gates and metrics, in the order of the runs.
    public struct RunEntry: Sendable, Equatable, Codable {
        /// The seed.
        public var seed: UInt64
        /// The digest of the whole trace.
        public var digest: String
        /// The components' digests by name.
        public var components: [String: String]
        /// The invariants that it broke.
        public var broken: [String]
        /// The first break of each rule that allows none, in the order in which they came; `nil` without
        /// one.
        public var breaks: [RuleBreak]?
    }

    init(_ outcome: PointOutcome) {
        about = outcome.about
        let judgement = outcome.judgement
        verdict = outcome.verdict
        gates = judgement.gates.enumerated().map { index, result in
            GateReport(
                result,
                location: outcome.gateLocations[index],
                bySeed: outcome.rows.map { $0.gates[index] }
            )
        }
        // Those asked for come first; nothing is covered by what was broken unasked.
        invariants = judgement.invariants.enumerated().map { index, judgement in
            let isAskedFor = index < outcome.invariantCovers.count
            return InvariantReport(
                judgement,
                covers: isAskedFor ? outcome.invariantCovers[index] : []
            )
        }
        triggers = outcome.triggers.isEmpty ? nil : outcome.triggerReports
        let chains = outcome.chains.compactMap { ChainReport($0, outcome) }
        self.chains = chains.isEmpty ? nil : chains
        metrics = judgement.metrics.enumerated().compactMap { index, result in
            guard result.occasions.count > 0 else { return nil }
            return MetricReport(result, bySeed: SeedFigures(of: index, in: outcome))
        }
        runs = outcome.rows.map { row in
            RunEntry(
                seed: row.seed,
                digest: row.digest.description,
                components: Dictionary(
                    row.components.map { ($0.name, $0.digest.description) },
                    uniquingKeysWith: { first, _ in first }
                ),
                broken: row.broken,
                breaks: row.breaks
            )
        }
    }

    /// Whether anything was expected at all.
    public var isGated: Bool { !gates.isEmpty || !invariants.isEmpty }

    /// What a metric gave, if there is any sample of it.
    public func metric(named name: String) -> MetricReport? { metrics.first { $0.name == name } }

    /// The requirement ids that its gates and invariants show; some may stand there twice.
    var covers: [String] { gates.flatMap(\.covers) + invariants.flatMap { $0.covers ?? [] } }

    /// What is said of an invariant, if it is judged at this point.
    func invariant(named name: String) -> InvariantReport? { invariants.first { $0.name == name } }
}

// In the JSON, what was known before and what came of it stand side by side.

extension ScenarioReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case verdict, ending, digest, points, stories, isPartial
    }

    /// Reads what `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        about = try ScenarioDescription(from: decoder)
        verdict = try container.decode(Verdict.self, forKey: .verdict)
        ending = try container.decode(ScenarioEnding.self, forKey: .ending)
        digest = try container.decode(String.self, forKey: .digest)
        points = try container.decode([PointReport].self, forKey: .points)
        stories = try container.decodeIfPresent([RunStory].self, forKey: .stories)
        isPartial = try container.decodeIfPresent(Bool.self, forKey: .isPartial)
    }

    /// Writes the description's keys and its own into one object.
    public func encode(to encoder: any Encoder) throws {
        try about.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(ending, forKey: .ending)
        try container.encode(digest, forKey: .digest)
        try container.encode(points, forKey: .points)
        try container.encodeIfPresent(stories, forKey: .stories)
        try container.encodeIfPresent(isPartial, forKey: .isPartial)
    }
}

extension PointReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case verdict, gates, invariants, triggers, chains, metrics, runs
    }

    /// Reads what `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        about = try PointDescription(from: decoder)
        verdict = try container.decode(Verdict.self, forKey: .verdict)
        gates = try container.decode([GateReport].self, forKey: .gates)
        invariants = try container.decode([InvariantReport].self, forKey: .invariants)
        triggers = try container.decodeIfPresent([TriggerReport].self, forKey: .triggers)
        chains = try container.decodeIfPresent([ChainReport].self, forKey: .chains)
        metrics = try container.decode([MetricReport].self, forKey: .metrics)
        runs = try container.decode([RunEntry].self, forKey: .runs)
    }

    /// Writes the description's keys and its own into one object.
    public func encode(to encoder: any Encoder) throws {
        try about.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(gates, forKey: .gates)
        try container.encode(invariants, forKey: .invariants)
        try container.encodeIfPresent(triggers, forKey: .triggers)
        try container.encodeIfPresent(chains, forKey: .chains)
        try container.encode(metrics, forKey: .metrics)
        try container.encode(runs, forKey: .runs)
    }
}
