public import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaSpeech
import KodamaWorld
import SansIO

/// One run of a document, and what it showed.
public struct WorldRun: Sendable {
    /// What failed, the earliest first.
    public var failures: [RunFailure]
    /// What keeps it from passing though nothing fails: gates without data or undecided, triggers that never came.
    public var doubts: [String] = []
    /// The digest of the run.
    public var digest: Digest64
    /// Which records followed which.
    package var pairs: Set<UInt64>
    /// How long it took, in seconds of a processor.
    public var processorSeconds: Double

    /// Describes a run that came to no end.
    init(_ failure: RunFailure) {
        failures = [failure]
        (digest, pairs, processorSeconds) = (Digest64(bits: 0), [], 0)
    }

    /// Runs a scenario's only point with a seed; one without end fails for that.
    ///
    /// - Throws: `WorldError`, if the world cannot be made.
    init(_ point: ScenarioPoint, seed: UInt64, material: SpeechMaterial?) throws {
        let expectations = point.alone.expectations
        let run = SingleRun(
            plan: point.plan,
            seed: seed,
            material: material,
            scoped: expectations.gates.scopedMetrics
        )
        var coverage = PairCoverage(
            phones: point.plan.phones.map(\.name),
            people: point.plan.people.map(\.name)
        )
        let outcome: RunOutcome
        do throws(WorldError) {
            outcome = try run.measure(beside: &coverage)
        } catch {
            let instant: Instant
            switch error {
            case .livelock(let at, _, _), .rush(let at, _, _, _): instant = at
            default: throw error
            }
            failures = [
                RunFailure(name: .livelock, instant: instant.nanoseconds, finding: "\(error)")
            ]
            (digest, pairs, processorSeconds) = (Digest64(bits: 0), [], 0)
            return
        }
        var judge = Judge(gates: expectations.gates, invariants: expectations.invariants)
        judge.add(outcome.evidence)
        let judgement = judge.judgement
        failures = RunFailure.all(in: judgement)
        let open = judgement.gates.filter { !$0.isGreen && $0.verdict != .fail }.map {
            "\(FailureName($0.gate)) (\($0.verdict.word))"
        }
        let missing = judgement.invariants.filter { $0.verdict == .noData }.map {
            "\(FailureName($0.result.name)) (no data)"
        }
        let waiting = point.triggers.filter { outcome.waitingEntries.contains($0.entry) }.map {
            "what waits for \($0.event) of \($0.component), which did not come"
        }
        doubts = open + missing + waiting
        digest = outcome.digest
        pairs = coverage.pairs
        processorSeconds = outcome.processorSeconds
    }
}
