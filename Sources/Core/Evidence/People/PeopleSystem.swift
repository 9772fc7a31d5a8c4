extension EvidenceSystem {
    /// People: what they say and what they do with their phones.
    public static let people: EvidenceSystem = {
        var system = EvidenceSystem(
            .people,
            forms: [SpeechBegan.self, SpeechEnded.self, UserActed.self],
            narrator: PeopleNarrator.self
        )
        system.acts = UserAct.core
        return system
    }()
}
