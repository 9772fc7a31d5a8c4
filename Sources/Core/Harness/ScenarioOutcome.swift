public import KodamaEvidence
public import KodamaLanguage

/// What a scenario's runs gave.
public struct ScenarioOutcome: Sendable, Codable {
    /// What was known of it before it ran.
    public var about: ScenarioDescription
    /// The results of its points, in their order.
    public var points: [PointOutcome]
    /// Deliveries, simulated time and processor time over all runs.
    public var speed = RunSpeed()

    // How fast it was is no part of a result.
    private enum CodingKeys: String, CodingKey {
        case about, points
    }

    /// Starts without a run.
    ///
    /// - Parameters:
    ///   - scenario: The scenario; of a sweep, with the points that are run.
    ///   - file: Its file, as the user named it.
    public init(scenario: Scenario, file: String) {
        about = ScenarioDescription(scenario, file: file)
        points = scenario.points.map { PointOutcome($0, of: scenario) }
    }

    /// One digest over those of all runs, in the order of points and seeds; of one run its own.
    public var digest: Digest64 {
        let digests = points.flatMap(\.rows).map(\.digest)
        return digests.count == 1
            ? digests[0] : digests.reduce(Digest64(bits: 0)) { $0.folding($1) }
    }
}

/// What the runs of one point gave.
public struct PointOutcome: Sendable, Codable {
    /// What was known of it before it ran.
    public var about: PointDescription
    /// Where each gate stands.
    var gateLocations: [SourceLocation?]
    /// What entries of the timeline wait for.
    var triggers: [PlannedTrigger]
    /// Whether as many seeds are run as decide the verdict.
    private let isOpenEnded: Bool
    private let gates: [Gate]
    private let invariants: [String]
    /// The requirement ids that each of them shows, in the same order.
    let invariantCovers: [[String]]
    /// The shares of metrics that multiply.
    let chains: [MetricChain]
    /// Everything that is pooled over the runs.
    var pooled: Judge
    /// What is said of it, once it is judged.
    public var judgement: Judgement
    /// What is kept of each run, in the order of their seeds.
    public var rows: [RunRow] = []
    /// Which figures the rows hold.
    var columns: [MetricColumn] = []

    /// Starts without a run.
    init(_ point: ScenarioPoint, of scenario: Scenario) {
        about = PointDescription(point, of: scenario)
        gates = point.expectations.gates
        invariants = point.expectations.invariants
        invariantCovers = point.expectations.invariantCovers
        gateLocations = point.gateLocations
        triggers = point.triggers
        isOpenEnded = point.looks != nil
        chains = point.plan.systems.evidence.chains
        pooled = Judge(gates: gates, invariants: invariants)
        judgement = pooled.judgement
    }

    // What is said follows from what is pooled.
    private enum CodingKeys: String, CodingKey {
        case about, gateLocations, triggers, isOpenEnded, chains, gates, invariants,
            invariantCovers, pooled
        case rows, columns
    }

    /// Reads what was written, and judges it.
    ///
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        about = try container.decode(PointDescription.self, forKey: .about)
        gateLocations = try container.decode([SourceLocation?].self, forKey: .gateLocations)
        triggers = try container.decode([PlannedTrigger].self, forKey: .triggers)
        isOpenEnded = try container.decode(Bool.self, forKey: .isOpenEnded)
        chains = try container.decode([MetricChain].self, forKey: .chains)
        gates = try container.decode([Gate].self, forKey: .gates)
        invariants = try container.decode([String].self, forKey: .invariants)
        invariantCovers = try container.decode([[String]].self, forKey: .invariantCovers)
        pooled = try container.decode(Judge.self, forKey: .pooled)
        rows = try container.decode([RunRow].self, forKey: .rows)
        columns = try container.decode([MetricColumn].self, forKey: .columns)
        judgement = pooled.judgement
        judge()
    }

    /// Forgets all runs.
    mutating func reset() {
        rows = []
        pooled = Judge(gates: gates, invariants: invariants)
    }

    /// Pools one more run; what is said of all of them follows with `judge()`.
    mutating func add(_ run: RunOutcome) {
        if rows.isEmpty { columns = MetricColumn.all(of: run.evidence.metrics, chains) }
        rows.append(RunRow(run, gates: gates, columns: columns))
        pooled.add(run.evidence)
    }

    /// Judges those runs that there are, where more of them were to come.
    mutating func cutShort() {
        pooled.cutShort(to: rows.count, of: about.plannedSeeds)
        judge()
    }

    /// Judges the runs so far.
    mutating func judge() {
        judgement = pooled.judgement
        for index in judgement.invariants.indices
        where judgement.invariants[index].verdict == .noData {
            judgement.invariants[index].verdict = missing
        }
    }

    /// What is said of an invariant that no record spoke of, and of an event that never came: with fewer seeds
    /// than the scenario asks for, more may bring it.
    var missing: Verdict {
        let isPart =
            gates.contains { $0.plan?.isPart ?? false }
            || !isOpenEnded && rows.count < about.plannedSeeds
        return isPart ? .undecided : .noData
    }
}
