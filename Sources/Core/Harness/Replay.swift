public import KodamaEvidence
public import KodamaLanguage
public import KodamaSpeech
public import KodamaWorld

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
    ///   - about: What reports say of the point, if it is known better than from the scenario.
    /// - Throws: What kept the world from being built or run.
    public init(
        _ scenario: Scenario,
        file: String,
        seed: UInt64,
        material: SpeechMaterial?,
        level: TraceLevel,
        tieShuffleSeed: UInt64? = nil,
        about: PointDescription? = nil
    ) throws(WorldError) {
        precondition(scenario.points.count == 1, "one point is replayed at a time")
        let point = scenario.points[0].alone
        let run = SingleRun(
            plan: point.plan,
            seed: seed,
            material: material,
            tieShuffleSeed: tieShuffleSeed,
            scoped: point.expectations.gates.scopedMetrics
        )
        let result = try run.measure(keepingTraceOf: scenario.name, level: level)
        // One seed at one point shows nothing of what the whole scenario documents.
        var alone = scenario
        alone.outcome = .pass
        alone.sweep = Sweep()
        alone.points = [point]
        var outcome = ScenarioOutcome(scenario: alone, file: file)
        if var about {
            about.mayFail = false
            outcome.points[0].about = about
        }
        outcome.points[0].add(result.outcome)
        outcome.points[0].judge()
        outcome.speed.add(result.outcome)
        self.outcome = outcome
        trace = result.trace
    }

    /// What is said of this run alone; of its misses without the command that repeats them.
    ///
    /// - Parameter material: What was heard and coded.
    /// - Returns: The report.
    public func report(material: String) -> RunReport {
        RunReport([outcome], material: material, options: nil)
    }

    /// The judgement of this run alone, as reports show it.
    ///
    /// - Parameter showsMetrics: Whether every metric is shown, gated or not.
    /// - Returns: The lines of the scenario.
    public func text(showsMetrics: Bool = false) -> String {
        let report = report(material: "")
        let console = ConsoleReport(report, showsMetrics: showsMetrics)
        return report.scenarios.flatMap(console.section).joined(separator: "\n")
    }

    /// The digest of the whole trace, whatever of it is kept.
    public var digest: Digest64 { outcome.points[0].rows[0].digest }

    /// Whether this run alone keeps all gates and invariants, whatever the scenario documents.
    ///
    /// What its timeline waits for must have come too.
    public var isGreen: Bool { outcome.points[0].verdict <= .warn }

    /// Whether nothing fails, and one run is too little to say that all holds.
    public var isUndecided: Bool { outcome.points[0].verdict == .undecided }
}
