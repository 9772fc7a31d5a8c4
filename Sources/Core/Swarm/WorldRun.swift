public import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaSpeech
import KodamaWorld

/// One run of a document, and what it showed.
public struct WorldRun: Sendable {
    /// What failed, the earliest first.
    public var failures: [RunFailure]
    /// The digest of the run.
    public var digest: Digest64
    /// Which records followed which.
    package var pairs: Set<UInt64>
    /// How long it took, in seconds of a processor.
    public var processorSeconds: Double

    /// Runs a scenario's only point with a seed.
    ///
    /// - Throws: `WorldError`.
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
        let outcome = try run.measure(beside: &coverage)
        var judge = Judge(gates: expectations.gates, invariants: expectations.invariants)
        judge.add(outcome.evidence)
        failures = RunFailure.all(in: judge.judgement)
        digest = outcome.digest
        pairs = coverage.pairs
        processorSeconds = outcome.processorSeconds
    }
}
