public import Evidence
public import Scenarios
public import SimulatedWorld
public import Speech

/// One run looked at closely: its records, and what is said of it alone.
public struct Replay: Sendable {
    /// The records, up to the level that was asked for.
    public let trace: RecordedTrace
    /// The scenario with this one run.
    public let outcome: ScenarioOutcome

    /// Runs one seed of a scenario with one point.
    ///
    /// - Parameters:
    ///   - scenario: The scenario; of a sweep, with the point that is run.
    ///   - file: Its file, as the user named it.
    ///   - seed: The seed.
    ///   - material: The voices, for real audio.
    ///   - level: The finest level of records to keep.
    ///   - tieShuffleSeed: Shuffles simultaneous deliveries as the run to be repeated did.
    /// - Throws: What kept the world from being built or run.
    public init(
        _ scenario: Scenario,
        file: String,
        seed: UInt64,
        material: SpeechMaterial?,
        level: TraceLevel,
        tieShuffleSeed: UInt64? = nil
    ) throws(WorldError) {
        precondition(scenario.points.count == 1, "one point is replayed at a time")
        let point = scenario.points[0]
        let run = SingleRun(
            plan: point.plan,
            seed: seed,
            material: material,
            tieShuffleSeed: tieShuffleSeed
        )
        let result = try run.measure(keepingTraceOf: scenario.name, level: level)
        // One run has fewer samples than the gates ask of all.
        var gates = point.expectations.gates
        for place in gates.indices {
            gates[place].minimumSamples = min(gates[place].minimumSamples, 1)
        }
        var judge = Judge(gates: gates, invariants: point.expectations.invariants)
        judge.add(result.outcome.evidence)
        // One seed at one point shows nothing of what the whole scenario documents.
        var alone = scenario
        alone.outcome = .pass
        alone.sweep = Sweep()
        var outcome = ScenarioOutcome(scenario: alone, file: file)
        outcome.points[0].add(result.outcome)
        outcome.points[0].judgement = judge.judgement
        outcome.speed.add(result.outcome)
        self.outcome = outcome
        trace = result.trace
    }

    /// The judgement of this run alone, as reports show it.
    public var text: String {
        let report = ConsoleReport([outcome], material: "", options: nil)
        return report.section(on: outcome).joined(separator: "\n")
    }

    /// Whether this run alone keeps all gates and invariants, whatever the scenario documents.
    public var isGreen: Bool { outcome.points[0].judgement.isGreen }
}
