public import Evidence
public import Scenarios
import SansIO
import SimulatedWorld
public import Speech

/// A scenario with all its seeds: runs them side by side and judges them together.
public struct ScenarioRun: Sendable {
    /// The scenario.
    public var scenario: Scenario
    /// Its file, as the user named it.
    public var file: String
    /// The seeds, in the order in which they are judged.
    public var seeds: [UInt64]
    /// The voices, for real audio.
    public var material: SpeechMaterial?
    /// The seed that shuffles simultaneous deliveries, or `nil` for their natural order.
    public var tieShuffleSeed: UInt64?

    /// Plans all runs of a scenario.
    public init(
        scenario: Scenario,
        file: String,
        seeds: [UInt64],
        material: SpeechMaterial?,
        tieShuffleSeed: UInt64? = nil
    ) {
        self.scenario = scenario
        self.file = file
        self.seeds = seeds
        self.material = material
        self.tieShuffleSeed = tieShuffleSeed
    }

    /// Runs every seed and judges them.
    ///
    /// - Parameters:
    ///   - jobs: How many runs go on at a time; the result does not depend on it.
    ///   - progress: Called after each run, in seed order.
    /// - Returns: The judgement and the runs behind it.
    /// - Throws: `WorldError`.
    public func judge(
        jobs: Int,
        progress: (_ done: Int) -> Void = { _ in }
    ) async throws -> ScenarioOutcome {
        let expectations = scenario.expectations
        var judge = Judge(gates: expectations.gates, invariants: expectations.invariants)
        var outcome = ScenarioOutcome(scenario: scenario, file: file, judgement: judge.judgement)
        let (plan, material, seeds, ties) = (scenario.plan, material, seeds, tieShuffleSeed)
        try await inParallel(seeds.count, width: jobs) { index in
            let seed = seeds[index]
            return try SingleRun(plan: plan, seed: seed, material: material, tieShuffleSeed: ties)
                .measure()
        } deliver: { index, run in
            judge.add(run.evidence)
            outcome.add(run)
            progress(index + 1)
        }
        outcome.judgement = judge.judgement
        return outcome
    }
}

/// What a scenario's runs gave.
public struct ScenarioOutcome: Sendable {
    /// One run, as reports show it.
    public struct Run: Sendable {
        /// The seed.
        public var seed: UInt64
        /// The digest of the whole trace.
        public var digest: Digest64
        /// The components' digests, sorted by name.
        public var components: [RunOutcome.Component]
        /// The metrics' figures.
        public var metrics: [MetricFigures]
    }

    /// The scenario.
    public var scenario: Scenario
    /// Its file, as the user named it.
    public var file: String
    /// What is said of it.
    public var judgement: Judgement
    /// The runs, in the order of their seeds.
    public var runs: [Run] = []
    /// Deliveries, simulated time and processor time over all runs.
    public var speed = RunSpeed()

    mutating func add(_ run: RunOutcome) {
        runs.append(
            Run(
                seed: run.evidence.seed,
                digest: run.digest,
                components: run.components,
                metrics: run.evidence.metrics.map(MetricFigures.init)
            )
        )
        speed.add(run)
    }
}

/// How fast runs went; never part of a result.
public struct RunSpeed: Sendable {
    /// Deliveries.
    public var eventCount = 0
    /// Simulated seconds.
    public var simulatedSeconds = 0.0
    /// Processor seconds of the threads that ran them.
    public var processorSeconds = 0.0

    /// Starts at nothing.
    public init() {}

    mutating func add(_ run: RunOutcome) {
        eventCount += run.eventCount
        simulatedSeconds += Double(run.simulated.wholeNanoseconds) / 1e9
        processorSeconds += run.processorSeconds
    }

    /// Adds other runs.
    public mutating func add(_ other: RunSpeed) {
        eventCount += other.eventCount
        simulatedSeconds += other.simulatedSeconds
        processorSeconds += other.processorSeconds
    }

    /// Events/s, simulated seconds per second and events per simulated second, per core.
    public var line: String {
        let perSecond = Double(eventCount) / max(processorSeconds, 1e-9)
        let timesRealTime = simulatedSeconds / max(processorSeconds, 1e-9)
        let density = Double(eventCount) / max(simulatedSeconds, 1e-9)
        return
            "\(Int(perSecond)) events/s, \(Int(timesRealTime)) simulated s per s, "
            + "\(Int(density)) events per simulated s (per core)"
    }
}
