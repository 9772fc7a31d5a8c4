import KodamaEvidence
public import KodamaLanguage
import KodamaSimulation
public import KodamaSpeech
import KodamaWorld
import SansIO

/// A run that failed, and what is asked of it: when that became certain.
public struct FailureQuestion: Sendable {
    /// Why nothing can be asked.
    public enum Refusal: Error, Equatable {
        /// The run keeps its gates and invariants; the names of those that it was held against.
        case green([String])
        /// It breaks nothing, but lacks data: the names of what has none.
        case noData([String])
        /// It breaks nothing, and could be turned: what is undecided, and why.
        case undecided([String])
        /// It misses nothing of that name; the names of what it misses.
        case otherMiss([String])
    }

    /// What failed.
    private enum Target {
        case gate(Gate)
        case invariant(String)
    }

    /// The scenario's name.
    public let scenario: String
    /// The run.
    let run: SingleRun
    /// What happened in it.
    let explanation: Explanation
    /// What failed, in words.
    public let failure: String
    /// The distinct instants of its records, up to the worst sample's end.
    let instants: [Instant]
    private let target: Target
    private let trace: RecordedTrace

    /// The run's plan with other settings, and what they leave out in words.
    public var settings: [(words: String, plan: WorldPlan)] = []

    /// Runs a seed and sees what fails in it.
    ///
    /// - Parameters:
    ///   - scenario: The scenario; of a sweep, with the point that is run.
    ///   - seed: The seed.
    ///   - material: The voices, for real audio.
    ///   - tieShuffleSeed: Shuffles simultaneous deliveries as the run to be repeated did.
    ///   - name: The metric or invariant to ask about; the first that fails if not given.
    ///   - hint: Which of several to prefer: the gate or invariant that failed in a capsule.
    /// - Throws: `WorldError`, or a `Refusal` if nothing of the kind fails.
    public init(
        _ scenario: Scenario,
        seed: UInt64,
        material: SpeechMaterial?,
        tieShuffleSeed: UInt64? = nil,
        about name: String? = nil,
        preferring hint: Capsule.Failure? = nil
    ) throws {
        let replay = try Replay(
            scenario,
            file: scenario.name,
            seed: seed,
            material: material,
            level: .control,
            tieShuffleSeed: tieShuffleSeed
        )
        let point = replay.outcome.points[0]
        let failures = Self.failures(point.judgement, asked: name ?? hint?.name)
        guard !failures.isEmpty else { throw Self.refusal(of: point) }
        let named = failures.filter { name == nil || $0.name == name }
        let hinted = named.first { $0.name == hint?.name && $0.rule == hint?.rule }
        guard let found = hinted ?? named.first else {
            throw Refusal.otherMiss(failures.map(\.name))
        }
        var run = SingleRun(
            plan: scenario.points[0].plan,
            seed: seed,
            material: material,
            tieShuffleSeed: tieShuffleSeed
        )
        if case .gate(let gate) = found.target { run.scoped = [gate].scopedMetrics }
        self.scenario = scenario.name
        self.run = run
        explanation = try Explanation(of: run, scenario: scenario.name)
        failure = found.text
        target = found.target
        trace = replay.trace
        instants = Self.instants(of: replay.trace, until: found.until)
    }

    private struct Found {
        var name: String
        var rule: String?
        var text: String
        var target: Target
        var until: Int64?
    }

    /// What fails in the run: gates and invariants, then sums of all seeds to which it adds too much or too little;
    /// of those that it keeps by rounding only the one that is asked for.
    private static func failures(_ judgement: Judgement, asked name: String?) -> [Found] {
        let gates = found(judgement.gates.filter { $0.verdict == .fail })
        let sums = found(
            judgement.gates.filter { result in
                let isAsked = result.verdict == .undecided || result.metric == name
                return isAsked && result.missesOnlyShare
            }
        )
        let invariants = judgement.invariants.filter { $0.verdict == .fail }.map { invariant in
            Found(
                name: invariant.result.name,
                text: "\(invariant.result.name) always",
                target: .invariant(invariant.result.name),
                until: invariant.result.violations.first?.instant
            )
        }
        return gates + invariants + sums
    }

    private static func found(_ gates: [GateResult]) -> [Found] {
        gates.map { result in
            let plan = result.gate.plan.flatMap { $0.sum == nil ? nil : $0 }
            let runs = plan.map { " in one run of \($0.seeds)" } ?? ""
            return Found(
                name: result.metric,
                rule: result.ruleText,
                text: "\(result.metric) \(result.ruleText) (\(result.texts.value)\(runs))",
                target: .gate(result.gate),
                until: result.worst?.sample?.until
            )
        }
    }

    /// Why nothing can be asked of a run in which nothing fails.
    private static func refusal(of point: PointOutcome) -> Refusal {
        let judgement = point.judgement
        let lacking = lackingData(point)
        guard lacking.isEmpty else { return .noData(lacking) }
        let open = judgement.gates.filter { $0.verdict == .undecided && !$0.isGreen }
        guard open.isEmpty else {
            return .undecided(
                open.map { result in
                    let reason = result.noDataReason?.rawValue ?? ""
                    return "\(result.metric) \(result.ruleText): \(reason)"
                }
            )
        }
        return .green(judgement.gates.map(\.metric) + judgement.invariants.map(\.result.name))
    }

    /// What has no data, and may not lack it.
    private static func lackingData(_ point: PointOutcome) -> [String] {
        let judgement = point.judgement
        return judgement.gates.filter { $0.value == nil && !$0.isGreen }.map(\.metric)
            + judgement.invariants.filter { $0.result.checkedCount == 0 }.map(\.result.name)
            + point.triggerReports.filter { $0.firedRuns == 0 }.map(\.name)
    }

    private static func instants(of trace: RecordedTrace, until end: Int64?) -> [Instant] {
        var instants: [Instant] = []
        for record in trace.records where record.instant.nanoseconds <= end ?? .max {
            if instants.last != record.instant { instants.append(record.instant) }
        }
        return instants
    }

    /// Whether the run fails as well under other weather from some instant on.
    func fails(_ fork: WeatherFork, with plan: WorldPlan? = nil) throws -> Bool {
        var run = run
        if let plan { run.plan = plan }
        run.fork = fork
        let evidence = try run.measure().evidence
        switch target {
        case .gate(let gate):
            var judge = Judge(gates: [gate])
            judge.add(evidence)
            let result = judge.judgement.gates[0]
            return result.verdict == .fail || result.missesOnlyShare
        case .invariant(let name):
            let found = evidence.invariants.first { $0.name == name }
            return found.map { !$0.violations.isEmpty } ?? false
        }
    }

    /// The record to name of those at an instant: the first of the coarsest level.
    func record(at instant: Instant) -> String {
        let forms = trace.directory.systems.forms
        let simultaneous = trace.records.filter { $0.instant == instant }
        let levels = simultaneous.map { forms[$0.kind].text.level }
        guard let coarsest = levels.min(), let index = levels.firstIndex(of: coarsest) else {
            return ""
        }
        return TraceText.squeezed(TraceText.line(simultaneous[index], trace.directory))
    }
}

extension GateResult {
    /// Whether the run alone adds more or less to a sum of all seeds than its share, and fails nothing by it.
    fileprivate var missesOnlyShare: Bool {
        verdict != .fail && value.map { gate.missesShare($0) } ?? false
    }
}
