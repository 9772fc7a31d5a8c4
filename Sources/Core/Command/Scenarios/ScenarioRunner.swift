import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaSpeech

/// Runs loaded scenarios one after the other, and says how far they are.
struct ScenarioRunner {
    private let loaded: LoadedScenarios
    /// How many runs go on at a time.
    private let jobs: Int
    /// The seed that shuffles simultaneous deliveries.
    var tieShuffleSeed: UInt64?
    private let isQuiet: Bool
    /// Whether the speed of each scenario is said.
    var isVerbose = false

    init(_ loaded: LoadedScenarios, jobs: Int, isQuiet: Bool) {
        self.loaded = loaded
        self.jobs = jobs
        self.isQuiet = isQuiet
    }

    /// Runs seeds of each point of each scenario; those that the scenarios ask for, if none are given.
    ///
    /// - Parameters:
    ///   - material: The voices, for real audio.
    ///   - seeds: The seeds of each point of each scenario.
    ///   - finished: Told of each scenario as soon as it is done, in their order; nothing of it is kept here.
    ///   - begun: Given a scenario's index as it begins, and what its runs will have given at any time.
    /// - Throws: `Failure`, and what `finished` throws.
    func run(
        _ material: SpeechMaterial?,
        seeds: [[[UInt64]]]? = nil,
        finished: (ScenarioOutcome) throws -> Void,
        begun: @escaping @Sendable (Int, RunsSoFar) -> Void = { _, _ in }
    ) async throws {
        let seeds = seeds ?? loaded.scenarios.map { $0.scenario.points.map(loaded.seeds) }
        let progress = ProgressLine(loaded, seeds: seeds, isQuiet: isQuiet)
        let slots = JobSlots(jobs)
        var speed = RunSpeed()
        // The next scenario's runs fill the slots that the last runs of one leave idle.
        func begin(_ index: Int) -> Task<ScenarioOutcome, any Error>? {
            guard index < loaded.scenarios.count else { return nil }
            let (file, scenario) = loaded.scenarios[index]
            let run = ScenarioRun(
                scenario: scenario,
                file: file,
                seeds: seeds[index],
                material: material,
                tieShuffleSeed: tieShuffleSeed
            )
            let results = RunsSoFar()
            begun(index, results)
            return Task {
                try await run.judge(
                    in: slots,
                    rank: index,
                    progress: { progress.show($0, of: index) },
                    results: results
                )
            }
        }
        var next = begin(0)
        for (index, (_, scenario)) in loaded.scenarios.enumerated() {
            guard let current = next else { return }
            next = begin(index + 1)
            progress.begin(scenario.name)
            let outcome = try await Failure.describing { try await current.value }
            if !isQuiet { remark(onLooksOf: scenario, seeds[index], outcome) }
            if isVerbose, !isQuiet { Terminal.remark("\(scenario.name): \(outcome.speed.line)") }
            speed.add(outcome.speed)
            progress.clear()
            try finished(outcome)
        }
        if !isQuiet { Terminal.remark(speed.line) }
    }

    /// Says after how many seeds a verdict was decided whose number was open.
    private func remark(
        onLooksOf scenario: Scenario,
        _ seeds: [[UInt64]],
        _ outcome: ScenarioOutcome
    ) {
        for (index, point) in scenario.points.enumerated() {
            guard let looks = point.looks, seeds[index].count == looks.cap else { continue }
            let ran = outcome.points[index].rows.count
            let subject = [scenario.name, point.label].filter { !$0.isEmpty }.joined(separator: " ")
            let isOpen = PlannedLooks.isOpen(outcome.points[index].judgement)
            Terminal.remark(
                isOpen
                    ? "\(subject): undecided after all \(counted(ran, "seed"))"
                    : "\(subject): decided after \(ran) of at most \(looks.cap) seeds"
            )
        }
    }
}
