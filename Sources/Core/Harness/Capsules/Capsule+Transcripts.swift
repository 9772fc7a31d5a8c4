import KodamaEvidence
public import KodamaLanguage
public import KodamaSpeech

extension Capsule {
    /// Repeats the run to keep what programs beside the simulator were told and answered, if it has any.
    ///
    /// - Parameters:
    ///   - material: The voices, for real audio.
    ///   - systems: The systems that the program knows, with the programs that they may run.
    /// - Returns: Whether the repetition was the same run; if not, nothing is kept.
    /// - Throws: `InvalidScenario` and `WorldError`.
    public mutating func keepTranscripts(
        _ material: SpeechMaterial?,
        systems: SystemRegistry
    ) throws -> Bool {
        guard !systems.programs.commands.isEmpty else { return true }
        let plan = try load(systems: systems).points[0].plan
        let hasProgram = plan.phones.contains { phone in
            phone.apps.contains { $0.settings.program != nil }
        }
        guard hasProgram else { return true }
        let outcome = try SingleRun(
            plan: plan,
            seed: seed,
            material: material,
            tieShuffleSeed: tieShuffleSeed
        ).measure()
        guard outcome.digest.description == digest else { return false }
        transcripts = outcome.transcripts
        return true
    }
}
