public import Evidence
public import Simulation

/// The names that scenarios may use but that are defined elsewhere.
public struct ScenarioVocabulary: Sendable {
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
    public var language: Vocabularies
    /// What can be tuned.
    public var parameters: ParameterCatalog { language.parameters }

    /// Gathers names.
    public init(
        profiles: [LinkProfile],
        metrics: [MetricDescription],
        invariants: [String],
        eventKinds: [String] = Systems.shipped.forms.entries.map(\.text.name),
        requirements: [String],
        voices: [String],
        language: Vocabularies = .shipped
    ) {
        self.profiles = profiles
        self.metrics = metrics
        self.invariants = invariants
        self.eventKinds = eventKinds
        self.requirements = requirements
        self.voices = voices
        self.language = language
    }
}

extension ScenarioVocabulary {
    /// Everything that the catalogues of the simulator name.
    ///
    /// - Parameters:
    ///   - requirements: The ids of the requirements, from `RequirementList`.
    ///   - voices: The names of the recorded voices.
    ///   - systems: The systems whose records, metrics and invariants may be named.
    ///   - language: What systems add to the language.
    /// - Returns: A vocabulary with everything that can be tuned.
    public static func standard(
        requirements: [String],
        voices: [String],
        systems: Systems = .shipped,
        language: Vocabularies = .shipped
    ) -> ScenarioVocabulary {
        ScenarioVocabulary(
            profiles: LinkProfile.all,
            metrics: systems.metrics,
            invariants: systems.invariants.map(\.name),
            eventKinds: systems.forms.entries.map(\.text.name),
            requirements: requirements,
            voices: voices,
            language: language
        )
    }
}
