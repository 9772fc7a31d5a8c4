public import KodamaEvidence
public import KodamaSimulation

/// The names that scenarios may use but that are defined elsewhere.
public struct ScenarioVocabulary: Sendable {
    /// The systems whose words, records, metrics and invariants may be used.
    public var systems: SystemRegistry
    /// The named links.
    public var profiles: [LinkProfile]
    /// What can be measured.
    public var metrics: [MetricDescription]
    /// The names of what must hold at every record.
    public var invariants: [String]
    /// The kinds of trace records.
    public var eventKinds: [String]
    /// The ids of the requirements.
    public var requirements: [String]
    /// The names of the recorded voices.
    public var voices: [String]
    /// What the systems add to the language.
    public var language: Vocabularies { systems.language }
    /// What can be tuned.
    public var parameters: ParameterCatalog { language.parameters }

    /// Everything that the catalogues of the simulator and of some systems name.
    ///
    /// - Parameters:
    ///   - systems: The systems that may be used.
    ///   - requirements: The ids of the requirements, from `RequirementList`.
    ///   - voices: The names of the recorded voices.
    public init(systems: SystemRegistry, requirements: [String] = [], voices: [String] = []) {
        self.systems = systems
        profiles = LinkProfile.all
        metrics = systems.evidence.metrics
        invariants = systems.evidence.invariants.map(\.name)
        eventKinds = systems.evidence.forms.entries.map(\.text.name)
        self.requirements = requirements
        self.voices = voices
    }
}
