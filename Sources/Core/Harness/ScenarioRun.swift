import KodamaEvidence
public import KodamaLanguage
public import KodamaSpeech
import KodamaWorld
import SansIO

/// A scenario with all its points and seeds: runs them side by side and judges each point.
public struct ScenarioRun: Sendable {
    /// The scenario; of a sweep, the points that are run.
    public var scenario: Scenario
    /// Its file, as the user named it.
    public var file: String
    /// The seeds of each point, in the order in which they are judged.
    public var seeds: [[UInt64]]
    /// The voices, for real audio.
    public var material: SpeechMaterial?
    /// The seed that shuffles simultaneous deliveries, or `nil` for their natural order.
    public var tieShuffleSeed: UInt64?

    /// Plans all runs of a scenario.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - file: Its file, as the user named it.
    ///   - seeds: The seeds of each of its points.
    ///   - material: The voices, for real audio.
    ///   - tieShuffleSeed: Shuffles simultaneous deliveries, to find code that depends on their order.
    public init(
        scenario: Scenario,
        file: String,
        seeds: [[UInt64]],
        material: SpeechMaterial?,
        tieShuffleSeed: UInt64? = nil
    ) {
        precondition(seeds.count == scenario.points.count, "every point has seeds of its own")
        self.scenario = scenario
        self.file = file
        self.seeds = seeds
        self.material = material
        self.tieShuffleSeed = tieShuffleSeed
    }

    /// Runs every seed of every point and judges the points.
    ///
    /// - Parameters:
    ///   - slots: How many runs go on at a time, of this scenario and of others; the result does not depend on it.
    ///   - rank: Its place among the others: the runs of those of a lower rank go first.
    ///   - progress: Told how far the runs are; called from several threads.
    ///   - results: Keeps what runs have given so far, for whoever ends them before their time.
    /// - Returns: The judgements and the runs behind them.
    /// - Throws: `WorldError`.
    public func judge(
        in slots: JobSlots,
        rank: Int = 0,
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        results: RunsSoFar = RunsSoFar()
    ) async throws -> ScenarioOutcome {
        var scenario = scenario
        for (index, looks) in looks.enumerated() {
            guard let looks else { continue }
            let gates = scenario.points[index].expectations.gates
            scenario.points[index].expectations.gates = looks.gates(gates)
        }
        results.begin(
            ScenarioOutcome(scenario: scenario, file: file),
            runCounts: seeds.map(\.count)
        )
        let plans = scenario.points.map(\.plan)
        let scoped = scenario.points.map(\.expectations.gates.scopedMetrics)
        let (material, ties) = (material, tieShuffleSeed)
        let isOpenEnded = looks.map { $0 != nil }
        var open = Array(seeds.indices)
        var (round, done) = (0, 0)
        var over: [Int] = []
        while !open.isEmpty {
            let jobList = open.flatMap { point in
                part(round, ofPoint: point).map { (point, $0) }
            }
            let before = done
            try await inParallel(jobList.count, sharing: slots, rank: rank) { index in
                let (point, seed) = jobList[index]
                return try SingleRun(
                    plan: plans[point],
                    seed: seed,
                    material: material,
                    tieShuffleSeed: ties,
                    scoped: scoped[point]
                ).measure { progress(.simulated($0)) }
            } deliver: { index, run in
                let point = jobList[index].0
                results.add(run, toPoint: point)
                progress(.done(before + index + 1))
                let isLast = index + 1 == jobList.count || jobList[index + 1].0 != point
                guard isLast, !isOpenEnded[point] else { return }
                results.judge(point: point)
                over.append(point)
            }
            done += jobList.count
            round += 1
            open.removeAll { over.contains($0) }
            for point in open {
                let judgement = results.judge(point: point)
                if isDecided(point: point, after: round, judgement) { over.append(point) }
            }
            open.removeAll { over.contains($0) }
        }
        return results.finish()
    }

    /// The looks of each point; none where the seeds are given.
    private var looks: [PlannedLooks?] {
        zip(scenario.points, seeds).map { point, seeds in
            point.looks.flatMap { $0.cap == seeds.count ? $0 : nil }
        }
    }

    /// The seeds of a point that are run in one round: all of them, or those up to the next look.
    private func part(_ round: Int, ofPoint point: Int) -> ArraySlice<UInt64> {
        guard let counts = looks[point]?.runCounts else { return seeds[point][...] }
        return seeds[point][(round == 0 ? 0 : counts[round - 1])..<counts[round]]
    }

    private func isDecided(point: Int, after rounds: Int, _ judgement: Judgement) -> Bool {
        guard let looks = looks[point] else { return true }
        return rounds == looks.runCounts.count || !PlannedLooks.isOpen(judgement)
    }
}

/// The progress of a scenario's runs.
public enum RunProgress: Sendable, Equatable {
    /// This much more time of one run was simulated.
    case simulated(Duration)
    /// This many runs are done, in the order of points and seeds.
    case done(Int)
}

/// How fast runs went; never part of a result.
public struct RunSpeed: Sendable {
    /// Deliveries.
    public var eventCount = 0
    /// Simulated seconds.
    public var simulatedSeconds = 0.0
    /// Processor seconds of the threads that ran them.
    public var processorSeconds = 0.0

    /// Starts at zero.
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

    /// Processor time, then events/s, simulated seconds per second and events per simulated second, per
    /// core.
    public var line: String {
        let perSecond = Double(eventCount) / max(processorSeconds, 1e-9)
        let timesRealTime = simulatedSeconds / max(processorSeconds, 1e-9)
        let density = Double(eventCount) / max(simulatedSeconds, 1e-9)
        let tenths = Int((processorSeconds * 10).rounded())
        return
            "\(tenths / 10).\(tenths % 10) s of processor: \(Int(perSecond)) events/s, "
            + "\(Int(timesRealTime)) simulated s per s, "
            + "\(Int(density)) events per simulated s (per core)"
    }
}
